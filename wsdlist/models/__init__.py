"""What was learned, kept in a file, asked, explained and edited."""
