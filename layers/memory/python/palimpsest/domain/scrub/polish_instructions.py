"""What instructs whoever reads it, in Polish. Its words have many forms, so each shape is told by a name."""

from __future__ import annotations

import re

_VERBS = (
    "ignoruj",
    "pomin",
    "odrzuc",
    "porzuc",
    "anuluj",
    "uniewaznij",
    "zlekcewaz",
    "zwracaj",
    "przestrzega",
    "zapomnij",
)
_DROP = (
    r"(?:(?:z?ignoruj|pomin|odrzuc|porzuc|anuluj|uniewaznij|zlekcewaz|zapomnij)(?:cie)?(?:\s+o)?"
    r"|nie\s+zwracaj(?:cie)?\s+uwagi\s+na|nie\s+przestrzegaj(?:cie)?|przestan(?:cie)?\s+przestrzegac)"
)
_EARLIER = (
    r"(?:wszyst\w+|wszelki\w+|poprzedni\w+|wczesniejsz\w+|dotychczasow\w+|powyzsz\w+|systemow\w+|swo[ij]\w*|two[ij]\w*)"
)
_ORDERS = r"(?:instrukcj\w*|polece[cn]\w*|wytyczn\w+|rozkaz\w*|prompt\w*|komend\w*|zasad\w*|regul\w*|ograniczen\w*)"
_TELL = r"(?:ujawnij|pokaz|wypisz|podaj|zdradz|wyswietl|powtorz|przepisz|wyjaw)(?:cie)?"
_OWN = r"(?:swo[ij]\w*|two[ij]\w*|systemow\w+|ukryt\w+|poczatkow\w+)"
_PROMPT = r"(?:prompt|instrukcj|wytyczn)\w*"

_WRITTEN: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "zignoruj poprzednie instrukcje",
        _VERBS,
        rf"{_DROP}\s+(?:\w+\s+){{0,2}}?{_EARLIER}\s+(?:\w+\s+){{0,2}}?{_ORDERS}",
    ),
    ("zapomnij o wszystkim, co", ("zapomnij",), r"zapomnij(?:cie)?\s+(?:o\s+)?wszystk(?:o|im),?\s+co"),
    (
        "od teraz jesteś",
        ("od teraz", "od tej"),
        r"od\s+(?:teraz|tej\s+(?:pory|chwili))\s+(?:jestes|bedziesz\s+(?:udawac|odgrywac|dzialac\s+jako|odpowiadac))",
    ),
    ("zachowuj się, jakbyś", ("zachowuj",), r"zachowuj\s+sie,?\s+(?:tak,?\s+)?jakbys"),
    ("wciel się w rolę", ("wciel",), r"wciel\s+sie\s+w\s+role"),
    ("nowe instrukcje:", ("nowe ",), r"nowe\s+(?:instrukcje|polecenia|wytyczne)\s*:"),
    (
        "ujawnij prompt systemowy",
        ("prompt", "instrukcj", "wytyczn"),
        rf"{_TELL}\s+(?:\w+\s+){{0,4}}?(?:{_OWN}\s+(?:\w+\s+)?{_PROMPT}|{_PROMPT}\s+systemow\w+)",
    ),
)


def _compiled(shape: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){shape}" + r"(?!\w)" * (shape[-1] != ":"))


SHAPES = tuple((name, hints, _compiled(shape)) for name, hints, shape in _WRITTEN)
"""Its name, words of which a text must have one, and the shape, in small letters without the marks of Polish ones."""
