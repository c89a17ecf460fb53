"""What a text has named so far, and how names are marked in a coded sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from palimpsest.domain.naming.mentions import Mention

LETTERS: Final[Mapping[str, str]] = {
    "person": "p", "organization": "o", "project": "j", "tool": "t", "technology": "k", "place": "l", "event": "e",
    "agent": "g", "animal": "a", "concept": "c", "": "u",
}  # fmt: skip
OWNER_MARK: Final = "«y»"
_THINGS: Final = "ojtkgce"


@dataclass(slots=True)
class Talk:
    """What a text has named so far, for its pronouns: a person and a thing, where only one can be meant."""

    mentions: list[Mention] = field(default_factory=list)
    topic: int | None = None
    """The first name of the sentence before."""

    def add(self, mention: Mention) -> str:
        """The marker of a mention, which pronouns may refer to from now on."""
        if mention.is_owner:
            return OWNER_MARK
        number = len(self.mentions)
        self.mentions.append(mention)
        return self.marker(number)

    def marker(self, number: int) -> str:
        """A marker by the type that the mention has now."""
        mention = self.mentions[number]
        letter = "i" if mention.is_weak and not mention.type else LETTERS.get(mention.type, "x")
        return f"«{letter}{number}»"

    def is_topic(self, marker: str | None) -> bool:
        """The sentence before began with it."""
        return self.topic is not None and marker == self.marker(self.topic)

    def person(self) -> str | None:
        """The marker of the only person so far."""
        numbers = self._named("p")
        return self.marker(numbers[0]) if len(numbers) == 1 else None

    def thing(self) -> str | None:
        """The marker of the only thing so far, or of the one that the sentence before began with."""
        numbers = self._named(_THINGS)
        if self.topic in numbers:
            return self.marker(self.topic)
        return self.marker(numbers[0]) if len(numbers) == 1 else None

    def _named(self, letters: str) -> list[int]:
        """The first mention of each name of such a type."""
        first: dict[str, int] = {}
        for number, mention in enumerate(self.mentions):
            if LETTERS.get(mention.type, "x") in letters:
                first.setdefault(mention.name, number)
        return list(first.values())
