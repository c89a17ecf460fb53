"""Names that only a program has: packages where they are installed or pinned, and companies by their legal forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from palimpsest.domain.naming.mentions import Mention
from palimpsest.domain.naming.proposals import Method
from palimpsest.domain.naming.runs import run_at
from palimpsest.domain.naming.tokens import Token, sentences

_INSTALLERS: Final = {
    "pip": "install", "pip3": "install", "pipx": "install", "npm": "install i", "pnpm": "add install", "yarn": "add",
    "cargo": "add install", "brew": "install", "apt": "install", "apt-get": "install", "gem": "install", "uv": "add",
    "poetry": "add", "composer": "require", "conda": "install",
}  # fmt: skip
_LEGAL_FORMS: Final = frozenset(
    {"inc", "ltd", "llc", "gmbh", "ag", "corp", "plc", "s.a", "sa", "b.v", "s.r.o", "oy", "ab", "s.c", "sp.k"}
)

_SIGNS: Final = _LEGAL_FORMS | {"=", "sp", *_INSTALLERS}
"""Without one of these there is nothing to look for."""


def named(tokens: Sequence[Token], words: frozenset[str]) -> list[Mention]:
    """Packages and companies of a sentence, by their form alone."""
    if _SIGNS.isdisjoint(words) and not any(token.kind == "code" for token in tokens):
        return []
    found = [*_pinned(tokens), *_installed(tokens), *_companies(tokens)]
    for place, token in enumerate(tokens):
        if token.kind == "code" and token.text.startswith("`"):
            found += _quoted(token, place)
    return found


def _quoted(code: Token, place: int) -> Iterator[Mention]:
    """Packages of a command in backticks; they all take the place of the one token."""
    for tokens in sentences(code.text[1:-1]):
        for each in (*_pinned(tokens), *_installed(tokens)):
            offset = code.start + 1
            yield Mention(
                each.name, each.type, each.start + offset, each.end + offset, place=place, length=1, method=each.method
            )


def _pinned(tokens: Sequence[Token]) -> Iterator[Mention]:
    for place, token in enumerate(tokens[:-3]):
        signs = tokens[place + 1 : place + 4]
        if token.kind == "word" and [sign.text for sign in signs[:2]] == ["=", "="] and signs[0].start == token.end:
            is_version = signs[2].text[0].isdigit() and signs[2].start == signs[1].end
            if is_version and token.text[0].isalpha():
                yield _package(token, place)


def _installed(tokens: Sequence[Token]) -> Iterator[Mention]:
    for place, token in enumerate(tokens[:-2]):
        if tokens[place + 1].lower in _INSTALLERS.get(token.lower, "").split():
            after = place + 2
            while after < len(tokens) and tokens[after].text in ("-", "--"):
                after += 2
            if after < len(tokens) and tokens[after].kind == "word" and tokens[after].text[0].isalpha():
                is_pinned = after + 1 < len(tokens) and tokens[after + 1].text == "="
                if not is_pinned:
                    yield _package(tokens[after], after)


def _package(token: Token, place: int) -> Mention:
    return Mention(token.text, "technology", token.start, token.end, place, 1, Method.PACKAGE)


def _companies(tokens: Sequence[Token]) -> Iterator[Mention]:
    place = 0
    while place < len(tokens):
        length = run_at(tokens, place)
        run = list(tokens[place : place + length])
        form = _form_behind(tokens, place + length) if run else 0
        if run and run[-1].lower in _LEGAL_FORMS:
            run, form = run[:-1], 1
        if run and form and run[0].start < run[-1].end:
            name = " ".join(token.text for token in run)
            yield Mention(name, "organization", run[0].start, run[-1].end, place, len(run), Method.LEGAL_FORM)
        place += max(length, 1)


def _form_behind(tokens: Sequence[Token], place: int) -> int:
    """Whether a legal form stands there: GmbH, also behind a comma; sp. z o.o."""
    there = [token.lower for token in tokens[place : place + 5]]
    if there[:1] == [","]:
        there = there[1:]
    if there[:1] and there[0] in _LEGAL_FORMS:
        return 1
    return int(there[:4] == ["sp", ".", "z", "o.o"])
