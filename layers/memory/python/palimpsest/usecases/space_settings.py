"""What callers want to be set of a space, and what they are told."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, fields, replace

from palimpsest.domain import text
from palimpsest.domain.errors import Invalid, TooLong
from palimpsest.domain.scrub.kinds import CHOOSABLE, Kind, Treatment
from palimpsest.stores.spaces import Space
from palimpsest.usecases.drafts import UNSET, Unset

RECOVERY_DAYS = 3_650
REGIONS = 50
WORDS = 200
TOPICS = 50
INSTRUCTIONS = 2_000
"""Characters."""

_REGION = re.compile(r"[A-Z]{2}")


@dataclass(frozen=True, slots=True)
class SpaceSettings:
    """Settings of a space: UNSET leaves one as it is, None (or nothing) lets the installation's hold.

    Attributes:
        redaction: The treatments of the kinds for which the space has its own.
        regions: None is the installation's, an empty tuple none at all.
        redaction_words: What is taken out besides the installation's words.
        auto_index: What is saved is read for entities by itself.
        extract: Whether facts are learned from conversations that do not say.
    """

    recovery_days: int | Unset | None = UNSET
    redaction: tuple[tuple[Kind, Treatment], ...] | Unset = UNSET
    regions: tuple[str, ...] | Unset | None = UNSET
    redaction_words: tuple[str, ...] | Unset = UNSET
    auto_index: bool | Unset | None = UNSET
    extract: bool | Unset | None = UNSET
    extraction_topics: tuple[str, ...] | Unset = UNSET
    extraction_instructions: str | Unset | None = UNSET

    @property
    def given(self) -> Collection[str]:
        """The names of those that are set."""
        return [each.name for each in fields(self) if not isinstance(getattr(self, each.name), Unset)]

    def over(self, space: Space) -> Space:
        """The space with these settings. Invalid for one that means nothing."""
        self._check()
        return replace(space, **{name: getattr(self, name) for name in self.given})

    def _check(self) -> None:
        days, redaction = self.recovery_days, self.redaction
        if isinstance(days, int) and not 0 <= days <= RECOVERY_DAYS:
            raise Invalid("recovery_days", f"recovery_days lies between 0 and {RECOVERY_DAYS:,}")
        if not isinstance(redaction, Unset) and any(kind not in CHOOSABLE for kind, _ in redaction):
            raise Invalid("redaction", "redaction takes no treatment of secrets; they are always redacted")
        if isinstance(self.regions, tuple):
            _check_regions(self.regions)
        if isinstance(self.redaction_words, tuple):
            _check_words(self.redaction_words)
        if isinstance(self.extraction_topics, tuple):
            _check_topics(self.extraction_topics)
        if isinstance(self.extraction_instructions, str):
            field = "extraction_instructions"
            text.accept(self.extraction_instructions, field, limit_characters=INSTRUCTIONS)


def _check_regions(regions: tuple[str, ...]) -> None:
    if len(regions) > REGIONS:
        raise TooLong("regions", limit=REGIONS, unit="regions")
    if not all(_REGION.fullmatch(region) for region in regions):
        raise Invalid("regions", "a region is a country in two capital letters, such as PL")


def _check_words(words: tuple[str, ...]) -> None:
    if len(words) > WORDS:
        raise TooLong("redaction_words", limit=WORDS, unit="words")
    for word in words:
        text.accept(word, "redaction_words", limit_characters=text.TAG_CHARACTERS)


def _check_topics(topics: tuple[str, ...]) -> None:
    if len(topics) > TOPICS:
        raise TooLong("extraction_topics", limit=TOPICS, unit="topics")
    for topic in topics:
        text.accept(topic, "extraction_topics", limit_characters=text.TAG_CHARACTERS)


@dataclass(frozen=True, slots=True)
class SpaceShown:
    """A space as it is told. `space` is None for one that has not begun."""

    name: str
    space: Space | None


@dataclass(frozen=True, slots=True)
class SpaceMade:
    """What became of a request for a space; not `is_new`: it was there."""

    space: Space
    is_new: bool


@dataclass(frozen=True, slots=True)
class SpacesListed:
    """One page of spaces, by name."""

    spaces: tuple[Space, ...]
    next_cursor: str | None
