"""What scrub did to what somebody sent: told to that caller, and kept nowhere."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.scrub.kinds import Kind


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of a stored text, in code points.

    Attributes:
        field: ``content``, ``canonical``, ``tags/0``, ``source/session`` …; of metadata a path by names and positions,
            with ``#`` at its end where the name itself is meant.
    """

    field: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redaction:
    """What was taken out of one kind; at each place its mark stands."""

    kind: Kind
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Caution:
    """What is worth a word: a kind that is only flagged, or a mark of what is stored or went with the markup.

    `places`: where it is stored; of instructions where they stand as they are spelled, and not in disguise.
    """

    kind: str
    message: str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """All of it, by kind."""

    redactions: tuple[Redaction, ...] = ()
    cautions: tuple[Caution, ...] = ()


NOTHING = Report()
