"""What is known about the numbering plans of countries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class PhoneBook(Protocol):
    """Says which digits are phone numbers; knows nobody's."""

    def is_number(self, digits: str) -> bool:
        """Whether `digits`, their country's code in front without ``+`` or zeros, are a number that can be called."""
        ...

    def is_region(self, region: str) -> bool:
        """Whether `region` (ISO 3166, two letters) has a plan of its own."""
        ...

    def national_groups(self, digits: str, region: str) -> Sequence[int] | None:
        """How long the groups are in which `region` (ISO 3166, two letters) writes the digits of one subscriber.

        None when they are none there, a service's number among these, or the region is unknown.
        """
        ...
