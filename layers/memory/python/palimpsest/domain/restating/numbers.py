"""Numbers in words, and units, in English and Polish: each in one notation."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from palimpsest.domain.language import Language
from palimpsest.domain.restating import wordlists

_ENGLISH: Final = """
zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen,
seventeen, eighteen, nineteen
"""
_ENGLISH_TENS: Final = "twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety"
_ENGLISH_ORDINALS: Final = """
first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth, thirteenth, fourteenth,
fifteenth, sixteenth, seventeenth, eighteenth, nineteenth, twentieth
"""
_POLISH: Final = """
zero, jeden jedna jedno jednego jednej jednemu jednym jedną, dwa dwie dwóch dwu dwóm dwoma dwiema dwoje dwojga, trzy
trzech trzem trzema troje trojga trzej, cztery czterech czterem czterema czworo czworga czterej, pięć pięciu pięcioma
pięcioro, sześć sześciu sześcioma sześcioro, siedem siedmiu siedmioma, osiem ośmiu ośmioma, dziewięć dziewięciu
dziewięcioma, dziesięć dziesięciu dziesięcioma, jedenaście jedenastu jedenastoma, dwanaście dwunastu dwunastoma,
trzynaście trzynastu trzynastoma, czternaście czternastu czternastoma, piętnaście piętnastu piętnastoma, szesnaście
szesnastu, siedemnaście siedemnastu, osiemnaście osiemnastu, dziewiętnaście dziewiętnastu
"""
_POLISH_TENS: Final = """
dwadzieścia dwudziestu dwudziestoma, trzydzieści trzydziestu trzydziestoma, czterdzieści czterdziestu, pięćdziesiąt
pięćdziesięciu, sześćdziesiąt sześćdziesięciu, siedemdziesiąt siedemdziesięciu, osiemdziesiąt osiemdziesięciu,
dziewięćdziesiąt dziewięćdziesięciu
"""
_POLISH_HUNDREDS: Final = """
sto stu, dwieście dwustu, trzysta trzystu, czterysta czterystu, pięćset pięciuset, sześćset sześciuset, siedemset
siedmiuset, osiemset ośmiuset, dziewięćset dziewięciuset
"""
_POLISH_ORDINALS: Final = """
pierwsz, drug, trzec, czwart, piąt, szóst, siódm, ósm, dziewiąt, dziesiąt, jedenast, dwunast, trzynast, czternast,
piętnast, szesnast, siedemnast, osiemnast, dziewiętnast, dwudziest
"""
_ORDINAL_ENDINGS: Final = wordlists.words("y a e ego ej emu ym ą i iego iej iemu im ią")


def _ordinals() -> dict[str, int]:
    stems = wordlists.numbered(_POLISH_ORDINALS, 1)
    return {stem + end: number for stem, number in stems.items() for end in _ORDINAL_ENDINGS} | {"trzecia": 3}


_SMALL: Final = {
    Language.ENGLISH: wordlists.numbered(_ENGLISH, 0) | wordlists.numbered(_ENGLISH_TENS, 20, 10),
    Language.POLISH: wordlists.numbered(_POLISH, 0)
    | wordlists.numbered(_POLISH_TENS, 20, 10)
    | wordlists.numbered(_POLISH_HUNDREDS, 100, 100),
}
_LARGE: Final = {
    Language.ENGLISH: {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000},
    Language.POLISH: {
        **dict.fromkeys(wordlists.words("tys tysiąc tysiące tysięcy tysiącom tysiącami"), 1_000),
        **dict.fromkeys(wordlists.words("mln milion miliony milionów"), 1_000_000),
        **dict.fromkeys(wordlists.words("mld miliard miliardy miliardów"), 1_000_000_000),
    },
}
ORDINALS: Final = {Language.ENGLISH: wordlists.numbered(_ENGLISH_ORDINALS, 1), Language.POLISH: _ordinals()}

_UNITS: Final = (
    "s 1: s sec secs second seconds sekunda sekundy sekund sekundę sekundach sek",
    "s 0.001: ms millisecond milliseconds milisekunda milisekundy milisekund",
    "s 60: min mins minute minutes minuta minuty minut minutę minutach",
    "s 3600: h hr hrs hour hours godzina godziny godzin godzinę godzinach",
    "s 86400: day days dzień dni dnia dniach doba doby",
    "s 604800: week weeks tydzień tygodnie tygodni tygodnia tygodniu tygodniach",
    "month 1: month months miesiąc miesiące miesięcy miesiąca miesiącu miesiącach",
    "month 3: quarter quarters kwartał kwartały kwartałów kwartału",
    "month 12: year years yr yrs lat lata latach",
    "g 1: g gram grams gramów gramy grama gr",
    "g 0.001: mg milligram milligrams miligramów miligramy miligram",
    "g 1000: kg kilo kilos kilogram kilograms kilogramów kilogramy kilograma",
    "m 1: metre metres meter meters metr metry metrów",
    "m 0.01: cm centimetre centimetres centimeter centimeters centymetrów centymetry",
    "m 0.001: mm millimetre millimetres millimeter millimeters milimetrów milimetry",
    "m 1000: km kilometre kilometres kilometer kilometers kilometrów kilometry kilometr",
    "mile 1: mile miles mila mile mil",
    "l 1: l litre litres liter liters litr litry litrów",
    "l 0.001: ml millilitre millilitres milliliter milliliters mililitrów",
    "kb 1: kb kilobyte kilobytes",
    "mb 1: mb megabyte megabytes, gb 1: gb gigabyte gigabytes gigabajtów, tb 1: tb terabyte terabytes",
    "% 1: % percent procent procenta procentów",
    "celsius 1: °c, fahrenheit 1: °f",
    "eur 1: eur € euro euros, usd 1: usd $ dollar dollars dolarów dolary dolar, gbp 1: gbp £ pound pounds funtów funty",
    "pln 1: pln zł złotych złote złoty złotego, chf 1: chf franc francs franków",
    "times 1: times razy raz",
)


def _units() -> dict[str, tuple[str, Decimal]]:
    found = {}
    for line in ", ".join(_UNITS).split(", "):
        head, _, forms = line.partition(": ")
        name, factor = head.split()
        found.update(dict.fromkeys(forms.split(), (name, Decimal(factor))))
    return found


UNITS: Final = _units()
CURRENCY_SIGNS: Final = frozenset("€$£")


def in_words(words: Sequence[str], language: Language) -> tuple[int, int] | None:
    """The number that `words` begin with, and how many of them it takes; None when they begin with none."""
    total, part, used = 0, 0, 0
    small, large = _SMALL[language], _LARGE[language]
    for word in words:
        head, _, tail = word.partition("-")
        if tail and head in small and tail in small and not part % 100:
            part += small[head] + small[tail]
        elif word in small and _fits(part, small[word]):
            part += small[word]
        elif word in large and used:
            total, part = _raised(total, part, large[word])
        else:
            break
        used += 1
    return (total + part, used) if used else None


def _fits(part: int, number: int) -> bool:
    """Whether `number` may be said after `part`: twenty-two, not two twenty, nor a hundred two hundred."""
    if part == 0:
        return True
    is_smaller = 0 < number < (10 if part < 100 else 100)
    return is_smaller and part % (10 if number < 10 else 100) == 0 and part > 10


def _raised(total: int, part: int, by: int) -> tuple[int, int]:
    return (total, part * by) if by == 100 else (total + part * by, 0)


def words(language: Language) -> frozenset[str]:
    """All words for numbers."""
    return frozenset(_SMALL[language]) | frozenset(_LARGE[language]) | frozenset(ORDINALS[language])


def multiplier(word: str, language: Language) -> int | None:
    """What a word behind a number written in digits multiplies it by."""
    return _LARGE[language].get(word)
