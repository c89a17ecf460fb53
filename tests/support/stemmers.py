"""A small linguist with the real stemmers: Polish when a text has a Polish letter or word, else English."""

from __future__ import annotations

from collections.abc import Sequence

import Stemmer

from palimpsest.domain.language import Language

_POLISH = frozenset("ąćęłńóśźż")
_POLISH_WORDS = {"co", "gdzie", "i", "jak", "jest", "kiedy", "kto", "na", "nie", "się", "w", "z"}


class SmallLinguist:
    """Guesses by letters and a few words; stems like the real one."""

    def languages(self, text: str) -> tuple[Language, ...]:
        words = text.casefold().split()
        if not words:
            return ()
        if _POLISH & set(text.casefold()) or _POLISH_WORDS & set(words):
            return (Language.POLISH,)
        return (Language.ENGLISH,) if len(words) > 2 else tuple(Language)

    def stems(self, words: Sequence[str], language: Language) -> list[str]:
        algorithm = {Language.ENGLISH: "english", Language.POLISH: "polish"}[language]
        stems: list[str] = Stemmer.Stemmer(algorithm).stemWords(list(words))
        return stems
