"""Lines of plain text that are headings by how they read."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_CAPITALS_LEVEL: Final = 1
_CHAPTER_LEVEL: Final = 2
_ROMAN_LEVEL: Final = 3
_ARTICLE_LEVEL: Final = 4
"""Of decimals each further number is one level lower."""

_ROMAN: Final = r"[IVXLCDM]+"
_CHAPTER: Final = re.compile(
    r"(?:chapter|part|book|appendix|annex|rozdział|dział|część|tytuł|księga|załącznik(?:\s+nr)?)"
    rf"\s+(?:\d+|{_ROMAN}|[A-Z])\b[.:]?",
    re.IGNORECASE,
)
_ROMAN_POINT: Final = re.compile(rf"{_ROMAN}[.)](?=\s)")
_ARTICLE: Final = re.compile(r"(?:§+\s*|(?:Art\.|ART\.|Artykuł|Article|Section|Paragraf)\s+)\d+(?:[.]\d+)*[a-z]?\b\.?")
_DECIMAL: Final = re.compile(r"\d{1,3}(?:\.\d{1,3})*[.)]?(?=\s)")
_TITLE_CHARACTERS: Final = 120
_POINT_CHARACTERS: Final = 80
_LEAST_LETTERS: Final = 4
_NO_END_OF_TITLE: Final = (".", ",", ";", "!", "…")


class Title(NamedTuple):
    """A heading in a line, and what the line says after it."""

    text: str
    level: int
    rest: str = ""


def title_in(line: str, following: str) -> Title | None:
    """The heading that a line is or begins with, if it does.

    Args:
        line: Stripped, not empty; the one before says nothing that it could continue.
        following: The next one, stripped; empty when there is none or a blank one.
    """
    if number := _CHAPTER.match(line):
        return _numbered(line, number[0], _CHAPTER_LEVEL, following)
    if number := _ARTICLE.match(line):
        return _numbered(line, number[0], _ARTICLE_LEVEL, following) or _article(line, number[0])
    if number := _ROMAN_POINT.match(line):
        return _numbered(line, number[0], _ROMAN_LEVEL, following)
    if number := _DECIMAL.match(line):
        depth = len(re.findall(r"\d+", number[0]))
        return _numbered(line, number[0], _ARTICLE_LEVEL + depth, following)
    return Title(line, _CAPITALS_LEVEL) if _is_shouted(line) and not _is_shouted(following) else None


def _numbered(line: str, number: str, level: int, following: str) -> Title | None:
    said = line[len(number) :].strip(" \t-–—:")
    is_alone = not said and level <= _ARTICLE_LEVEL
    is_title = (
        said[:1].isupper()
        and len(line) <= _POINT_CHARACTERS
        and not line.endswith(_NO_END_OF_TITLE)
        and not following[:1].islower()
        and not (level > _ARTICLE_LEVEL and _DECIMAL.match(following))
    )
    return Title(line, level) if is_alone or is_title else None


def _article(line: str, number: str) -> Title | None:
    """The number alone, where the article's text follows it; not in 'Art. 5 of the act', which goes on in small."""
    said = line[len(number) :].strip()
    return Title(number, _ARTICLE_LEVEL, said) if said[:1].isupper() or said[:1].isdigit() else None


def _is_shouted(line: str) -> bool:
    letters = sum(1 for character in line if character.isalpha())
    return letters >= _LEAST_LETTERS and len(line) <= _TITLE_CHARACTERS and line.isupper()
