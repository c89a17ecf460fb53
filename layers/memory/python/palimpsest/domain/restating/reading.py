"""A text as it is compared: tokens made values, phrases made one, small words made what they say of others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from palimpsest.domain import stop_words
from palimpsest.domain.language import Language
from palimpsest.domain.restating.english import ENGLISH
from palimpsest.domain.restating.items import Reading
from palimpsest.domain.restating.lexicon import Lexicon, small_words, unfolded
from palimpsest.domain.restating.polish import POLISH
from palimpsest.domain.restating.reader import Reader
from palimpsest.domain.restating.straightening import straightened
from palimpsest.domain.restating.tokens import Sort, Token, tokens
from palimpsest.domain.restating.values import valued

_LEXICONS: Final = {Language.ENGLISH: ENGLISH, Language.POLISH: POLISH}
_KNOWN: Final = {
    Language.ENGLISH: stop_words.ENGLISH | small_words(ENGLISH, Language.ENGLISH),
    Language.POLISH: stop_words.POLISH | small_words(POLISH, Language.POLISH),
}
_ENGLISH_ALONE: Final = _KNOWN[Language.ENGLISH] - _KNOWN[Language.POLISH]
_POLISH_ALONE: Final = _KNOWN[Language.POLISH] - _KNOWN[Language.ENGLISH]
_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = 1_000
"""Characters that tell a language."""

_POLISH_LETTERS: Final = frozenset("ąćęłńśźż")
_POLISH_FORMS: Final = frozenset(("a", "u", "ie", "em", "owi", "y", "om", "ów"))
_UNFOLDED: Final = unfolded(POLISH)
"""Small words and values of Polish typed without its letters, as they are with them."""


def language_of(text: str) -> Language | None:
    """Which of the two a text is in, by its small words and letters; None when it has none of either."""
    words = _WORD.findall(text[:_ENOUGH].lower())
    english = sum(word in _ENGLISH_ALONE for word in words)
    polish = sum(word in _POLISH_ALONE or bool(_POLISH_LETTERS & set(word)) for word in words)
    if english == polish:
        return None
    return Language.ENGLISH if english > polish else Language.POLISH


def read(text: str, language: Language) -> Reading:
    """The text's clauses, as it is read in that language."""
    lexicon = _LEXICONS[language]
    reader = Reader(lexicon, language)
    is_folded = not _POLISH_LETTERS & set(text.lower())
    found = _bare(tokens(text), language)
    if is_folded and language is Language.POLISH:
        found = [replace(token, text=_UNFOLDED.get(token.text, token.text)) for token in found]
    for token in valued(_meant(found, lexicon), language):
        reader.take(token)
    reader.end()
    clauses = straightened(reader.clauses, language)
    return Reading(clauses, tuple(item for clause in clauses for item in clause.items), language, is_folded)


def _bare(found: Sequence[Token], language: Language) -> list[Token]:
    """Without the endings that Polish hangs on foreign names: ``PostgreSQL-a``."""
    if language is not Language.POLISH:
        return list(found)
    return [_without_ending(token) if "-" in token.text and token.is_capital else token for token in found]


def _without_ending(token: Token) -> Token:
    head, _, ending = token.text.rpartition("-")
    return replace(token, text=head) if ending in _POLISH_FORMS else token


def _meant(found: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens, with each phrase replaced by what it stands for."""
    result: list[Token] = []
    i = 0
    while i < len(found):
        phrase = next((each for each in lexicon.phrases.get(found[i].text, ()) if _stands(each[0], found, i)), None)
        if phrase is None:
            result.append(found[i])
            i += 1
            continue
        words, meaning = phrase
        result += [replace(found[i], text=word, sort=Sort.WORD, is_capital=False) for word in meaning]
        i += len(words)
    return result


def _stands(words: Sequence[str], found: Sequence[Token], at: int) -> bool:
    return len(found) >= at + len(words) and all(
        token.text == word and token.sort is not Sort.VALUE for token, word in zip(found[at:], words, strict=False)
    )
