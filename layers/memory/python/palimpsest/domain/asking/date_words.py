"""Words that say when, in English and Polish: of each what it may mean, as `sense -> value`.

Both languages are always read: hardly any of these words means something else in the other one, and a short query
tells little about its language. Everything is casefolded and without diacritics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Final, TypeAlias

from palimpsest.domain.analysis import fold
from palimpsest.domain.asking.spans import Span, Unit
from palimpsest.domain.language import Language
from palimpsest.domain.restating import calendar, numbers
from palimpsest.domain.restating.wordlists import words

Value: TypeAlias = int | Unit | Span | None
Senses: TypeAlias = Mapping[str, Value]
_Sense: TypeAlias = tuple[str, str, Value]

_UNITS: Final = {
    "day": "day dzien dnia dniu", "days": "days dni dniach dniami", "week": "week tydzien tygodnia tygodniu tygodniem",
    "weeks": "weeks tygodnie tygodni tygodniach tygodniami", "month": "month miesiac miesiaca miesiacu miesiacem",
    "months": "months miesiace miesiecy miesiacach miesiacami", "quarters": "quarters kwartaly kwartalow",
    "quarter": "quarter kwartal kwartalu kwartale kwartalem", "year": "year rok roku rokiem",
    "years": "years lat lata latach latami laty", "weekend": "weekend weekendu weekendzie",
}  # fmt: skip
_HOURS: Final = "hour hours godzina godzine godziny godzin godzinie godzinach godzinami"
_MULTIPLES: Final = {
    "fortnight": ("week", 2), "pol roku": ("month", 6), "half a year": ("month", 6), "half year": ("month", 6),
    "poltora roku": ("month", 18),
}  # fmt: skip

_ENDINGS: Final = words("y a e ego ej emu ym ych i ia ie iego iej im ich")
_STEMS: Final = {
    "last": "zeszl ubiegl poprzedn", "past": "ostatn minion", "next": "nastepn przyszl nadchodzac najblizsz",
    "this": "obecn biezac", "before_last": "zaprzeszl przedostatn",
}  # fmt: skip
_WORDS: Final = {
    "last": "last previous", "recent": "last past recent", "past": "past",
    "this": "this current ten ta te tym tego tej", "next": "next coming upcoming", "ago": "ago temu",
    "between": "between miedzy pomiedzy", "since": "since", "from": "from", "od": "od",
    "until": "until till through thru by az", "to": "to", "do": "do",
    "before": "before", "przed": "przed", "after": "after po", "and": "and oraz i or lub albo a", "dash": "-",
    "in": "in during of for throughout w we na z ze", "at": "on at over within dnia podczas przez",
    "the": "the of r , a .", "one": "a an", "few": "few several kilka kilku kilkoma pare paru", "in_pl": "za",
    "early": "early beginning start poczatek poczatku poczatkiem", "mid": "mid middle polowie polowa polowy srodku",
    "late": "late end koniec konca koncu koncem schylku schylek", "turn": "turn przelom przelomie", "year_word": "r",
    "slash": "/", "possessive": "'s ’s",
}  # fmt: skip
_PHRASES: Final[Mapping[str, tuple[str, int | None]]] = {
    "before last": ("before_last", None), "couple of": ("number", 2), "couple": ("number", 2), "from now": ("hence", 0),
    "w ciagu": ("at", None), "w trakcie": ("at", None), "w dniu": ("at", None), "prior to": ("before", None),
    "up to": ("until", None), "az do": ("until", None),
}  # fmt: skip
_RELATIVE: Final = {
    -2: "day before yesterday/przedwczoraj", -1: "yesterday/last night/wczoraj/zeszlej nocy/ostatniej nocy",
    0: "today/tonight/this morning/this afternoon/this evening/dzis/dzisiaj",
    1: "tomorrow/jutro/jutra", 2: "day after tomorrow/pojutrze/pojutrza",
}  # fmt: skip
_RELATIVE_STEMS: Final = {"dzisiejsz": 0, "wczorajsz": -1, "jutrzejsz": 1}
_FEASTS: Final = (
    "christmas/xmas/boze narodzenie/bozym narodzeniem/bozego narodzenia", "christmas eve/wigilia/wigilie/wigilii",
    "new year's eve/sylwestra/sylwestrem", "new year's day/nowy rok/nowym roku", "halloween",
    "valentine's day/walentynki/walentynkach", "majowka/majowke/majowki/majowce",
    "easter/wielkanoc/wielkanocy/wielkanoca",
)  # fmt: skip
"""In the order of `spans.feast`."""
_ALL_DAYS: Final = (*calendar.DAYS.values(), *calendar.EITHER_DAYS.values())
_SHORT_DAYS: Final = words("mon tue tues wed thu thur thurs fri sat sun pon wt sr czw pt sob niedz nd")
_DECADES: Final = {
    20: "twenties dwudziestych dwudzieste", 30: "thirties trzydziestych trzydzieste",
    40: "forties czterdziestych czterdzieste", 50: "fifties piecdziesiatych piecdziesiate",
    60: "sixties szescdziesiatych szescdziesiate", 70: "seventies siedemdziesiatych siedemdziesiate",
    80: "eighties osiemdziesiatych osiemdziesiate", 90: "nineties dziewiecdziesiatych dziewiecdziesiate",
}  # fmt: skip
_AMBIGUOUS: Final = frozenset({"may", "march", "april", "june", "august", "maja"})
"""Names, verbs, and ``mają`` without its tail: months only beside a word or a number that makes them so."""
_ADVERBS: Final = {"latem": 2, "jesienia": 3, "zima": 4, "wiosna": 1}
_HOLIDAYS: Final = "wakacje wakacjach wakacji"
_MORE_SEASONS: Final = {"fall": 3, "lata": 2, "latu": 2}

EVERY: Final = words("every each co kazdy kazda kazde kazdego kazdej")
"""In front of a day: it is none."""

ENGLISH: Final = words("last this next the on yesterday today tonight tomorrow day").union(
    calendar.MONTHS[Language.ENGLISH], calendar.SHORT_MONTHS, calendar.DAYS[Language.ENGLISH]
)
"""Behind `do` they say that it is no Polish word; behind a month a number is a day only where that is one of them."""

YEARLY: Final = words(
    """
    birthday birthdays born anniversary anniversaries urodziny urodzin urodzinach urodzinami urodzila urodzil imieniny
    imienin rocznica rocznice rocznicy
    """
)
"""What comes each year: a day of some month in the same query is of none."""

AHEAD: Final = words(
    """
    will shall gonna going plan plans planned planning scheduled due deadline deadlines upcoming bede bedziesz bedzie
    bedziemy beda planuje planujemy plany planach zaplanowane zaplanowano zaplanowal termin terminy mam mamy
    """
)
"""They ask for what is to come, where a date may lie on either side."""

COUNTED: Final = words(
    """
    words pieces people users lines characters items steps rows tokens files records samples votes requests osob osoby
    slow znakow sztuk uzytkownikow linii wierszy plikow rekordow probek krokow elementow glosow zapytan rpm
    """
) | {fold(word) for word in numbers.UNITS}
"""Behind a number: it is no year."""


@lru_cache(maxsize=1)
def lexicon() -> Mapping[tuple[str, ...], Senses]:
    """What words, and phrases of up to four, may mean."""
    found: dict[tuple[str, ...], dict[str, Value]] = {}
    for phrase, sense, value in chain(
        _unit_words(), _relations(), _adjectives(), _days(), _months(), _others(), _counts()
    ):
        found.setdefault(tuple(phrase.split()), {})[sense] = value
    return found


def _unit_words() -> Iterator[_Sense]:
    for name, forms in _UNITS.items():
        sense = "units" if name.endswith("s") else "unit"
        yield from ((form, sense, Unit(name.removesuffix("s"))) for form in forms.split())
    yield from ((form, "hours", None) for form in _HOURS.split())
    yield from ((phrase, "unit", Unit(*unit)) for phrase, unit in _MULTIPLES.items())


def _relations() -> Iterator[_Sense]:
    yield from ((word, sense, None) for sense, forms in _WORDS.items() for word in forms.split())
    yield from ((phrase, sense, value) for phrase, (sense, value) in _PHRASES.items())


def _adjectives() -> Iterator[_Sense]:
    for sense, stems in _STEMS.items():
        forms = [stem + end for stem in stems.split() for end in _ENDINGS]
        yield from ((form, sense, None) for form in forms)
        yield from ((form, "recent", None) for form in forms if sense == "past")
    yield from ((stem + end, "relative", away) for stem, away in _RELATIVE_STEMS.items() for end in _ENDINGS)


def _days() -> Iterator[_Sense]:
    for word, number in (pair for days in _ALL_DAYS for pair in days.items()):
        yield fold(word), "day_short" if fold(word) in _SHORT_DAYS else "weekday", number - 1
    yield from ((phrase, "relative", away) for away, phrases in _RELATIVE.items() for phrase in phrases.split("/"))
    for feast, phrases in enumerate(_FEASTS):
        yield from ((phrase.replace("'s", " 's"), "feast", feast) for phrase in phrases.split("/"))


def _months() -> Iterator[_Sense]:
    for word, month in (pair for months in calendar.MONTHS.values() for pair in months.items()):
        yield fold(word), "month_word" if fold(word) in _AMBIGUOUS else "month", month
    yield from ((word, "month_short", month) for word, month in calendar.SHORT_MONTHS.items() if word != "may")


def _others() -> Iterator[_Sense]:
    for seasons in (*calendar.SEASONS.values(), _MORE_SEASONS, dict.fromkeys(_HOLIDAYS.split(), 5)):
        yield from ((fold(word), "season", number) for word, number in seasons.items())
    yield from ((word, "season_when", number) for word, number in _ADVERBS.items())
    yield from ((word, "decade", decade) for decade, forms in _DECADES.items() for word in forms.split())
    for number, word in enumerate(("i", "ii", "iii", "iv"), 1):
        yield word, "roman", number
        yield f"q{number}", "quarter", number


def _counts() -> Iterator[_Sense]:
    for language in Language:
        read = ((word, numbers.in_words([word], language)) for word in numbers.words(language))
        yield from ((fold(word), "number", found[0]) for word, found in read if found and 0 < found[0] < 1000)
        yield from ((fold(word), "ordinal", number) for word, number in numbers.ORDINALS[language].items())
