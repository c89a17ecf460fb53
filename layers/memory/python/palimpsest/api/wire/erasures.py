"""Erasures and their receipts."""

from __future__ import annotations

from pydantic import Field

from palimpsest.api.wire.fields import Answer, WrittenInstant
from palimpsest.api.wire.memory import written
from palimpsest.domain import instants
from palimpsest.domain.erasure import ErasureState, Holds, Remainder
from palimpsest.usecases.erase import Receipt


class RemainderItem(Answer):
    """Something that remains. `until` is null for what stays until somebody takes it away, or for good."""

    where: str = Field(examples=["table_backups"])
    holds: Holds
    until: WrittenInstant | None

    @classmethod
    def of(cls, remainder: Remainder) -> RemainderItem:
        """What is told of it."""
        return cls(where=remainder.where, holds=remainder.holds, until=written(remainder.until))


class ErasureItem(Answer):
    """An erasure; once its state is `verified`, its receipt."""

    id: str = Field(examples=["era_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"])
    root_id: str | None
    document_id: str | None
    space: str
    state: ErasureState
    asked_at: WrittenInstant
    asked_by: str
    verified_at: WrittenInstant | None
    passes: int
    empty_passes: int
    removed: dict[str, int] = Field(examples=[{"version": 2, "vectors": 2, "change": 3, "entry": 2}])
    hidden: tuple[str, ...]
    remains: tuple[RemainderItem, ...]

    @classmethod
    def of(cls, receipt: Receipt) -> ErasureItem:
        """What is told of an erasure: ids, counts and times."""
        erasure = receipt.erasure
        return cls(
            id=erasure.id,
            root_id=None if erasure.document else erasure.root,
            document_id=erasure.document,
            space=receipt.space,
            state=erasure.state,
            asked_at=instants.write(erasure.asked_at),
            asked_by=erasure.asked_by,
            verified_at=written(erasure.verified_at),
            passes=erasure.progress.done,
            empty_passes=erasure.progress.empty,
            removed=dict(erasure.removed),
            hidden=tuple(erasure.hidden),
            remains=tuple(map(RemainderItem.of, receipt.remains)),
        )


class EraseAnswer(Answer):
    """It is off every surface; what is left of it is being taken away."""

    erasure: ErasureItem

    @classmethod
    def of(cls, receipt: Receipt) -> EraseAnswer:
        """What is told of an erasure that was asked for."""
        return cls(erasure=ErasureItem.of(receipt))
