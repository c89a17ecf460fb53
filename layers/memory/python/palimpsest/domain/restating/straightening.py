"""Clauses in one form: what was done by somebody as somebody doing it, names behind what they are names of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from palimpsest.domain.language import Language
from palimpsest.domain.restating.items import Clause, Item, Kind
from palimpsest.domain.restating.wordforms import Form

_AGENT: Final = {Language.ENGLISH: "by", Language.POLISH: "przez"}
_MASSES: Final = (" g", " l", " kb", " mb", " gb", " tb")
_THINGS: Final = frozenset({Kind.WORD, Kind.NAME})
_AGREEING: Final = {
    "ej": ("e", "i", "y"), "ym": ("e", "u", "m"), "im": ("e", "u", "m"), "ych": ("ach", "ów"), "ich": ("ach", "ów"),
    "ymi": ("ami",), "imi": ("ami",), "ą": ("ę", "ą"), "ego": ("a", "u"),
}  # fmt: skip
"""Endings of Polish adjectives, and of the nouns that they may belong to."""


def straightened(clauses: Sequence[Clause], language: Language) -> tuple[Clause, ...]:
    """The clauses, each in the form that all that say the same are brought to."""
    active = [_active(_measured(clause), language) for clause in _joined(clauses)]
    if language is Language.POLISH:
        active = [replace(clause, items=tuple(_phrased(_reflexive(_free(clause))))) for clause in active]
    return tuple(_named(active))


def _joined(clauses: Sequence[Clause]) -> list[Clause]:
    """``In production, the team …``: what only says when, where or how is part of the clause behind its comma."""
    result: list[Clause] = []
    for clause in clauses:
        last = result[-1] if result else None
        if last and clause.is_apart and _is_aside(last) and not clause.reason:
            items = last.items + clause.items
            copula = clause.copula + len(last.items) if clause.copula >= 0 else -1
            result[-1] = replace(clause, items=items, copula=copula, is_apart=last.is_apart, reason=last.reason)
        else:
            result.append(clause)
    return result


def _is_aside(clause: Clause) -> bool:
    return all(item.is_adjunct or item.role for item in clause.items) and not clause.reason


def _measured(clause: Clause) -> Clause:
    """``20 mg of omeprazole`` as ``omeprazole 20 mg``."""
    items = list(clause.items)
    for place in range(len(items) - 1):
        what, thing = items[place], items[place + 1]
        if what.text.endswith(_MASSES) and thing.kind in _THINGS and thing.role in ("", "of") and not thing.form:
            items[place], items[place + 1] = replace(thing, role=what.role, case="any"), replace(what, role="")
        elif what.kind in _THINGS and thing.text.endswith(_MASSES):
            items[place] = replace(what, case="any")
    return replace(clause, items=tuple(items))


def _active(clause: Clause, language: Language) -> Clause:
    """``was written by Magda`` as ``Magda wrote``."""
    verb = next((place for place, item in enumerate(clause.items) if item.is_passive), None)
    agent = next((place for place, item in enumerate(clause.items) if item.role in _agents(language)), None)
    if verb is None or agent is None or clause.items[agent].kind is Kind.VALUE:
        return clause
    items = list(clause.items)
    end = agent + 1
    while end < len(items) and end != verb and not items[end].role and not items[end].is_adjunct:
        end += 1
    role = items[agent].role.removeprefix(_AGENT[language]).removeprefix("+")
    by = [replace(items[agent], role=f"+{role}" if role else ""), *items[agent + 1 : end]]
    by = [replace(item, case="any") for item in by]
    did = replace(items[verb], is_passive=False, is_turned=True)
    rest = [item for place, item in enumerate(items) if place != verb and not agent <= place < end]
    before = [item for place, item in enumerate(items[:verb]) if not agent <= place < end]
    aside = 0
    while aside < len(before) and (
        before[aside].is_adjunct or (before[aside].role and "owner" not in before[aside].role)
    ):
        aside += 1
    return replace(clause, items=(*before[:aside], *by, did, *rest[aside:]), copula=-1)


def _agents(language: Language) -> tuple[str, str]:
    return _AGENT[language], f"{_AGENT[language]}+owner"


def _phrased(items: Sequence[Item]) -> list[Item]:
    """``w orkiestrze szkolnej`` as ``w szkolnej orkiestrze``."""
    result = list(items)
    for place in range(len(result) - 1):
        noun, adjective = result[place], result[place + 1]
        if noun.role and not adjective.role and not noun.mods and _agree(noun.text, adjective.text):
            result[place : place + 2] = replace(adjective, role=noun.role), replace(noun, role="")
    return result


def _free(clause: Clause) -> Sequence[Item]:
    """``to`` takes the nominative, ``jest`` the instrumental, and both say the same."""
    if clause.copula <= 0:
        return clause.items
    return [item if item.role or item.is_passive else replace(item, case="predicate") for item in clause.items]


def _reflexive(items: Sequence[Item]) -> list[Item]:
    """``robi się`` as one; where it stands beside no verb that is known as one, *się* stays a word."""
    result = list(items)
    for place, item in enumerate(items):
        beside = [
            near for near in (place - 1, place + 1) if 0 <= near < len(items) and items[near].form == Form.PRESENT
        ]
        if item.text == "się" and beside:
            verb = result[beside[0]]
            result[beside[0]] = replace(verb, mods=(*verb.mods, "się"))
            del result[place]
            return _reflexive(result)
    return result


def _agree(noun: str, adjective: str) -> bool:
    endings = next((nouns for ending, nouns in _AGREEING.items() if adjective.endswith(ending)), ())
    is_adjective = any(noun.endswith(ending) for ending in _AGREEING if len(ending) > 1)
    return bool(endings) and noun.endswith(endings) and not is_adjective


def _named(clauses: Sequence[Clause]) -> list[Clause]:
    """``Oskar, the user's son, plays`` and ``the user's son, Oskar, plays`` as ``the user's son Oskar plays``."""
    result = list(clauses)
    place = 0
    while place + 1 < len(result):
        first, second = result[place], result[place + 1]
        third = result[place + 2] if place + 2 < len(result) and result[place + 2].is_apart else None
        if not second.is_apart or second.reason or not (third or place + 2 == len(result)):
            place += 1
            continue
        joined = _one_named(first, second, third)
        if joined is None:
            place += 1
            continue
        result[place : place + 2 + (third is not None)] = [joined]
    return result


def _one_named(first: Clause, second: Clause, third: Clause | None) -> Clause | None:
    aside = [item for item in first.items if item.is_adjunct or (item.role and "owner" not in item.role)]
    plain = [item for item in first.items if item not in aside]
    behind = third.items if third else ()
    if len(plain) == 1 and _is_name(plain[0]) and _is_described(second.items):
        return replace(first, items=(*aside, *second.items, plain[0], *behind), copula=-1)
    if len(second.items) == 1 and _is_name(second.items[0]) and _is_described(plain) and not second.items[0].role:
        return replace(first, items=(*aside, *plain, second.items[0], *behind), copula=-1)
    last = plain[-1] if plain else None
    if third is None and last is not None and _is_name(last) and not last.role and _is_described(second.items):
        return replace(first, items=(*first.items[:-1], *second.items, last), copula=-1)
    return None


def _is_name(item: Item) -> bool:
    return item.kind is Kind.NAME or (item.kind is Kind.WORD and item.is_capital)


def _is_described(items: Sequence[Item]) -> bool:
    """Two words such as ``the user's son``, ``córka użytkownika``."""
    return len(items) == 2 and all(item.kind is Kind.WORD and not item.mods and not item.tense for item in items)
