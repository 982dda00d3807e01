"""Odds of one hand under a cup."""
