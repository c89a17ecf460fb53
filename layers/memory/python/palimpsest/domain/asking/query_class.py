"""What kind of question a query is, by words of English and Polish, and what follows from it.

Cues are whole words and phrases, read without case and diacritics. Every class searches with every arm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from palimpsest.domain.analysis import fold

_MANY_WORDS: Final = 15
"""A longer query asks for several things; Loomem's bound."""


class QueryClass(StrEnum):
    """The kinds, in the order in which they are looked for."""

    PROFILE = "profile"
    AGGREGATION = "aggregation"
    COMPLEX = "complex"
    TEMPORAL = "temporal"
    SIMPLE = "simple"


class Order(StrEnum):
    """How results are put, once the most relevant are chosen."""

    RELEVANCE = "relevance"
    OLDEST_FIRST = "oldest_first"
    NEWEST_FIRST = "newest_first"


@dataclass(frozen=True, slots=True)
class Effects:
    """What a class changes, where the request does not say otherwise.

    Attributes:
        limit: How many results.
    """

    limit: int = 10


EFFECTS: Final[Mapping[QueryClass, Effects]] = {
    QueryClass.PROFILE: Effects(limit=20),
    QueryClass.AGGREGATION: Effects(limit=30),
    QueryClass.COMPLEX: Effects(limit=20),
    QueryClass.TEMPORAL: Effects(),
    QueryClass.SIMPLE: Effects(),
}

_CUES: Final[Mapping[QueryClass, str]] = {
    QueryClass.PROFILE: r"""
what (?:do|did) you (?:know|remember) about|what have you learned about|who am i|tell me (?:all |everything )?about
|my profile|summari[sz]e me|describe me|what kind of person am i
|co (?:ty )?(?:wiesz|pamietasz) o|co o \w+ (?:wiesz|pamietasz)|kim (?:ja )?jestem|m(?:oj|oim|ojego) profil\w*
|podsumuj mnie|opisz mnie|opowiedz (?:mi )?o(?! tym)
""",
    QueryClass.AGGREGATION: r"""
how many|how often|list (?:all|every|the|my|our)|name (?:all|every)|(?<!at )(?<!after )all (?:the|my|our|of|his|her)
|every (?:time|one of)|each of|everything (?:that|we|i|you)|(?:total )?number of|count (?:the|all|how)
|ile(?! (?:kosztuj\w*|kosztowal\w*|wazy\w*|trwa\w*|place|placi\w*|zaplaci\w*|ma lat|lat ma))|ilu|iloma|jak czesto
|wymien|wypisz|lista|liste|wszystkie|wszystkich|wszystkim|wszystko o|kazd[yae] z|liczb[aey]
""",
    QueryClass.COMPLEX: r"""
why|how come|compare\w*|comparison|differences?|versus|vs|evol(?:ved?|ution|ving)|(?:how|what) (?:\w+ ){1,4}changed
|history of|timeline|chronolog\w+|summari[sz]e|summary|overview|analy[sz]e|explain|pros and cons|led to
|relationship between|dlaczego|czemu
|porownaj\w*|porownanie|roznic\w*|rozni\w*|zmienial\w*|jak sie zmieni\w*|ewolu\w+|histori[aei]
|podsumuj\w*|podsumowanie|przeanalizuj\w*|analiza|analize|wyjasnij|wady i zalety|po kolei
""",
    QueryClass.TEMPORAL: r"""
(?:^|since |until )when|when (?:did|was|is|do|does|will|were|are|have|has|had)|how long
|what (?:date|day|year|month|time)|first time|last time|recently|lately|latest|most recent
|kiedy|odkad|jak dlugo|ktorego dnia|ktorym (?:roku|miesiacu)|ostatnio|ostatni raz|pierwszy raz|niedawno|najnowsz\w+
""",
}

_ORDERS: Final[Mapping[Order, str]] = {
    Order.OLDEST_FIRST: r"chronological\w*|oldest first|timeline|chronologiczn\w+|od najstarsz\w+|os czasu|osi czasu",
    Order.NEWEST_FIRST: r"(?:newest|latest|most recent) first|od najnowsz\w+",
}


def _compiled(spelled: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + spelled.strip().replace("\n", "") + r")\b")


_CLASS_PATTERNS: Final = {each: _compiled(spelled) for each, spelled in _CUES.items()}
_ORDER_PATTERNS: Final = {each: _compiled(spelled) for each, spelled in _ORDERS.items()}


def classify(query: str, *, names_time: bool = False) -> QueryClass:
    """The kind of question that a query is. `names_time`: a date was read in it."""
    words = _words(query)
    for each, pattern in _CLASS_PATTERNS.items():
        if pattern.search(words) or (each is QueryClass.TEMPORAL and names_time):
            return each
        if each is QueryClass.COMPLEX and words.count(" ") >= _MANY_WORDS:
            return each
    return QueryClass.SIMPLE


def asked_order(query: str) -> Order:
    """By relevance, unless the query itself asks for an order.

    `When did … first` and `since when` don't: the answer they want is one memory, the most relevant, not the oldest.
    """
    words = _words(query)
    return next((each for each, pattern in _ORDER_PATTERNS.items() if pattern.search(words)), Order.RELEVANCE)


def _words(query: str) -> str:
    return " ".join(re.findall(r"\w+", fold(query.casefold())))
