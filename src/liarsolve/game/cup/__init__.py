"""Rounds of cup games compiled to arrays."""
