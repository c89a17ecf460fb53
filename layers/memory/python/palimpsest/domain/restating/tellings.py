"""A text, and how it is read in each language once somebody asks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from palimpsest.domain.analysis import fold
from palimpsest.domain.language import Language
from palimpsest.domain.restating.items import Reading
from palimpsest.domain.restating.reading import language_of, read
from palimpsest.domain.text import same_text_form

_LONGEST = 4_000
"""Characters; a longer text is a document, and its order more than a rule can judge."""


_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_LETTERS: Final = 3
_LIKE: Final = 0.35
"""Of the pairs of `tests/corpora/judge` that the rules know as the same the least alike share .4, of those that they
know as likely contradictions .5. It only saves time: most neighbours of a text are told apart by this alone."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A text that is compared with several others and read only once."""

    text: str
    _beginnings: list[frozenset[str]] = field(default_factory=list, init=False, compare=False)
    _form: list[str] = field(default_factory=list, init=False, compare=False)
    _language: list[Language | None] = field(default_factory=list, init=False, compare=False)
    _readings: dict[Language, Reading] = field(default_factory=dict, init=False, compare=False)

    @property
    def is_long(self) -> bool:
        """Too long to be compared."""
        return len(self.text) > _LONGEST

    def is_like(self, other: Telling) -> bool:
        """Enough words begin alike for the two to be worth a comparison."""
        mine, theirs = self.beginnings, other.beginnings
        return len(mine & theirs) >= _LIKE * max(len(mine), len(theirs))

    @property
    def beginnings(self) -> frozenset[str]:
        """The first letters of its words."""
        if not self._beginnings:
            words = _WORD.findall(fold(self.text.casefold()))
            self._beginnings.append(frozenset(word[:_LETTERS] for word in words))
        return self._beginnings[0]

    @property
    def form(self) -> str:
        """The text as it counts as the same."""
        if not self._form:
            self._form.append(same_text_form(self.text))
        return self._form[0]

    @property
    def language(self) -> Language | None:
        """What it is in, where small words or letters tell."""
        if not self._language:
            self._language.append(language_of(self.text))
        return self._language[0]

    def read(self, language: Language) -> Reading:
        """As it is read in that language."""
        if language not in self._readings:
            self._readings[language] = read(self.text, language)
        return self._readings[language]


def common_language(one: Telling, other: Telling) -> Language | None:
    """The one that both are in; None when they are in two."""
    found = {one.language, other.language} - {None}
    if len(found) > 1:
        return None
    return next(iter(found), None) or Language.ENGLISH
