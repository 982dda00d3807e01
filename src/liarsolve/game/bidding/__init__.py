"""Rounds of bidding compiled to arrays."""
