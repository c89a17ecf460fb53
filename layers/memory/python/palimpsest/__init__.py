"""Palimpsest: a long-term memory for AI agents that never overwrites."""

__version__ = "0.1.0"
