"""What scrub did to what was sent, as it is told."""

from __future__ import annotations

from collections.abc import Iterable

from palimpsest.api.wire.fields import Answer
from palimpsest.domain.scrub.kinds import Kind
from palimpsest.domain.scrub.report import Caution, Place, Redaction


class SpanItem(Answer):
    """A piece of a text as it is stored, in code points.

    `field`: `content`, `canonical`, `tags/0`, `source/session`, `attributed_to`, or a path into `metadata`; with `#` at
    its end the name itself is meant.
    """

    field: str
    start: int
    end: int


class RedactionItem(Answer):
    """What was taken out of one kind; at each of the spans its mark stands, such as `[PHONE]`."""

    kind: Kind
    count: int
    spans: tuple[SpanItem, ...]


class WarningItem(Answer):
    """What is worth a word: it is stored as it came or, as `message` then says, was taken out with its HTML.

    `kind`: `instructions`, `invisible` or `bidi`, or a kind of personal data that the space only flags. `spans` is
    empty for what is not stored, for characters that nobody sees, and for instructions that are not spelled out.
    """

    kind: str
    message: str
    spans: tuple[SpanItem, ...]


def redaction_items(redactions: Iterable[Redaction]) -> tuple[RedactionItem, ...]:
    """What is told of what was taken out."""
    return tuple(
        RedactionItem(kind=each.kind, count=len(each.places), spans=_spans(each.places)) for each in redactions
    )


def warning_items(cautions: Iterable[Caution]) -> tuple[WarningItem, ...]:
    """What is told of what stays."""
    return tuple(WarningItem(kind=each.kind, message=each.message, spans=_spans(each.places)) for each in cautions)


def _spans(places: Iterable[Place]) -> tuple[SpanItem, ...]:
    return tuple(SpanItem(field=place.field, start=place.start, end=place.end) for place in places)
