"""Solutions and strategies of bidding rounds."""
