"""Players and rounds of cup games."""
