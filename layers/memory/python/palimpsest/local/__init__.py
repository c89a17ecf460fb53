"""One machine: server, background threads, command line."""
