"""Solving rounds of three and more players: when it stops, and what it returns."""
