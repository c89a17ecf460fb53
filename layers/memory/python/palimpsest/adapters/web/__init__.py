"""The web: pages fetched over HTTP."""
