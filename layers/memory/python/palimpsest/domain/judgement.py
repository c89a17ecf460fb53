"""How a new statement stands to what is believed already."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from palimpsest.domain.ids import VersionRef


class Relation(StrEnum):
    """What two statements are to each other."""

    IDENTICAL = "identical"
    COMPLEMENTARY = "complementary"
    CONTRADICTORY = "contradictory"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge thinks of one current version.

    Attributes:
        ref: That version, with its number.
        similarity: Cosine of the two; 0 when it is not known.
        reason: A short sentence for people.
        judged_by: ``rules``, or the model's name.
    """

    ref: VersionRef
    relation: Relation
    similarity: float
    reason: str
    judged_by: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge found.

    Attributes:
        judged_by: ``none``, ``rules``, or the model's name.
        identical: The version that says the same, if there is one.
        contradictory: Those that can't be true beside the statement.
        doubts: Likely contradictions that nobody may act upon: they become findings.
        is_complete: Everything was judged; else the rest is to be judged later.
    """

    judged_by: str
    identical: Opinion | None = None
    contradictory: tuple[Opinion, ...] = ()
    doubts: tuple[Opinion, ...] = ()
    is_complete: bool = True


UNJUDGED = Verdict("none")
"""Nothing was compared."""
