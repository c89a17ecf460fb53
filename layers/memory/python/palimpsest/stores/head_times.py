"""When the versions of a belief begin and when it was retired, as attributes of its head."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from palimpsest.domain import instants
from palimpsest.domain.belief import Absence, Head
from palimpsest.domain.errors import CorruptItem
from palimpsest.ports.table import Value
from palimpsest.stores.codec import Reader


class Times(NamedTuple):
    """What a head keeps of the times of its versions."""

    begins: datetime | None
    last_begin: datetime | None
    absences: tuple[Absence, ...]


def attributes(head: Head) -> dict[str, Value]:
    """Those times by name."""
    stored: dict[str, Value] = {}
    if head.begins is not None:
        stored["begins"] = instants.write(head.begins)
    if head.last_begin is not None:
        stored["last_begin"] = instants.write(head.last_begin)
    if head.absences:
        stored["absences"] = [_written(absence) for absence in head.absences]
    return stored


def read(r: Reader) -> Times:
    """The times that `attributes` wrote; CorruptItem when they are none."""
    try:
        absences = tuple(map(_read, r.texts("absences")))
    except ValueError as error:
        raise CorruptItem(r.text("pk"), r.text("sk"), "attribute absences") from error
    return Times(r.optional("begins", r.instant), r.optional("last_begin", r.instant), absences)


def _written(absence: Absence) -> str:
    return f"{instants.write(absence.since)}/{'' if absence.until is None else instants.write(absence.until)}"


def _read(written: str) -> Absence:
    since, _, until = written.partition("/")
    return Absence(instants.read(since), instants.read(until) if until else None)
