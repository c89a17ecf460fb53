"""Spaces: what is asked for, and what is told of them."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, Strict, StringConstraints

from palimpsest.api.wire.fields import Answer, Region, Request, Space, Word, WrittenInstant
from palimpsest.api.wire.memory import written
from palimpsest.domain.scrub.kinds import Kind, Treatment
from palimpsest.stores import spaces as stored
from palimpsest.usecases.drafts import UNSET
from palimpsest.usecases.space_settings import (
    INSTRUCTIONS,
    RECOVERY_DAYS,
    REGIONS,
    TOPICS,
    WORDS,
    SpaceMade,
    SpaceSettings,
    SpaceShown,
    SpacesListed,
)

Instructions = Annotated[str, Strict(), StringConstraints(min_length=1, max_length=INSTRUCTIONS)]
Days = Annotated[int, Field(strict=True, ge=0, le=RECOVERY_DAYS)]


class Treatments(Request):
    """What is done with each kind of personal data; one that is left out is treated as everywhere here."""

    phone: Treatment | None = None
    email: Treatment | None = None
    id: Treatment | None = None
    iban: Treatment | None = None
    card: Treatment | None = None
    word: Treatment | None = None

    def to_pairs(self) -> tuple[tuple[Kind, Treatment], ...]:
        """The same for the core."""
        chosen = ((Kind(name), getattr(self, name)) for name in type(self).model_fields)
        return tuple((kind, treatment) for kind, treatment in chosen if treatment is not None)


class SpaceSettingsRequest(Request):
    """Settings of a space. What is left out stays as it is; `null` lets the installation's setting hold."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"redaction": {"phone": "flag"}, "regions": ["PL", "DE"], "recovery_days": 90}]}
    )

    recovery_days: Days | None = None
    redaction: Treatments | None = None
    regions: Annotated[tuple[Region, ...], Field(max_length=REGIONS)] | None = None
    redaction_words: Annotated[tuple[Word, ...], Field(max_length=WORDS)] | None = None
    auto_index: Annotated[bool, Strict()] | None = None
    extract: Annotated[bool, Strict()] | None = None
    extraction_topics: Annotated[tuple[Word, ...], Field(max_length=TOPICS)] | None = None
    extraction_instructions: Instructions | None = None

    def to_settings(self) -> SpaceSettings:
        """The same for the core."""
        given = self.model_fields_set
        treatments = self.redaction.to_pairs() if self.redaction else ()
        return SpaceSettings(
            recovery_days=self.recovery_days if "recovery_days" in given else UNSET,
            redaction=treatments if "redaction" in given else UNSET,
            regions=self.regions if "regions" in given else UNSET,
            redaction_words=self.redaction_words or () if "redaction_words" in given else UNSET,
            auto_index=self.auto_index if "auto_index" in given else UNSET,
            extract=self.extract if "extract" in given else UNSET,
            extraction_topics=self.extraction_topics or () if "extraction_topics" in given else UNSET,
            extraction_instructions=self.extraction_instructions if "extraction_instructions" in given else UNSET,
        )


class NewSpaceRequest(SpaceSettingsRequest):
    """A space to be begun, with its settings."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "team-blue", "regions": ["PL", "DE"]}]})

    name: Space


class TreatmentsItem(Answer):
    """What is done with each kind of personal data; null where the installation's setting holds."""

    phone: Treatment | None
    email: Treatment | None
    id: Treatment | None
    iban: Treatment | None
    card: Treatment | None
    word: Treatment | None


class SpaceItem(Answer):
    """A space and its own settings; null where the installation's hold."""

    name: str
    created_at: WrittenInstant | None
    recovery_days: int | None
    redaction: TreatmentsItem
    regions: tuple[str, ...] | None
    redaction_words: tuple[str, ...]
    auto_index: bool | None
    extract: bool | None
    extraction_topics: tuple[str, ...]
    extraction_instructions: str | None

    @classmethod
    def of(cls, space: stored.Space) -> SpaceItem:
        """What is told of a space."""
        return cls.shown(SpaceShown(space.name, space))

    @classmethod
    def shown(cls, shown: SpaceShown) -> SpaceItem:
        """What is told of a space that may not have begun."""
        space = shown.space
        treatments = dict(space.redaction) if space else {}
        return cls(
            name=shown.name,
            created_at=written(space.created_at) if space else None,
            recovery_days=space.recovery_days if space else None,
            redaction=TreatmentsItem(**{name: treatments.get(Kind(name)) for name in TreatmentsItem.model_fields}),
            regions=space.regions if space else None,
            redaction_words=space.redaction_words if space else (),
            auto_index=space.auto_index if space else None,
            extract=space.extract if space else None,
            extraction_topics=space.extraction_topics if space else (),
            extraction_instructions=space.extraction_instructions if space else None,
        )


class SpaceAnswer(Answer):
    """The space as it is now."""

    space: SpaceItem

    @classmethod
    def of(cls, space: stored.Space) -> SpaceAnswer:
        """What is told of a space that was begun or set."""
        return cls(space=SpaceItem.of(space))

    @classmethod
    def made(cls, made: SpaceMade) -> tuple[SpaceAnswer, int]:
        """The answer and its status."""
        return cls.of(made.space), 201 if made.is_new else 200


class SpacesAnswer(Answer):
    """One page of spaces, by name."""

    spaces: tuple[SpaceItem, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: SpacesListed) -> SpacesAnswer:
        """What is told of a page."""
        return cls(spaces=tuple(map(SpaceItem.of, listed.spaces)), next_cursor=listed.next_cursor)
