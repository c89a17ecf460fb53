"""What a caller can do, one verb a file."""
