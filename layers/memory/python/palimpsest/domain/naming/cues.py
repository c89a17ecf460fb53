"""What stands beside a name and tells what it is the name of."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from palimpsest.domain.naming.kinds_of_words import CLASS_OF, EVENT_ENDS, ORGANIZATION_ENDS, PLACE_ENDS
from palimpsest.domain.naming.rules import Rule, alternatives, by_word, compile_rules
from palimpsest.domain.restating.wordlists import words

_COMMON: Final = words(
    """
    high elementary middle primary secondary public local national central our the new medical art law business book
    fan night youth support study peer main side dog community car
    """
)
_TITLES: Final = "mr mrs ms miss dr prof professor doctor pan pani pana panią panem panu doktor profesor"

_PLAIN: Final = rf"""
person* | {_TITLES} | {alternatives(_TITLES.split())}(?: \.)? {{x:named}}
person | says said thinks thought wants asked reviewed told suggested promised insists believes | {{x:named}} \
    (?:says|said|thinks|thought|wants|asked|reviewed|told|suggested|promised|insists|believes)
person | powiedział powiedziała mówi mówiła mówił zapytał zapytała dzwonił dzwoniła prosił prosiła obiecał obiecała |\
     {{x:named}} (?:powiedział|powiedziała|mówi|mówił|mówiła|zapytał|zapytała|dzwonił|dzwoniła|prosił|prosiła|\
    obiecał|obiecała)
place | trip flight flew travelled travel born fly flying | (?:trip|flight|flew|travelled|travel|fly|flying|born) \
    (?:back )?\
    (?:to|in|from) {{x:sure}}
place | lot jadę jedziemy jedzie przenosi przeprowadza wyjazd podróż pociąg lecę lecimy | (?:lot|jadę|jedziemy|\
    jedzie|przenosi się|przeprowadza się|wyjazd|podróż|pociąg|lecę|lecimy) do {{x:sure}}
"""


@lru_cache(maxsize=1)
def cues() -> dict[str, tuple[Rule, ...]]:
    """Rules whose predicate is the type of ``x``, by the words that call for them."""
    beside = [
        f"{type_} | {' '.join(nouns)} | {alternatives(nouns)} (?:called |named |o nazwie )?{{x:untyped}}"
        for type_, nouns in _nouns().items()
    ]
    behind = [
        f"{type_} | {' '.join(nouns)} | the {{x:untyped}} {alternatives(nouns)}" for type_, nouns in _nouns().items()
    ]
    called = [
        f"{type_} | {' '.join(nouns)} | {{x:unsure}} (?:is|to|jest) (?:a |an |our |«m» )?(?:\\w+ "
        f"){{0,2}}{alternatives(nouns)}"
        for type_, nouns in _nouns().items()
    ]
    liked = [
        f"{type_} | {' '.join(nouns)} | (?:favou?rite|ulubion\\w+) {alternatives(nouns)} (?:is|are|to|jest) "
        f"{{x:untyped}}"
        for type_, nouns in _nouns().items()
    ]
    apart = [
        f"{type_} | {' '.join(nouns)} | (?:a|an|my|our|the|another) {alternatives(nouns)} , {{x:untyped}}"
        for type_, nouns in _nouns().items()
    ]
    return by_word(compile_rules("\n".join([*beside, *behind, *liked, *apart, *called, *_PLAIN.splitlines()]), {}))


def type_by_end(name: str) -> str:
    """The type that the last word of a name says: Berlin Marathon, Hillview School; empty when it says none."""
    words = name.casefold().split()
    if len(words) < 2 or words[-2] in _COMMON:
        return ""
    ends = {"event": EVENT_ENDS, "organization": ORGANIZATION_ENDS, "place": PLACE_ENDS}
    return next((type_ for type_, last in ends.items() if words[-1] in last), "")


def _nouns() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for noun, type_ in CLASS_OF.items():
        found.setdefault(type_, []).append(noun)
    return found
