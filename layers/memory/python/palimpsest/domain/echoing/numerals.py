"""Numbers that are written out, in English and Polish; words are casefolded and without diacritics."""

from __future__ import annotations

import re
from typing import Final

_ENGLISH = """
    zero|one first|two second twice|three third|four fourth|five fifth|six sixth|seven seventh|eight eighth|nine ninth
    ten tenth|eleven eleventh|twelve twelfth|thirteen thirteenth|fourteen fourteenth|fifteen fifteenth
    sixteen sixteenth|seventeen seventeenth|eighteen eighteenth|nineteen nineteenth
"""
_ENGLISH_TENS = "twenty twentieth|thirty thirtieth|forty fortieth|fifty fiftieth|sixty|seventy|eighty|ninety"
_POLISH = """
    zero|jeden jedna jedno jednego jednej jednym pierwsz*|dwa dwie dwoch dwoma dwom drug*
    trzy trzech trzem trzema trzec*|cztery czterech czterem czwart*|piec pieciu pieciom piat*|szesc szesciu szost*
    siedem siedmiu siodm*|osiem osmiu osm*
    dziewiec dziewieciu dziewiat*|dziesiec dziesieciu dziesiat*|jedenascie jedenastu jedenast*
    dwanascie dwunastu dwunast*|trzynascie trzynastu trzynast*|czternascie czternastu czternast*
    pietnascie pietnastu pietnast*|szesnascie szesnastu szesnast*|siedemnascie siedemnastu siedemnast*
    osiemnascie osiemnastu osiemnast*|dziewietnascie dziewietnastu dziewietnast*
"""
_POLISH_TENS = """
    dwadziescia dwudziestu dwudziest*|trzydziesci trzydziestu trzydziest*|czterdziesci czterdziestu czterdziest*
    piecdziesiat piecdziesieciu|szescdziesiat szescdziesieciu|siedemdziesiat siedemdziesieciu
    osiemdziesiat osiemdziesieciu|dziewiecdziesiat dziewiecdziesieciu
"""
_ORDINAL_ENDINGS: Final = "y a e ego ej emu ym ymi i iego iej iemu im imi ich"
_ALONE: Final = {"hundred": 100, "sto": 100, "stu": 100, "thousand": 1_000, "tysiac": 1_000, "tysiace": 1_000}

_DIGITS: Final = re.compile(r"[-−]?(\d.*?)(?:st|nd|rd|th)?")


def _table() -> dict[str, int]:
    table = dict(_ALONE)
    for text, step in ((_ENGLISH, 1), (_POLISH, 1), (_ENGLISH_TENS, 10), (_POLISH_TENS, 10)):
        for place, words in enumerate(text.strip().replace("\n", "|").split("|")):
            value = place if step == 1 else 10 * (place + 2)
            for word in words.split():
                stem = word.removesuffix("*")
                forms = [word] if stem == word else [stem + ending for ending in _ORDINAL_ENDINGS.split()]
                table |= dict.fromkeys(forms, value)
    return table


_VALUES: Final = _table()


def value(word: str) -> str | None:
    """The number that a word stands for, as digits; of digits themselves without an ordinal's ending."""
    digits = _DIGITS.fullmatch(word)
    if digits is not None:
        return digits[1] if word[0].isdigit() else f"-{digits[1]}"
    found = _VALUES.get(word)
    return None if found is None else str(found)
