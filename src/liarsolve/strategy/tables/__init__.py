"""Tables of results that were computed before and come along."""
