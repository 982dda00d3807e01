"""What commands print and read of bidding rounds."""
