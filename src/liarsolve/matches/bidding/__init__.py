"""Matches of bidding: how a round may end."""
