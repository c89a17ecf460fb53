"""What a space knows before it reads a text, by the words that its names begin with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from palimpsest.domain.naming.inflecting import bases
from palimpsest.domain.naming.names import tidy
from palimpsest.domain.naming.tokens import Token, sentences

UNKNOWN: Final = ""
"""The type of a name whose type nobody knows yet."""


@dataclass(frozen=True, slots=True)
class KnownName:
    """An entity of the space and what else it is called."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A name as it is filed, by the words that it is written with."""

    name: str
    type: str
    words: tuple[str, ...]
    capitals: tuple[bool, ...]
    """Which words begin with a capital: they are not found where a text has a small letter."""


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Names by their first words. Building it costs more than reading a text, so it is made once for many."""

    entries: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)
    beginnings: frozenset[str] = frozenset()
    has_cases: bool = True

    @classmethod
    def of(cls, names: Iterable[KnownName], *, has_cases: bool = True) -> NameIndex:
        """An index of all names and aliases; the first of two that are spelled alike counts.

        Args:
            names: In any order but that.
            has_cases: They are inflected in Polish.
        """
        found: dict[str, dict[tuple[str, ...], Entry]] = {}
        for entry in _entries(names):
            found.setdefault(entry.words[0], {}).setdefault(entry.words, entry)
        longest = {word: tuple(sorted(each.values(), key=_shortness)) for word, each in found.items()}
        return cls(longest, frozenset(each for word in longest for each in _beginnings(word)), has_cases)

    def adding(self, names: Iterable[KnownName]) -> NameIndex:
        """The index with a few names more; what is spelled as a name that is there is left out."""
        entries = dict(self.entries)
        for entry in _entries(names):
            present = entries.get(entry.words[0], ())
            if all(each.words != entry.words for each in present):
                entries[entry.words[0]] = tuple(sorted((*present, entry), key=_shortness))
        new = entries.keys() - self.entries.keys()
        beginnings = self.beginnings.union(*map(_beginnings, new))
        return NameIndex(entries, beginnings, self.has_cases)

    def at(self, tokens: Sequence[Token], place: int, *, is_inflected: bool) -> tuple[Entry, int] | None:
        """The longest name that begins at a token, and how many tokens it takes."""
        if not self.entries:
            return None
        first, is_inflected = tokens[place], is_inflected and self.has_cases
        for word in self._forms(first.lower, is_inflected=is_inflected):
            for entry in self.entries.get(word, ()):
                if _goes_on(entry, tokens, place, is_inflected=is_inflected):
                    return entry, len(entry.words)
        return None

    def _forms(self, word: str, *, is_inflected: bool) -> Sequence[str]:
        if not is_inflected or word[:2] not in self.beginnings:
            return (word,)
        return bases(word)


def _entries(names: Iterable[KnownName]) -> Iterator[Entry]:
    for known in names:
        for spelling in (known.name, *known.aliases):
            tokens = [token for sentence in sentences(tidy(spelling)) for token in sentence]
            words = tuple(token.lower.removeprefix("@") for token in tokens)
            if words:
                yield Entry(known.name, known.type, words, tuple(token.text[0].isupper() for token in tokens))


def _shortness(entry: Entry) -> int:
    """Longer names come first."""
    return -len(entry.words)


def _beginnings(word: str) -> frozenset[str]:
    """The first two letters of a word in all its forms: Łódź, Łodzi."""
    first = word[:2]
    return frozenset({first, first.replace("ó", "o"), first.replace("o", "ó"), first.replace("ą", "ę")})


def _goes_on(entry: Entry, tokens: Sequence[Token], place: int, *, is_inflected: bool) -> bool:
    """Whether all words of a name stand there, those with a capital that have one in the name."""
    there = tokens[place : place + len(entry.words)]
    if len(there) < len(entry.words):
        return False
    if any(is_capital and token.text[0].islower() for token, is_capital in zip(there, entry.capitals, strict=True)):
        return False
    rest = zip(there[1:], entry.words[1:], strict=True)
    return all(token.lower == word or (is_inflected and word in bases(token.lower)) for token, word in rest)


@dataclass(frozen=True, slots=True)
class Known:
    """What a space knows: its entities, capitalised phrases of other sources, and what its owner is called."""

    names: NameIndex = NameIndex()
    seen: NameIndex = NameIndex()
    owner: NameIndex = NameIndex()

    @classmethod
    def of(cls, names: Iterable[KnownName] = (), seen: Iterable[str] = (), owner: Iterable[str] = ()) -> Known:
        """From entities, from what `phrases` found in other sources, and from names of the owner."""
        return cls(
            NameIndex.of(names),
            NameIndex.of(KnownName(phrase, UNKNOWN) for phrase in seen),
            NameIndex.of(KnownName(name, "person") for name in owner),
        )
