"""Stores, use cases and jobs put together over one set of parts, whichever adapters those are."""
