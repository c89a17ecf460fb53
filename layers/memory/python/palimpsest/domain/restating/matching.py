"""Which item of one text says what which item of the other says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from palimpsest.domain.analysis import fold
from palimpsest.domain.language import Language
from palimpsest.domain.restating.items import Item, Kind, Reading, Tense
from palimpsest.domain.restating.wordforms import (
    INSTRUMENTAL,
    Form,
    english_bases,
    is_first_person,
    polish_cases,
    polish_stems,
)

_SAME_ROLES: Final = (frozenset({"", "of"}), frozenset({"with", "of"}))
"""``32 GB RAM``, ``32 GB of RAM``."""
_FUTURE: Final = frozenset({Tense.PRESENT, Tense.FUTURE})


@dataclass(frozen=True, slots=True)
class Matched:
    """Places of items that say the same, by their place in one text and in the other, and what is left of each."""

    pairs: dict[int, int]
    left: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def is_whole(self) -> bool:
        """Nothing is left on either side."""
        return not self.left and not self.right


@dataclass(frozen=True, slots=True)
class Likeness:
    """Compares items of two texts.

    Attributes:
        is_loose: Whatever small words say of them.
        may_be_folded: One of the two may have been typed without diacritics.
        has_time: It is told when.
    """

    one: Reading
    other: Reading
    is_loose: bool
    may_be_folded: bool
    has_time: bool

    @classmethod
    def of(cls, one: Reading, other: Reading, *, is_loose: bool = False) -> Likeness:
        """Of two texts read in one language."""
        may_be_folded = one.is_folded != other.is_folded or one.language is Language.ENGLISH
        return cls(one, other, is_loose, may_be_folded, one.has_time and other.has_time)

    def matched(self) -> Matched:
        """Each item with one of the other text: equal ones first, then other forms of a word."""
        mine, theirs = self.one.items, self.other.items
        pairs: dict[int, int] = {}
        free = dict.fromkeys(range(len(theirs)))
        keyed: dict[str, list[int]] = {}
        for place, item in enumerate(theirs):
            keyed.setdefault(item.key, []).append(place)
        for rule, among in ((self._are_equal, keyed), (self._are_forms, None)):
            for place, item in enumerate(mine):
                if place not in pairs:
                    places = free if among is None else among.get(item.key, ())
                    found = next((there for there in places if there in free and rule(item, theirs[there])), None)
                    if found is not None:
                        pairs[place] = found
                        del free[found]
        return Matched(pairs, tuple(place for place in range(len(mine)) if place not in pairs), tuple(free))

    def _are_equal(self, one: Item, other: Item) -> bool:
        return one.key == other.key and one.kind == other.kind and self._are_said_alike(one, other)

    def _are_forms(self, one: Item, other: Item) -> bool:
        return self._is_same_word(one, other) and self._are_said_alike(one, other)

    def _is_same_word(self, one: Item, other: Item) -> bool:
        """Another form of the word: of a name none, of what may be one (the first of its sentence) none either."""
        if not {one.kind, other.kind} <= {Kind.WORD, Kind.NAME, Kind.ADVERB}:
            return False
        if one.key == other.key or self._is_folded(one, other):
            return True
        if self.one.language is Language.POLISH:
            are_cases = self.is_loose and bool(polish_cases(one.text) & polish_cases(other.text))
            return are_cases or _are_polish_forms(one, other)
        is_name = Kind.NAME in (one.kind, other.kind) or (one.is_capital and other.is_capital)
        return not is_name and _are_english_forms(one, other, has_time=self.has_time)

    def _is_folded(self, one: Item, other: Item) -> bool:
        return self.may_be_folded and fold(one.key) == fold(other.key)

    def _are_said_alike(self, one: Item, other: Item) -> bool:
        if self.is_loose:
            return True
        roles = frozenset({one.role, other.role})
        is_role_same = len(roles) == 1 or roles in _SAME_ROLES
        are_nobodys = _is_nobodys(one) and _is_nobodys(other)
        are_mods_same = one.mods == other.mods or (are_nobodys and set(one.mods) ^ set(other.mods) == {"się"})
        is_voice_same = one.is_passive == other.is_passive or are_nobodys
        return is_role_same and are_mods_same and is_voice_same and self._is_then(one, other)

    def _is_then(self, one: Item, other: Item) -> bool:
        """At the same time; what is to come may be told in the present where a date or time stands."""
        tenses = {one.tense, other.tense}
        if len(tenses) == 1 or (self._is_folded(one, other) and one.key != other.key):
            return True
        return tenses == _FUTURE and self.has_time


def _are_english_forms(one: Item, other: Item, *, has_time: bool) -> bool:
    """Forms of one word that say the same here; ``is coming`` is ``comes`` only where it is told when."""
    shared = (english_bases(one.text) & english_bases(other.text)) | (english_bases(one.key) & english_bases(other.key))
    if not any(len(base) >= 3 or base in ("do", "go", "be") for base in shared):
        return False
    forms = {one.form, other.form}
    if forms == {Form.PLAIN, Form.PLURAL}:
        return one.may_agree or other.may_agree
    return has_time or Form.ING not in forms or len(forms) == 1


def _are_polish_forms(one: Item, other: Item) -> bool:
    """Verbs where both name nobody, or one was made active; other words where their case follows from the sentence."""
    if one.case or other.case:
        is_one, is_other = one.text.endswith(INSTRUMENTAL), other.text.endswith(INSTRUMENTAL)
        may_differ = "any" in (one.case, other.case) or is_one != is_other
        return may_differ and bool(polish_cases(one.text) & polish_cases(other.text))
    if Kind.NAME in (one.kind, other.kind) or not polish_stems(one.text) & polish_stems(other.text):
        return False
    if one.is_turned or other.is_turned:
        return not is_first_person(one.text) and not is_first_person(other.text)
    return _is_nobodys(one) and _is_nobodys(other) and not (one.is_passive and other.is_passive)


def _is_nobodys(item: Item) -> bool:
    """A Polish verb that does not say who: ``jest robione``, ``robi się``, and ``robimy`` of people in general."""
    is_general = item.text.endswith("my") or "się" in item.mods
    return (item.is_passive or item.form == Form.IMPERSONAL or is_general) and not item.is_turned
