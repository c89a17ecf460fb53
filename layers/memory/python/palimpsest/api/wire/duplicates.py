"""Entities that may be one: what is asked for, and what is told of them."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from palimpsest.api.wire.entities import NamedEntityItem
from palimpsest.api.wire.fields import Answer, Flag, Request, Space, WrittenInstant
from palimpsest.domain import instants
from palimpsest.stores.duplicates import DuplicateState
from palimpsest.usecases.decide_duplicates import DuplicatesListed, ShownDuplicate


class ResolveEntitiesRequest(Request):
    """Where to look."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"space": "team-blue", "dry_run": True}]})

    space: Space | None = None
    dry_run: Flag = False


class DuplicateReplyRequest(Request):
    """What to say of two entities."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"answer": "apart"}]})

    answer: DuplicateState


class DuplicateItem(Answer):
    """Two entities that may be one, how likely that is by their names, and why."""

    id: str = Field(examples=["dup_3bd0f273a807f2361b7ad8903f19a9d4"])
    one: NamedEntityItem
    other: NamedEntityItem
    score: float
    reason: str
    state: DuplicateState
    found_at: WrittenInstant
    run_id: str | None

    @classmethod
    def of(cls, shown: ShownDuplicate) -> DuplicateItem:
        """What is told of a pair."""
        duplicate = shown.duplicate
        return cls(
            id=duplicate.id,
            one=NamedEntityItem.of(shown.one),
            other=NamedEntityItem.of(shown.other),
            score=duplicate.score,
            reason=duplicate.reason,
            state=duplicate.state,
            found_at=instants.write(duplicate.found_at),
            run_id=duplicate.run,
        )


class DuplicateAnswer(Answer):
    """The pair as it is now."""

    duplicate: DuplicateItem

    @classmethod
    def of(cls, shown: ShownDuplicate) -> DuplicateAnswer:
        """What is told of a pair that was answered."""
        return cls(duplicate=DuplicateItem.of(shown))


class DuplicatesAnswer(Answer):
    """One page of pairs, the likeliest first."""

    duplicates: tuple[DuplicateItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: DuplicatesListed) -> DuplicatesAnswer:
        """What is told of a page."""
        return cls(duplicates=tuple(map(DuplicateItem.of, listed.duplicates)), next_cursor=listed.next_cursor)
