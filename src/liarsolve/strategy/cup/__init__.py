"""Solutions and strategies of cup games."""
