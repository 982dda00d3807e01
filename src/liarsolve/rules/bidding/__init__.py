"""Rules of bidding: everybody's own dice, and bids on the dice of all."""
