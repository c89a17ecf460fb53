"""What the styles and lists of a DOCX mean: which are headings, which are numbered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from palimpsest.adapters.documents.xml_events import Event, Happening

TITLE: Final = -1
"""The level of the document's title, above all headings."""
_HEADING: Final = re.compile(r"heading (\d)", re.IGNORECASE)
_BODY: Final = 9
"""What Word gives as the outline level of what is no heading."""
_CHAIN: Final = 20


@dataclass(slots=True)
class Style:
    """A paragraph's style. `level`: of a heading, from 0. `numbering`: the list that it puts a paragraph in."""

    name: str = ""
    based_on: str | None = None
    level: int | None = None
    numbering: str | None = None


Styles = Mapping[str, Style]
Numberings = Mapping[tuple[str, int], bool]
"""By list and depth: whether its items have numbers."""


def number(text: str | None) -> int:
    return int(text) if text is not None and re.fullmatch(r"\d{1,6}", text) else 0


def styles(events: Iterable[Event]) -> Styles:
    """The styles by their ids, each with what it takes from the one that it is based on."""
    found: dict[str, Style] = {}
    style = Style()
    for event in events:
        value = event.told.get("val")
        if event.kind is not Happening.START:
            continue
        if event.said == "style":
            style = found.setdefault(event.told.get("styleId", ""), Style())
        elif event.said == "name":
            style.name = value or ""
        elif event.said == "basedOn":
            style.based_on = value
        elif event.said == "outlineLvl":
            style.level = number(value)
        elif event.said == "numId":
            style.numbering = value
    return {key: _whole(each, found) for key, each in found.items()}


def _whole(style: Style, known: Mapping[str, Style]) -> Style:
    whole, each = Style(style.name), style
    for _ in range(_CHAIN):
        named = _HEADING.fullmatch(each.name)
        level = int(named[1]) - 1 if named else each.level
        level = TITLE if each.name.lower() == "title" else level
        whole.level = level if whole.level is None else whole.level
        whole.numbering = whole.numbering or each.numbering
        if each.based_on is None or each.based_on not in known:
            break
        each = known[each.based_on]
    whole.level = None if whole.level is not None and whole.level >= _BODY else whole.level
    return whole


def numberings(events: Iterable[Event]) -> Numberings:
    """Which lists are numbered, at which depth."""
    kinds: dict[tuple[str, int], bool] = {}
    lists: dict[str, str] = {}
    kind, depth, name = "", 0, ""
    for event in events:
        if event.kind is not Happening.START:
            continue
        if event.said == "abstractNum":
            kind = event.told.get("abstractNumId", "")
        elif event.said == "lvl":
            depth = number(event.told.get("ilvl"))
        elif event.said == "numFmt":
            kinds.setdefault((kind, depth), event.told.get("val") not in ("bullet", "none"))
        elif event.said == "num":
            name = event.told.get("numId", "")
        elif event.said == "abstractNumId":
            lists[name] = event.told.get("val", "")
    by_kind = {each: [depth for kind, depth in kinds if kind == each] for each in set(lists.values())}
    return {(name, depth): kinds[kind, depth] for name, kind in lists.items() for depth in by_kind[kind]}
