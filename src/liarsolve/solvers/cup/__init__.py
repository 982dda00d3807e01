"""Cup rounds: the recursion over claims for two players, CFR for more."""
