"""Background work, each a resumable slice."""
