"""Adapters that live in files on one machine."""
