"""Instants: UTC, to the millisecond, written as RFC 3339 with ``Z``."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final

from palimpsest.domain.errors import Invalid

UNDATED: Final = -(2**63)
"""In place of `microseconds` where no date is known; no instant is so long ago."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def parse(text: str, field: str = "instant") -> datetime:
    """The instant that `text` names: RFC 3339 with any offset, or a date, which means its first moment in UTC.

    Raises:
        Invalid: Not such a text, or outside the years 1 to 9999.
    """
    try:
        if _DATE.fullmatch(text):
            return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
        instant = datetime.fromisoformat(text)
        if instant.tzinfo is None:
            raise ValueError("no offset")
        return to_milliseconds(instant.astimezone(UTC))
    except (ValueError, OverflowError) as error:
        message = "give a date (2026-03-01) or an instant with an offset (2026-03-01T09:30:00Z), years 1 to 9999"
        raise Invalid(field, message) from error


def parse_last(text: str, field: str = "instant") -> datetime:
    """As `parse`, but a date means its last moment in UTC: for bounds that are included."""
    instant = parse(text, field)
    if not _DATE.fullmatch(text):
        return instant
    return instant.replace(hour=23, minute=59, second=59, microsecond=999_000)


def write(instant: datetime) -> str:
    """`instant` as text of constant width, so that text order is time order."""
    return instant.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def read(text: str) -> datetime:
    """The instant that `write` wrote."""
    return datetime.fromisoformat(text)


def to_milliseconds(instant: datetime) -> datetime:
    """`instant` cut to whole milliseconds, which is what is stored."""
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def microseconds(instant: datetime) -> int:
    """Microseconds since 1970, exactly."""
    return (instant - _EPOCH) // timedelta(microseconds=1)


def epoch_seconds(instant: datetime) -> int:
    """Whole seconds since 1970, as a table's time to live wants them; rounded up."""
    return -int(-instant.timestamp() // 1)


def after(earliest: datetime, now: datetime) -> datetime:
    """`now`, or the millisecond after `earliest` when the clock stands or has gone back."""
    return max(to_milliseconds(now), earliest + timedelta(milliseconds=1))


def from_milliseconds(milliseconds: int) -> datetime:
    """The instant so many milliseconds after 1970 began."""
    return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=milliseconds)
