"""Ratings: what is sent, and what is told of them."""

from __future__ import annotations

from pydantic import ConfigDict

from palimpsest.api.wire.fields import Answer, Request
from palimpsest.api.wire.memory import MemoryItem
from palimpsest.domain.strength import Rating
from palimpsest.usecases.rate import Rated


class RateRequest(Request):
    """What is said of the memory; `null` takes back what the key said today."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"rating": "useful"}]})

    rating: Rating | None


class RatingsItem(Answer):
    """How often a memory was rated so, on any day by any key."""

    useful: int
    harmful: int
    wrong: int


class RatedAnswer(Answer):
    """The memory, the key's rating of today, and what all ratings come to."""

    memory: MemoryItem
    rating: Rating | None
    ratings: RatingsItem
    usefulness: float

    @classmethod
    def of(cls, rated: Rated) -> RatedAnswer:
        """What is told of a rating."""
        told = rated.ratings
        return cls(
            memory=MemoryItem.of(rated.memory),
            rating=rated.rating,
            ratings=RatingsItem(useful=told.useful, harmful=told.harmful, wrong=told.wrong),
            usefulness=round(told.usefulness, 4),
        )
