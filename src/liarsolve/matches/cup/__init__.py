"""Matches of cup games: how a round may end."""
