"""Rules of cup games: one hand that is passed on with a claim."""
