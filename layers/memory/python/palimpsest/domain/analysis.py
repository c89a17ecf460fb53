"""Texts to the terms that they are found by: one analysis for what is stored and for what is asked, on every backend.

A word becomes its stem in each likely language, with diacritics folded *after* stemming because the stemmers need
them, and beside it the folded word itself, so that text is found that was typed without diacritics, guessed to be in
the wrong language, or written in one that nobody stems. Names such as ``ERR-4411``, ``main.py`` or
``anna@example.com`` are found whole and by their parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from palimpsest.domain import stop_words
from palimpsest.domain.language import Language, Linguist

ANALYSIS_VERSION: Final = 1
"""Part of an index's schema: terms of two versions are never compared."""

_LONGEST = 64
"""Characters of a term that count; what is longer is a key or encoded data, not a word."""

_FEW = 4
"""With fewer words than this a guess of the language is too weak to go by alone, so all are stemmed for."""

_RUN = re.compile(r"\w+(?:[-.@:+#]\w+)*(?:\+\+|#)?")
"""A word, or several joined as in a name: ``err-4411``, ``a.b@c.d``, ``c++``."""

_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[\d@.+#_]")
"""What a name has in it, and words joined by a hyphen or a colon have not."""

_DIACRITICS = re.compile("[\u0300-\u036f]+")
_LETTERS = str.maketrans({"ł": "l", "đ": "d", "ð": "d", "ø": "o", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters whose strokes Unicode does not count as diacritics."""

_STOP_WORDS: Final[Mapping[Language, frozenset[str]]] = {
    Language.ENGLISH: stop_words.ENGLISH,
    Language.POLISH: stop_words.POLISH,
}


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a stored text is found by.

    Attributes:
        terms: All forms of its words with repetition, in order; of a stop word only the first occurrence, so that a
            query of stop words alone finds something.
        length: How many words it has that are no stop words, for BM25.
    """

    terms: tuple[str, ...]
    length: int


class _Token(NamedTuple):
    text: str
    is_name: bool


def analyse(text: str, linguist: Linguist) -> Analysis:
    """The terms of a text that is stored."""
    reading = _Reading.of(text, linguist)
    terms: list[str] = []
    seen: set[str] = set()
    for token in reading.tokens:
        if token.text not in seen or not reading.is_stop_word(token):
            terms += reading.forms(token)
        seen.add(token.text)
    length = sum(not (token.is_name or reading.is_stop_word(token)) for token in reading.tokens)
    return Analysis(tuple(terms), length)


def query_words(text: str, linguist: Linguist) -> tuple[tuple[str, ...], ...]:
    """For each distinct word of a query the terms that it may have in a text, likeliest first: alternatives.

    Stop words are left out unless there is nothing else.
    """
    reading = _Reading.of(text, linguist)
    tokens = [token for token in reading.tokens if not reading.is_stop_word(token)] or reading.tokens
    return tuple(dict.fromkeys(reading.forms(token) for token in tokens))


def analyse_query(text: str, linguist: Linguist) -> tuple[str, ...]:
    """The distinct terms of a query: those of `query_words`, in order."""
    return tuple(dict.fromkeys(term for forms in query_words(text, linguist) for term in forms))


def fold(word: str) -> str:
    """`word`, casefolded, without the diacritics of Latin, Greek and Cyrillic letters."""
    if word.isascii():
        return word
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One text's tokens, the stop words of its languages, and the stems of the other words, by language."""

    tokens: Sequence[_Token]
    stop_words: frozenset[str]
    stems: Sequence[Mapping[str, str]]

    @classmethod
    def of(cls, text: str, linguist: Linguist) -> _Reading:
        tokens = list(_tokens(text))
        likely = linguist.languages(text)
        stopped = frozenset[str]().union(*(_STOP_WORDS[language] for language in likely))
        stopped |= {fold(word) for word in stopped}
        words = list(dict.fromkeys(token.text for token in tokens if not token.is_name and token.text not in stopped))
        is_short = sum(not token.is_name for token in tokens) < _FEW
        languages = tuple(Language) if is_short else likely
        stems = [dict(zip(words, linguist.stems(words, language), strict=True)) for language in languages]
        return cls(tokens, stopped, stems)

    def is_stop_word(self, token: _Token) -> bool:
        return not token.is_name and token.text in self.stop_words

    def forms(self, token: _Token) -> tuple[str, ...]:
        """The distinct terms of one token."""
        stems = [stems[token.text] for stems in self.stems if token.text in stems and not token.is_name]
        return tuple(dict.fromkeys(fold(form)[:_LONGEST] for form in (*stems, token.text)))


def _tokens(text: str) -> Iterator[_Token]:
    """The words of a text, casefolded, and before its parts each name that is made of several."""
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    for run in _RUN.findall(text):
        words = _WORD.findall(run)
        if words != [run] and words and _NAME.search(run):
            yield _Token(run, is_name=True)
        for word in words:
            yield _Token(word, is_name=False)
