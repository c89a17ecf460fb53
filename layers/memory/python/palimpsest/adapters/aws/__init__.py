"""Adapters that live in an AWS account."""
