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

_MANY: Final = 50


@dataclass(slots=True)
class Talk:
    """What a text has named so far, for its pronouns: a person and a thing, where only one can be meant."""

    mentions: list[Mention] = field(default_factory=list)
    firsts: dict[str, int] = field(default_factory=dict)
    topic: int | None = None
    """The first name of the sentence before."""

    def add(self, mention: Mention) -> str:
        """The marker of a mention, which pronouns may refer to from now on."""
        if mention.is_owner:
            return OWNER_MARK
        number = len(self.mentions)
        self.mentions.append(mention)
        self.firsts.setdefault(mention.name, number)
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
        return self._only("p")

    def thing(self) -> str | None:
        """The marker of what the sentence before began with, or else of the only thing so far."""
        if self.topic is not None and self._letter(self.topic) in _THINGS:
            return self.marker(self.topic)
        return self._only(_THINGS)

    def _only(self, letters: str) -> str | None:
        """The marker of the only name of such a type; where many are named, one word can mean none of them."""
        if len(self.firsts) > _MANY:
            return None
        numbers = [number for number in self.firsts.values() if self._letter(number) in letters]
        return self.marker(numbers[0]) if len(numbers) == 1 else None

    def _letter(self, number: int) -> str:
        return LETTERS.get(self.mentions[number].type, "x")
