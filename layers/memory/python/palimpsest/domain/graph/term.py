"""A term of a space's vocabulary as it stands, and what people do to it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from palimpsest.domain.errors import WrongState
from palimpsest.domain.graph.links import IS, MENTION
from palimpsest.domain.ids import KeyId
from palimpsest.domain.naming.vocabulary import Tier

LONGEST: Final = 30
"""Characters of a term's name."""

RESERVED: Final = frozenset(
    {MENTION, IS, "contains", "derived_from", "replaces", "distinct", "disputed", "unknown", "none", "other"}
)
"""What edges of the graph are called already, and what says nothing."""

_MOST_DIGITS: Final = 4
"""In a name: more are the number of something or somebody."""

UNDESCRIBED: Final = "What its name says."
"""The rule of a proposal that was approved without one."""


class TermKind(StrEnum):
    """What a term names."""

    ENTITY_TYPE = "entity_type"
    PREDICATE = "predicate"


class TermStatus(StrEnum):
    """How it stands."""

    ACTIVE = "active"
    """Texts are read with it; of a proposal: it waits for an answer."""
    DISABLED = "disabled"
    """No text is read with it; what it names stays."""
    DISMISSED = "dismissed"
    """Nobody proposes it again."""
    DELETED = "deleted"
    """It is shown nowhere; only its history is kept."""


class TermChange(StrEnum):
    """What somebody did to it."""

    ADDED = "added"
    DESCRIBED = "described"
    DISABLED = "disabled"
    ENABLED = "enabled"
    DELETED = "deleted"
    APPROVED = "approved"
    DISMISSED = "dismissed"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class VocabularyTerm:
    """A term as it stands.

    Attributes:
        name: Empty of a proposal that nobody has answered: its sources alone hold it, so it is erased with them.
        revision: How many times it was written; 0 of a system term that nobody has changed.
    """

    kind: TermKind
    name: str
    description: str
    tier: Tier
    status: TermStatus = TermStatus.ACTIVE
    revision: int = 0

    @property
    def is_proposal(self) -> bool:
        """It waits for an answer, or was dismissed."""
        return self.tier is Tier.PROPOSED and self.status is not TermStatus.DELETED

    @property
    def is_read_with(self) -> bool:
        """Texts are read with it."""
        return self.tier is not Tier.PROPOSED and self.status is TermStatus.ACTIVE

    @property
    def is_blocked(self) -> bool:
        """Nothing of this name is proposed."""
        return self.status in (TermStatus.DISABLED, TermStatus.DISMISSED)

    def added(self, description: str) -> VocabularyTerm:
        """Said by a person to be a term; WrongState when it is one already."""
        if self.tier is not Tier.PROPOSED and self.status is not TermStatus.DELETED:
            raise WrongState(self.status, f"the vocabulary has this term already; it is {self.status}")
        return self._moved(description=description, tier=Tier.USER, status=TermStatus.ACTIVE)

    def described(self, description: str) -> VocabularyTerm:
        """With another rule; WrongState of a system term and of a proposal."""
        if self.tier is not Tier.USER:
            raise WrongState(self.tier, f"this term is of the tier {self.tier}; only terms of your own are described")
        return self._moved(description=description)

    def disabled(self) -> VocabularyTerm:
        return self._switched(TermStatus.ACTIVE, TermStatus.DISABLED)

    def enabled(self) -> VocabularyTerm:
        return self._switched(TermStatus.DISABLED, TermStatus.ACTIVE)

    def approved(self, description: str) -> VocabularyTerm:
        """Of one's own from now on; WrongState unless it is a proposal that waits."""
        self._require_proposal(TermStatus.ACTIVE)
        return self._moved(description=description, tier=Tier.USER)

    def dismissed(self) -> VocabularyTerm:
        self._require_proposal(TermStatus.ACTIVE)
        return self._moved(status=TermStatus.DISMISSED)

    def reopened(self) -> VocabularyTerm:
        self._require_proposal(TermStatus.DISMISSED)
        return self._moved(status=TermStatus.ACTIVE)

    def deleted(self) -> VocabularyTerm:
        """Gone; WrongState unless it is a disabled term of the space's own."""
        if self.tier is not Tier.USER:
            raise WrongState(self.tier, f"a term of the tier {self.tier} can't be deleted; disable or dismiss it")
        if self.status is not TermStatus.DISABLED:
            raise WrongState(self.status, "disable this term first; only disabled ones are deleted")
        return self._moved(status=TermStatus.DELETED)

    def _switched(self, before: TermStatus, after: TermStatus) -> VocabularyTerm:
        if self.is_proposal:
            raise WrongState(self.status, "this is a proposal; approve or dismiss it")
        if self.status is not before:
            raise WrongState(self.status, f"this term is {self.status}, not {before}")
        return self._moved(status=after)

    def _require_proposal(self, status: TermStatus) -> None:
        if not self.is_proposal:
            raise WrongState(self.status, f"this is no proposal; it is a term of the tier {self.tier}")
        if self.status is not status:
            raise WrongState(self.status, f"this proposal is {self.status}")

    def _moved(self, **changes: object) -> VocabularyTerm:
        return replace(self, revision=self.revision + 1, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class TermEvent:
    """One line of a term's history: who did what, and how it stood before. `revision`: of the term after it."""

    revision: int
    at: datetime
    by: KeyId
    what: TermChange
    before: VocabularyTerm


def term_name(text: str) -> str | None:
    """`text` as the name of a term: snake_case of at most 30 characters; None when it can't be one."""
    folded = unicodedata.normalize("NFKC", text[: LONGEST * 4].casefold())
    name = "_".join("".join(each if each.isalnum() else " " for each in folded).split())
    is_short = len(text) <= LONGEST * 4 and 1 < len(name) <= LONGEST
    is_word = is_short and name[0].isalpha() and sum(map(str.isdigit, name)) <= _MOST_DIGITS
    return name if is_word and name not in RESERVED else None
