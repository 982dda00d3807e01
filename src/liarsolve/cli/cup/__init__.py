"""What commands print and read of cup games."""
