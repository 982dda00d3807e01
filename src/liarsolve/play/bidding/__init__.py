"""Players and rounds of bidding."""
