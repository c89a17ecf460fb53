"""What was true when, as believed when: which version of a belief answers.

Two times are kept apart. In the world's time a version begins to be true and may end; in ours it was recorded, and from
then on believed. A change leaves what was true before as it was. A correction takes the place of the version that it
corrects, as if that had never been there, and so does one that says the same in other words. A revert takes back all
that came after the version that it brings back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeAlias

from palimpsest.domain.belief import Head, State
from palimpsest.domain.version import Because, Reason, Statement, Version

BEGINNING: Final = datetime.min.replace(tzinfo=UTC)
"""Since when a belief's first version is true, unless it says otherwise."""

END: Final = datetime.max.replace(tzinfo=UTC)
"""As believed then: by all that was recorded so far."""

Row: TypeAlias = Callable[[int], Version]
"""Gives a belief's version by its number; asked only for those that an answer needs, newest first."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What is asked for on both axes.

    Attributes:
        true_at: A time of the world.
        believed_at: A time of ours: nothing counts that was recorded later.
    """

    true_at: datetime
    believed_at: datetime


@dataclass(frozen=True, slots=True)
class Held:
    """A version that was held true, from when on in the world, and since which version of the lineage (its place)."""

    version: Version
    begins: datetime
    place: int


def answering(versions: Sequence[Version], moment: Moment) -> Version | None:
    """The version that answers, of all versions of one belief in any order; None when none does."""
    rows = {version.number: version for version in versions}
    believed = [version.number for version in versions if version.recorded_at <= moment.believed_at]
    return answer(rows.__getitem__, max(believed), moment.true_at) if believed else None


def answer(row: Row, newest: int, true_at: datetime, *, last_begin: datetime = END) -> Version | None:
    """The version that was true at `true_at`, when version `newest` was the newest one.

    Args:
        row: Asked for `newest` and older ones, and for no more of them than it takes.
        newest: Number of the last version that counts.
        true_at: A time of the world.
        last_begin: No version begins later, as far as is known; the later of equal ones counts.
    """
    best: Held | None = None
    for each in held(row, newest):
        if each.begins <= true_at and (best is None or each.begins > best.begins):
            best = each
        if best is not None and best.begins >= min(true_at, last_begin):
            break
    return None if best is None or has_ended(best.version, true_at) else best.version


def is_believed(head: Head, believed_at: datetime) -> bool:
    """The belief was there, and not retired then. What is forgotten or erased by now was never there."""
    is_there = head.state in (State.LIVE, State.RETIRED) and head.created_at <= believed_at
    return is_there and not any(absence.covers(believed_at) for absence in head.absences)


def is_current(head: Head, moment: Moment) -> bool:
    """Surely no other version than the current one is in question: it had begun by then, and none began later."""
    begins = head.begins or BEGINNING
    return head.recorded_at <= moment.believed_at and (head.last_begin or BEGINNING) <= begins <= moment.true_at


def is_settled(head: Head, now: datetime) -> bool:
    """From now on no version but the current one is in question, until another step is made."""
    return is_current(head, Moment(max(now, head.recorded_at), END))


def has_ended(version: Version, true_at: datetime) -> bool:
    """It was true no longer."""
    until = version.statement.valid_until
    return until is not None and until <= true_at


def holds(statement: Statement, true_at: datetime) -> bool:
    """By what it says itself it is true then."""
    begins, ends = statement.valid_from, statement.valid_until
    return (begins is None or begins <= true_at) and (ends is None or true_at < ends)


def held(row: Row, newest: int) -> Iterator[Held]:
    """What was held true when version `newest` was the newest one, the last recorded place first."""
    number = newest
    corrected: list[tuple[datetime, datetime]] = []
    while number > 0:
        each = _settled(row, number)
        if not any(since <= each.begins < until for since, until in corrected):
            yield each
            since, until = _moved_over(row, each)
            corrected += [(since, until)] if since < until else []
        number = each.place - 1


def own_begin(version: Version) -> datetime | None:
    """Since when the version alone says that it is true; None: since when the one is whose place it takes."""
    if version.statement.valid_from is not None:
        return version.statement.valid_from
    if version.number == 1:
        return BEGINNING
    return version.recorded_at if _replaced(version) is None else None


def _settled(row: Row, number: int) -> Held:
    """That version, when it begins, and the place that it has in the end: that of the first that it stands for."""
    version = row(number)
    begins, place = own_begin(version), version
    while (before := _replaced(place)) is not None:
        place = row(before)
        begins = own_begin(place) if begins is None else begins
    return Held(version, BEGINNING if begins is None else begins, place.number)


def _moved_over(row: Row, each: Held) -> tuple[datetime, datetime]:
    """The time within which nothing else can have begun, since a correction let the version begin earlier."""
    began = own_begin(row(each.place))
    until = each.version.statement.valid_until
    return each.begins, min(began or BEGINNING, END if until is None else until)


def _replaced(version: Version) -> int | None:
    """The number of the version in whose place this one stands; None when it stands beside it."""
    if version.number == 1:
        return None
    if version.reason is Reason.REVERTED and version.note is not None and version.note.isdecimal():
        return min(int(version.note), version.number - 1)
    is_same = version.reason is Reason.RESTATED and version.because is None and version.statement.valid_from is None
    return version.number - 1 if is_same or version.because is Because.CORRECTED else None
