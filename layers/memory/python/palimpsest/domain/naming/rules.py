"""How rules of relations are written down, and what becomes of them.

A sentence is coded before it is read: names are markers such as ``«p3»`` (a letter for the type, the number of the
mention), its owner is ``«y»``, a possessive of the owner ``«m»``, a possessive of somebody else ``«p3» 's``, and all
other words and signs stand casefolded between single spaces. A rule is one line, ``predicate | words | pattern``: it
is tried where one of the words stands. In a pattern ``{s:who}`` and ``{o:org}`` are source and target, one or several,
by what may stand there; without ``s`` the source is the owner. ``*`` behind a predicate: what the rule reads holds also
where the sentence is denied, asked or supposed. ``+``: the denial belongs to the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

SLOTS: Final[Mapping[str, tuple[str, str]]] = {
    "who": ("ypgui", "person"),
    "per": ("pui", "person"),
    "maker": ("ypgou", "person"),
    "org": ("ou", "organization"),
    "place": ("lu", "place"),
    "sure_place": ("l", "place"),
    "spot": ("ol", "organization"),
    "event": ("eu", "event"),
    "sure_event": ("e", "event"),
    "tool": ("tkjgcou", "tool"),
    "sure_tool": ("tk", "tool"),
    "method": ("tkc", "tool"),
    "tech": ("ktjgu", "technology"),
    "proj": ("jtkgcu", "project"),
    "sure_proj": ("jg", "project"),
    "thing": ("jtkgcou", "project"),
    "sure_thing": ("jtkgco", "project"),
    "user": ("ypjtkgcoui", "project"),
    "whole": ("oju", "organization"),
    "member": ("ypgjtkoui", "person"),
    "work": ("jtkgcou", "concept"),
    "pet": ("apui", "animal"),
    "device": ("tu", "tool"),
    "sure_device": ("t", "tool"),
    "liked": ("tkjgcoelu", "tool"),
    "favourite": ("tkjgcoelu", "concept"),
    "named": ("u", ""),
    "sure": ("lu", "place"),
    "untyped": ("ui", ""),
    "unsure": ("ui", ""),
    "any": ("ypgjtkoleacui", ""),
}
"""What may stand at each end: letters of types, and the type of a name that has none."""

_SLOT = re.compile(r"\{([a-z])\w*:(\w+)\}")
_MACRO = re.compile(r"\{(\w+)\}")
_BETWEEN = r"(?: , (?:and|or|i)| ,| and| or| as well as| i| oraz| lub)(?: (?:a|an|the|on|in|w|we|na|z|ze|od|«m»))* "


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern of a predicate. `number`: its place among the rules; `types`: of names without one, by group."""

    predicate: str
    number: int
    words: frozenset[str]
    pattern: re.Pattern[str]
    types: Mapping[str, str]
    holds_always: bool
    denies_itself: bool


def compile_rules(text: str, macros: Mapping[str, str]) -> tuple[Rule, ...]:
    """The rules of a text, one a line; ``{adv}`` stands for the macro of that name."""
    lines = (line.strip() for line in text.replace("\\\n    ", "").splitlines())
    return tuple(_rule(line, number, macros) for number, line in enumerate(lines) if line)


def by_word(rules: Iterable[Rule]) -> dict[str, tuple[Rule, ...]]:
    """The rules to try for each word, in their order."""
    found: dict[str, tuple[Rule, ...]] = {}
    for rule in rules:
        for word in rule.words:
            found[word] = (*found.get(word, ()), rule)
    return found


def alternatives(words: Iterable[str]) -> str:
    """A pattern of any of `words`; ``_`` in one is a space."""
    return "(?:" + "|".join(sorted((word.replace("_", " ") for word in words), key=len, reverse=True)) + ")"


def _rule(line: str, number: int, macros: Mapping[str, str]) -> Rule:
    predicate, words, pattern = (part.strip() for part in line.split(" | ", 2))
    types = {match[1]: SLOTS[match[2]][1] for match in _SLOT.finditer(pattern)}
    source = _SLOT.sub(lambda match: _marker(match[1], SLOTS[match[2]][0]), pattern)
    source = _MACRO.sub(lambda match: macros.get(match[1], match[0]), source)
    return Rule(
        predicate=predicate.rstrip("*+"),
        number=number,
        words=frozenset(words.split()),
        pattern=re.compile(rf"(?<!\S){source}(?!\S)"),
        types=types,
        holds_always=predicate.endswith("*"),
        denies_itself=predicate.endswith("+"),
    )


def _marker(group: str, letters: str) -> str:
    one = rf"«[{letters}]\d*»"
    return rf"(?P<{group}>{one}(?:{_BETWEEN}{one})*)"
