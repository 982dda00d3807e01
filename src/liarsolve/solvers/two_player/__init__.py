"""Two players with payoffs that sum to 0: the growing tree, CFR on it, certificates."""
