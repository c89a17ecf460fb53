"""Forms of one word: English by rule and a table of irregular verbs, Polish verbs by their endings."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from palimpsest.domain.restating.polish import POLISH
from palimpsest.domain.restating.wordlists import words

_IRREGULAR: Final = """
be was been, become became become, begin began begun, break broke broken, bring brought brought, build built built,
buy bought bought, catch caught caught, choose chose chosen, come came come, cost cost cost, cut cut cut, do did done,
draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feel felt felt, fight fought
fought, find found found, fly flew flown, forget forgot forgotten, get got got, give gave given, go went gone, grow
grew grown, have had had, hear heard heard, hide hid hidden, hit hit hit, hold held held, keep kept kept, know knew
known, lead led led, learn learnt learnt, leave left left, lend lent lent, let let let, lose lost lost, make made
made, mean meant meant, meet met met, owe owed owed, pay paid paid, put put put, read read read, ride rode ridden,
ring rang rung, rise rose risen, run ran run, say said said, see saw seen, sell sold sold, send sent sent, set set
set, shut shut shut, sing sang sung, sit sat sat, sleep slept slept, speak spoke spoken, spend spent spent, stand
stood stood, steal stole stolen, swim swam swum, take took taken, teach taught taught, tell told told, think thought
thought, throw threw thrown, wake woke woken, wear wore worn, win won won, write wrote written, bear bore born, quit
quit quit, rewrite rewrote rewritten
"""
_VERBS: Final = [tuple(each.split()) for each in _IRREGULAR.split(",")]
_BASE: Final = {form: verb[0] for verb in _VERBS for form in verb[1:]}
_PAST: Final = frozenset(verb[1] for verb in _VERBS)
_PARTICIPLES: Final = frozenset(verb[2] for verb in _VERBS)
_NO_PAST: Final = words("speed breed bleed exceed proceed succeed indeed hundred sacred naked wicked need feed")
_VOWELS: Final = frozenset("aeiouy")

_PAST_ENDINGS: Final = (
    "liśmy", "łyśmy", "liście", "łyście", "łem", "łam", "łeś", "łaś", "ła", "ło", "li", "ły", "ł",
)  # fmt: skip
_PASSIVE_ENDINGS: Final = (
    *(stem + end for stem in ("an", "on", "en", "n", "t") for end in ("ego", "ej", "ych", "ym", "ą", "a", "e", "y")),
    "ani",
    "eni",
)
_IMPERSONAL_ENDINGS: Final = ("ano", "ono", "no", "to")
_OTHER_ENDINGS: Final = ("my", "ją", "")
_PRESENT_ENDINGS: Final = ("uje", "ują", "ywa", "ywają", "syła", "syłają")
_PERSONS: Final = ("my", "cie", "sz", "łem", "łam", "łeś", "łaś", "ę")
INSTRUMENTAL: Final = ("em", "ą", "im", "ym", "ami", "imi", "ymi")
"""Endings of the case of what somebody is: ``jest lekarzem``."""
_CASE_ENDINGS: Final = ("", "a", "u", "em", "iem", "owi", "ę", "ą", "y", "i", "ów", "ego", "ym", "im", "e", "o")


class Form:
    """Words for how a verb stands."""

    PLAIN = ""
    PLURAL = "s"
    PAST = "past"
    PARTICIPLE = "participle"
    EITHER = "past or participle"
    ING = "ing"
    IMPERSONAL = "impersonal"
    PRESENT = "present"


def english_form(word: str) -> str:
    """The form that an English word would be in if it were a verb."""
    if word in _PARTICIPLES:
        return Form.EITHER if word in _PAST else Form.PARTICIPLE
    if word in _PAST:
        return Form.PAST
    if word.endswith("ed") and word not in _NO_PAST and len(word) > 4 and _VOWELS & set(word[:-2]):
        return Form.EITHER
    if word.endswith("ing") and len(word) > 5:
        return Form.ING
    return Form.PLURAL if _singulars(word) else Form.PLAIN


def _singulars(word: str) -> frozenset[str]:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return frozenset()
    found = {word[:-1]}
    if word.endswith("ies"):
        found |= {word[:-3] + "y"}
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        found |= {word[:-2]}
    return frozenset(found)


@lru_cache(maxsize=20_000)
def english_bases(word: str) -> frozenset[str]:
    """The words that `word` may be a form of, itself among them."""
    found = {word} | _singulars(word)
    if word in _BASE:
        found.add(_BASE[word])
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= 3 and word not in _NO_PAST:
            found |= {stem, stem + "e"}
            if stem[-1] == stem[-2]:
                found.add(stem[:-1])
            if stem.endswith("i") and ending == "ed":
                found.add(stem[:-1] + "y")
    return frozenset(found)


def polish_form(word: str) -> str:
    """The form that a Polish word would be in if it were a verb."""
    if len(word) > 3 and word.endswith(_IMPERSONAL_ENDINGS[:2]):
        return Form.IMPERSONAL
    if word in POLISH.verbs or word.endswith(_PRESENT_ENDINGS):
        return Form.PRESENT
    if len(word) > 2 and word.endswith(_PAST_ENDINGS):
        return Form.PAST
    return Form.PARTICIPLE if len(word) > 4 and word.endswith(_PASSIVE_ENDINGS) else Form.PLAIN


@lru_cache(maxsize=20_000)
def polish_stems(word: str) -> frozenset[str]:
    """What is left of a Polish verb before the endings of its forms: of ``napisała`` and ``napisany`` ``napisa``."""
    endings = (*_PAST_ENDINGS, *_PASSIVE_ENDINGS, *_IMPERSONAL_ENDINGS, *_OTHER_ENDINGS)
    return frozenset(word.removesuffix(end) for end in endings if word.endswith(end) and len(word) - len(end) >= 3)


def is_first_person(word: str) -> bool:
    """A Polish verb with *I*, *you* or *we* in its ending."""
    return word.endswith(_PERSONS)


@lru_cache(maxsize=20_000)
def polish_cases(word: str) -> frozenset[str]:
    """What a Polish noun or adjective may be without its ending of a case, long enough to tell words apart."""
    stems = {word.removesuffix(end) for end in _CASE_ENDINGS if word.endswith(end) and len(word) - len(end) >= 3}
    softened = {stem[:-2] + stem[-1] for stem in stems if len(stem) > 4 and stem[-2] == "e" and stem[-1] in "kc"}
    return frozenset(stems | softened)
