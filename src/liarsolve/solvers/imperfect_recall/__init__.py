"""Imperfect recall: CFR over merged states, and its exploitability in the full game."""
