"""DynamoDB's limits, and the error of a request that no table of ours takes."""

from __future__ import annotations

ITEM_BYTES = 400 * 1024
PAGE_BYTES = 1024 * 1024
TRANSACTION_BYTES = 4 * 1024 * 1024
TRANSACTION_WRITES = 100
PARTITION_KEY_BYTES = 2_048
SORT_KEY_BYTES = 1_024
NUMBER_DIGITS = 38
NUMBER_EXPONENTS = range(-130, 126)
NESTING_LEVELS = 32
EXPRESSION_PARTS = 100
"""Changes of an update, and comparisons of a condition: as many always fit DynamoDB's 4 KB of expression text."""

LATEST_TTL = 253_402_300_799
"""The last second of the year 9999. What is later was meant in another unit than seconds."""


class RequestRefused(ValueError):
    """A request that can't mean anything to the table. Whoever made it has a defect; trying again changes nothing."""
