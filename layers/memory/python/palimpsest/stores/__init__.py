"""What the table holds, once for every backend."""
