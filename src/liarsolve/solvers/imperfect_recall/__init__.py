"""Players who forget: CFR over merged states, and its price in the round as it is."""
