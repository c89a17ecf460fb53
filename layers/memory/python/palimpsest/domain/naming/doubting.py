"""Where a sentence does not say that something is so now: it denies, asks, supposes, plans, remembers or passes on."""

from __future__ import annotations

import re
from typing import Final

from palimpsest.domain.naming.lines import Line

_WHOLE: Final = re.compile(
    r"(?<!\S)(?:if|whether|unless|would|could|might|may|maybe|perhaps|apparently|allegedly|supposedly|reportedly|"
    r"rumou?rs?|"
    r"rumou?red|heard|hearsay|says?|said|told|tells|claims?|claimed|thinks?|thought|believes?|believed|guess|suppose|"
    r"assume|assumed|imagine|wish|wishes|pretend|doubt|doubts|suspect|wonder|wonders|asks?|asked|unsure|not sure|"
    r"according to|supposed to|seems?|seemingly|probably|possibly|likely|dreamt|dreamed|swears|insists|suggested|\?|"
    r"as though|as if|hope|hopes|hoping|joke|joked|kidding|"
    r"czy|jeśli|jeżeli|gdyby|gdybym|gdybyś|gdybyśmy|podobno|ponoć|rzekomo|chyba|może|pewnie|prawdopodobnie|"
    r"podejrzewam|suggests?|sugeruje|sugerują|uważa|uważają|przypuszcza|przypuszczają|"
    r"słyszałem|słyszałam|słyszeliśmy|mówi|mówią|mówił|mówiła|mówili|powiedział|powiedziała|twierdzi|twierdzą|"
    r"zapytał|zapytała|pyta|pytał|pytała|plotka|plotki|niby|ponoc|myślę|sądzę|zdaje|wydaje|według|jakoby|"
    r"chciałby|chciałaby|chciałbym|chciałabym|mógłby|mogłaby|byłby|byłaby|żartował|żartowała|wątpię)(?!\S)"
)
"""Nothing in the sentence is stated."""

_NEAR: Final = re.compile(
    r"(?<!\S)(?:not|never|nobody|no one|none|nothing|neither|nor|hardly|barely|cannot|\w+n't|no longer|any more|"
    r"anymore|"
    r"used to|formerly|former|previously|ex|until|till|before|once|back then|at the time|"
    r"was (?:working|living|using)|were (?:working|living|using)|"
    r"will|going to|gonna|plans? (?:to|on)|planned|planning to|wants?|wanted|intends?|intend|tomorrow|soon|next "
    r"(?:week|month|year|spring|"
    r"summer|autumn|winter)|from (?:next|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|monday|tomorrow)|starting|starts|started|stopped|quit|left|gave up|instead of|without|try|tries|trying|"
    r"should|"
    r"consider|considers|considering|considered|refuses|almost|nearly|ought|ready to|about to|tempted|"
    r"nie|nigdy|nikt|żaden|żadna|ani|już nie|dawniej|kiedyś|wcześniej|niegdyś|były|była żona|były mąż|do niedawna|"
    r"będzie|będą|będę|zamierza|zamierzam|planuj(?:e|ę|ą|emy) \w+ć|chce|chcę|chcemy|jutro|wkrótce|niedługo|"
    r"od (?:jutra|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|"
    r"poniedziałku|przyszłego|nowego)|w przyszłym|zaczyna|zacznie|przestał|przestała|rzucił|rzuciła|zamiast|prawie|"
    r"powinien|powinna|ma zamiar|omal)(?!\S)"
)
"""What stands in the same part of the sentence is not stated."""

_PART: Final = re.compile(
    r"(?<!\S)(?:, (?:but|and|while|which|who|a|ale|lecz|i|który|która)|but|while|ale|lecz|;|:|–|—)(?!\S)"
)
_PART_ENDS: Final = re.compile(r"(?<!\S)(?:,|and|but|while|because|i|a|oraz|ale|lecz|bo|;|:|–|—)(?!\S)")
_QUOTES: Final = frozenset('"“”„«»')


def is_doubted(line: Line) -> bool:
    """The whole sentence states nothing."""
    return _WHOLE.search(line.text) is not None


def is_doubted_at(line: Line, start: int, end: int, *, denies_itself: bool = False) -> bool:
    """What the line says from `start` to `end` is denied, over, or still to come."""
    begins = max((match.end() for match in _PART.finditer(line.text, 0, start)), default=0)
    after = _PART_ENDS.search(line.text, end)
    ends = after.start() if after else len(line.text)
    if denies_itself:
        return _NEAR.search(line.text[begins:start]) is not None or _NEAR.search(line.text[end:ends]) is not None
    return _NEAR.search(line.text[begins:ends]) is not None


def is_quoted(line: Line, start: int) -> bool:
    """What begins at `start` stands in quotation marks: somebody else's words."""
    before = line.text[:start].split()
    opened = sum(word in ("“", "„") for word in before) + sum(word == '"' for word in before)
    closed = before.count("”")
    return opened % 2 == 1 if '"' in before else opened > closed
