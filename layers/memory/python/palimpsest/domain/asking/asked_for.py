"""What a query asks for, as far as its words alone tell it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo

from palimpsest.domain.asking.dates import AskedDates, asked_dates
from palimpsest.domain.asking.query_class import EFFECTS, Effects, Order, QueryClass, asked_order, classify
from palimpsest.domain.language import Language, Linguist


@dataclass(frozen=True, slots=True)
class AskedFor:
    """What a query asks for.

    Attributes:
        languages: What it is likely written in; empty when in none that is known.
        dates: The time that it names; None when it names none.
        order: By relevance, unless it says otherwise.
    """

    query_class: QueryClass
    languages: tuple[Language, ...]
    dates: AskedDates | None
    order: Order

    @property
    def effects(self) -> Effects:
        """What its class changes."""
        return EFFECTS[self.query_class]


def asked_for(query: str, now: datetime, zone: tzinfo, linguist: Linguist) -> AskedFor:
    """What a query asks for that is asked at `now`, on the clock of `zone`."""
    languages = linguist.languages(query)
    dates = asked_dates(query, now, zone, languages)
    return AskedFor(classify(query, names_time=dates is not None), languages, dates, asked_order(query))
