"""What a turn says, clause by clause: only what is said outright, neither asked, supposed, wished nor joked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from palimpsest.domain.learning.fact import Span
from palimpsest.domain.learning.plainness import COVER, plain
from palimpsest.domain.library.sentences import ends

_DOUBT: Final = re.compile(
    r"\?|[🙄😂🤣😏😈😜🤪😉]|;\)|"
    r"\b(?:if|unless|whether|suppose|supposing|imagine|pretend|wish|maybe|perhaps|probably|possibly|hopefully|might|"
    r"would|could|should|\w+'d|almost|nearly|as though|kidding|joking|joke|lol|lmao|rofl|jk|haha\w*|hehe\w*|xd+|"
    r"rumou?r|"
    r"says?|said|saying|tells?|told|telling|claims?|claimed|thinks|(?<!don't )think|thought|swears?|insists?|"
    r"reckons?|according|heard|"
    r"apparently|allegedly|supposedly|guess|thinking (?:about|of)|considering|no wait|wait|scratch that|i mean|no "
    r"sorry|correction|never mind|"
    r"jesli|jezeli|gdyby\w*|zeby\w*|oby|chyba|moze|podobno|ponoc|rzekomo|niby|jakby\w*|pewnie|prawdopodobnie|"
    r"\w{2,}(?:l|la|li|ly|lo)by(?:m|s|smy|scie)?|by(?:m|smy)|prawie|omal|zart\w*|zartuj\w*|"
    r"mowi|mowia|mowil\w*|twierdz[ia]\w*|uwaza|powiedzial\w*|slyszal\w*|wedlug|zdaniem|mysle|sadze|zastanawia\w*|"
    r"rozwaza\w*|wydaje|zdaje mi|"
    r"czekaj|to znaczy|sorki|pomylka|a nie jednak|albo nie)\b"
)
"""In a sentence with one of these nothing is stated, or it is taken back."""

_CUT: Final = re.compile(
    r"(?<=[,;:])(?! ze\b)(?<!lubie,)(?<!znosze,)(?<!cierpie,)\s{1,9}|\s{0,9}[☀-➿🀀-🫿]+\s{0,9}|\s{1,9}[-–—]+\s{1,9}|"
    r"\s{0,9}[()]\s{0,9}|\s{1,9}(?=(?:but|because|so)\s)|\s{1,9}(?=and\s{1,9}(?:i|we|my|our|then)\b)"
    r"|\s{1,9}(?=(?:ale|bo|wiec)\s)|\s{1,9}(?=(?:i|oraz|a)\s{1,9}(?:\w+\s{1,9})?\w+(?:lam|lem|lismy|lysmy)\b)"
)
_DEPENDENT: Final = re.compile(
    r"(?:when|whenever|while|who|which|where|what|how|why|until|before|after|like|than|"
    r"ktor\w+|jak|gdzie|kiedy|gdy|dopoki|zanim|co|tak|taki\w*|niz|jaki\w*)\b"
)
"""What begins so says nothing alone."""

_LEAD: Final = re.compile(
    r"(?:[^\w\"]+|(?:and|but|so|well|yeah|yes|yep|yup|no(?=[,.!])|nope|nah|ok|okay|hey|hi|hello|btw|also|plus|"
    r"because|since|oh|"
    r"actually|honestly|basically|anyway|anyways|fyi|that|though|then|thanks|thx|great|good|cool|perfect|fine|sure|"
    r"remember|note|by the way|for the record|just so you know|"
    r"ale|tak(?=[,.!])|hej|czesc|wiec|bo|ze|oraz|tez|jeszcze|ogolnie|generalnie|poza tym|wlasnie|aha|super|dzieki|"
    r"dobra|dobrze|pamietaj|ogolem|wgl|swoja droga|tak w ogole|w ogole)\b)*"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence that states something.

    Attributes:
        text: Plain, without what leads in.
        span: Where it stands in the turn, without what leads in.
        sentence: Where its sentence does.
        depends: It says nothing without the clause before it.
    """

    text: str
    span: Span
    sentence: Span
    depends: bool


def sentences(text: str) -> Iterator[Span]:
    """Where the sentences stand, without white space around them."""
    begin = 0
    for at in [*(end.at for end in ends(text)), len(text)]:
        part = text[begin:at]
        if part.strip():
            yield Span(begin + len(part) - len(part.lstrip()), begin + len(part.rstrip()))
        begin = at


def stated(text: str) -> Iterator[Clause]:
    """The clauses of the sentences that state something, in order."""
    shown = plain(text)
    for sentence in sentences(text):
        if _DOUBT.search(shown, sentence.begin, sentence.end) is None:
            yield from _clauses(shown, sentence)


def _clauses(shown: str, sentence: Span) -> Iterator[Clause]:
    begin = sentence.begin
    cuts = [(found.start(), found.end()) for found in _CUT.finditer(shown, sentence.begin, sentence.end)]
    for end, following in [*cuts, (sentence.end, sentence.end)]:
        yield from _clause(shown, begin, end, sentence)
        begin = following


def _clause(shown: str, begin: int, end: int, sentence: Span) -> Iterator[Clause]:
    lead = _LEAD.match(shown, begin, end)
    begin = begin if lead is None else lead.end()
    text = shown[begin:end].rstrip(" \n\t.,;:!")
    if text.strip(COVER + " "):
        yield Clause(text, Span(begin, begin + len(text)), sentence, _DEPENDENT.match(text) is not None)
