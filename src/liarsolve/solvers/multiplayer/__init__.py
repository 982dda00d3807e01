"""Rounds of three and more players: the growing tree, CFR on it, and what each could gain."""
