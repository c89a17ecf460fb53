"""Entities that may be one: what is asked for, and what is told of them."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from palimpsest.api.wire.entities import NamedEntityItem
from palimpsest.api.wire.fields import Answer, Flag, Request, Space, WrittenInstant
from palimpsest.domain import instants
from palimpsest.stores.twins import TwinState
from palimpsest.usecases.decide_twins import ShownTwin, TwinsListed


class ResolveEntitiesRequest(Request):
    """Where to look."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"space": "team-blue", "dry_run": True}]})

    space: Space | None = None
    dry_run: Flag = False


class DuplicateReplyRequest(Request):
    """What to say of two entities."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"answer": "apart"}]})

    answer: TwinState


class DuplicateItem(Answer):
    """Two entities that may be one, how likely that is by their names, and why."""

    id: str = Field(examples=["twn_3bd0f273a807f2361b7ad8903f19a9d4"])
    one: NamedEntityItem
    other: NamedEntityItem
    score: float
    reason: str
    state: TwinState
    found_at: WrittenInstant
    run_id: str

    @classmethod
    def of(cls, shown: ShownTwin) -> DuplicateItem:
        """What is told of a pair."""
        twin = shown.twin
        return cls(
            id=twin.id,
            one=NamedEntityItem.of(shown.one),
            other=NamedEntityItem.of(shown.other),
            score=twin.score,
            reason=twin.reason,
            state=twin.state,
            found_at=instants.write(twin.found_at),
            run_id=twin.run,
        )


class DuplicateAnswer(Answer):
    """The pair as it is now."""

    duplicate: DuplicateItem

    @classmethod
    def of(cls, shown: ShownTwin) -> DuplicateAnswer:
        """What is told of a pair that was answered."""
        return cls(duplicate=DuplicateItem.of(shown))


class DuplicatesAnswer(Answer):
    """One page of pairs, the likeliest first."""

    duplicates: tuple[DuplicateItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: TwinsListed) -> DuplicatesAnswer:
        """What is told of a page."""
        return cls(duplicates=tuple(map(DuplicateItem.of, listed.twins)), next_cursor=listed.next_cursor)
