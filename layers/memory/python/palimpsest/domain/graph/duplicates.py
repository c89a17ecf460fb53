"""Which entities may be one, by their names alone: memloom's rules, with diminutives and Polish inflection beside."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations
from operator import or_
from typing import Final

from palimpsest.domain.graph.diminutives import FULL_NAMES
from palimpsest.domain.graph.entity import Entity
from palimpsest.domain.ids import EntityId
from palimpsest.domain.naming.inflecting import bases
from palimpsest.domain.naming.names import name_key

SURE: Final = 1.0
"""Only what has this score is merged without anybody's word."""

_SHORTEST: Final = 3
_LONG: Final = 8
_SHORT: Final = 5
"""Letters from which a name may differ in two, and in one."""
_BEGINNINGS: Final = (3, 6)
"""Letters at the beginning that names share: the more of them, the fewer names do."""
_LONGEST_BLOCK: Final = 200
"""Names that share so little that more of them do say nothing."""

_BITS: Final = 64
"""Of a name's letters; two letters that fall on one bit only let more pairs be looked at."""

_DIGITS = re.compile(r"\d+")
_ENDING = re.compile(r"\.[a-z0-9]{1,4}")
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Named:
    """An entity as far as its names say what it is; what follows from them is worked out once."""

    id: EntityId
    name: str
    type: str

    @classmethod
    def of(cls, entity: Entity) -> Named:
        return cls(entity.id, entity.name, entity.type)

    @cached_property
    def key(self) -> str:
        return name_key(self.name)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(part for part in _NOT_WORD.split(self.key) if part)

    @cached_property
    def full_words(self) -> tuple[str, ...]:
        """Its words, with first names in their full form."""
        return tuple(FULL_NAMES.get(word, word) for word in self.words)

    @cached_property
    def merge_key(self) -> str:
        """Its letters and digits alone."""
        return "".join(self.words)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_DIGITS.findall(self.key))

    @cached_property
    def letters(self) -> int:
        """A bit for each letter that it has: names that differ in n letters differ in at most 2n of them."""
        return reduce(or_, (1 << ord(letter) % _BITS for letter in self.merge_key), 0)

    @property
    def marks(self) -> set[str]:
        """What it shares with names that may be one with it: all letters, how they begin, all words, one word."""
        begins = (f"^{self.merge_key[:letters]}" for letters in _BEGINNINGS)
        return {f"={self.merge_key}", *begins, " ".join(self.full_words), *self.words, *self.full_words}


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two entities that may be one, why, and how sure that is, 0 to 1."""

    one: Named
    other: Named
    score: float
    reason: str

    @property
    def is_sure(self) -> bool:
        return self.score >= SURE


def likenesses(entities: Sequence[Named]) -> list[Likeness]:
    """The pairs that may be one, the surest first; only those are compared that share a mark and their numbers."""
    found = {}
    for one, other in _pairs(entities):
        alike = likeness(one, other)
        if alike is not None:
            found[one.id, other.id] = alike
    return sorted(found.values(), key=lambda each: (-each.score, each.one.id, each.other.id))


def likeness(one: Named, other: Named) -> Likeness | None:
    """How alike two entities are called; None where one can't be the other: another version, number or file."""
    if _differ_in_digits(one, other) or _is_file_of(one, other) or _is_file_of(other, one):
        return None
    for rule in _RULES:
        found = rule(one, other)
        if found is not None:
            score, reason = found
            return Likeness(one, other, score, reason)
    return None


def _differ_in_digits(one: Named, other: Named) -> bool:
    """Versions, dates and numbers never fold: also a name with one into the name without."""
    return one.numbers != other.numbers


def _is_file_of(one: Named, other: Named) -> bool:
    """`one` is `other` with an ending: report and report.pdf, acme and acme.com."""
    return one.key.startswith(other.key) and _ENDING.fullmatch(one.key[len(other.key) :]) is not None


def _same_letters(one: Named, other: Named) -> tuple[float, str] | None:
    if one.merge_key != other.merge_key or not one.merge_key:
        return None
    if len(one.merge_key) < _SHORTEST:
        return 0.6, "same_letters"
    is_as_sure = one.key[0].isalnum() == other.key[0].isalnum() and one.type == other.type
    return (SURE, "same_letters") if is_as_sure else (0.7, "same_letters")


def _same_person(one: Named, other: Named) -> tuple[float, str] | None:
    """Katarzyna Nowak and Kasia Nowak."""
    if not (one.type == other.type == "person") or len(one.words) != len(other.words):
        return None
    return (0.8, "diminutive") if one.full_words == other.full_words else None


def _inflected(one: Named, other: Named) -> tuple[float, str] | None:
    """Marek Lis and Marka Lisa."""
    if len(one.words) != len(other.words) or one.type != other.type:
        return None
    for base, form in ((one, other), (other, one)):
        if all(word == said or word in bases(said) for word, said in zip(base.words, form.words, strict=True)):
            return 0.8, "inflected"
    return None


def _contained(one: Named, other: Named) -> tuple[float, str] | None:
    """One is a part of the other: Ola and Ola Nowak, Kraków and Kraków Main Station."""
    short, long = sorted((one.words, other.words), key=len)
    fewest = 1 if one.type == other.type == "person" else 2
    is_part = any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))
    is_near = fewest <= len(short) < len(long) <= len(short) + 2
    return (0.75, "contained") if is_part and is_near else None


def _misspelt(one: Named, other: Named) -> tuple[float, str] | None:
    short = min(len(one.merge_key), len(other.merge_key))
    most = 2 if short >= _LONG else 1 if short >= _SHORT else 0
    if (one.letters ^ other.letters).bit_count() > 2 * most:
        return None
    edits = edit_distance(one.merge_key, other.merge_key, most)
    return None if edits is None or not most else (0.6 + 0.15 * (1 - edits / short), "misspelt")


_RULES: Final[tuple[Callable[[Named, Named], tuple[float, str] | None], ...]] = (
    _same_letters,
    _same_person,
    _inflected,
    _contained,
    _misspelt,
)


def edit_distance(one: str, other: str, most: int) -> int | None:
    """Letters put in, left out or changed, from one to the other (Levenshtein); None when there are more than that."""
    if abs(len(one) - len(other)) > most:
        return None
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        before, row[0] = row[0], at
        for to, wanted in enumerate(other, start=1):
            before, row[to] = row[to], min(row[to] + 1, row[to - 1] + 1, before + (letter != wanted))
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _pairs(entities: Iterable[Named]) -> Iterator[tuple[Named, Named]]:
    blocks: dict[tuple[str, frozenset[str]], list[Named]] = defaultdict(list)
    for each in entities:
        for mark in each.marks:
            blocks[mark, each.numbers].append(each)
    for block in blocks.values():
        if len(block) <= _LONGEST_BLOCK:
            yield from (sorted_pair(*pair) for pair in combinations(block, 2))


def sorted_pair(one: Named, other: Named) -> tuple[Named, Named]:
    """The two in the order of their ids."""
    return (one, other) if one.id <= other.id else (other, one)
