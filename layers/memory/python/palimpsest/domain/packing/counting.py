"""How many tokens a text is at most, without the tokenizer of any model.

Rates were fitted on 2026-11-30 so that of four tokenizers (cl100k, Claude 2, DeepSeek, XLM-RoBERTa) none makes more
tokens of a context; ``docs/api/context.md`` tells how far that holds. Each word counts 1 at least and four bytes count
1 at least, so that a tokenizer that falls back to bytes never makes more than four times as many.
"""

from __future__ import annotations

import re
from typing import Final

_PIECE: Final = re.compile(r"( ?)([^\W_]+)|(\s+)|(.)", re.DOTALL)
_CASED: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""Parts of a name such as ``getHTTPResponse``."""

_WHOLE: Final = 120
"""Parts of a token, which the rates below count, so that sums are exact and quick."""

_ENGLISH: Final = 36
"""Of a letter, in words of a line that has Latin letters without marks alone: 3.3 letters a token."""
_INFLECTED: Final = 50
"""The same in a line with any other letter: Polish costs half as much again as English."""
_SMALL: Final = 40
_CAPITAL: Final = 60
_MIXED: Final = 102
"""Of a sign of keys, hashes and encoded data."""
_LONGEST_NAME: Final = 20
_DIGIT: Final = 60
_BESIDE: Final = 54
"""Of a letter without marks beside one with marks."""
_MARKED: Final = 120
_OTHER: Final = 192
_IDEOGRAM: Final = 160
_HANGUL: Final = range(0xAC00, 0xD7A4)
_SPACES: Final = 4
"""White space that is one token."""


def count_tokens(text: str) -> int:
    """At most so many tokens; lines count apart, so that of a text is the sum of its lines and line ends.

    A space between words is part of the word behind it and costs nothing.
    """
    lines = text.split("\n")
    return sum(map(_line, lines)) + len(lines) - 1


def _line(line: str) -> int:
    is_plain = line.isascii() or not any(sign.isalpha() and not sign.isascii() for sign in line)
    count = 0
    for space, word, white, sign in _PIECE.findall(line):
        if word:
            count += _word(word, is_plain=is_plain, is_behind_space=bool(space))
        elif white:
            count += 0 if white == " " else _up(len(white), 1, _SPACES)
        else:
            count += _sign(sign)
    return count


def _word(word: str, *, is_plain: bool, is_behind_space: bool) -> int:
    size = len(word)
    if not word.isascii():
        return _up(sum(map(_letter, word)))
    if word.isdecimal():
        return _up(size, _DIGIT) + is_behind_space  # no digit is joined with the space before it
    if not word.isalpha():
        return _up(size, _MIXED) + is_behind_space
    if word[1:].islower() or size == 1:
        return _up(size, _ENGLISH if is_plain else _INFLECTED)
    if size < _LONGEST_NAME:
        return sum(_up(len(part), _CAPITAL if part.isupper() else _SMALL) for part in _CASED.findall(word))
    return _up(size, _MIXED) + is_behind_space


def _up(size: int, rate: int = 1, whole: int = _WHOLE) -> int:
    """Whole tokens of so many things at that rate, a part of one counted as one."""
    return -(-size * rate // whole)


def _letter(letter: str) -> int:
    point = ord(letter)
    if point < 0x80:
        return _BESIDE
    if point < 0x250:
        return _MARKED
    return _OTHER if point < 0x2E80 or point in _HANGUL else _IDEOGRAM


def _sign(sign: str) -> int:
    """Punctuation and pictures."""
    point = ord(sign)
    if point < 0x80:
        return 1
    return 2 if point < 0x2190 else 3
