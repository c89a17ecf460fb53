"""Which signs of a text are HTML: tags and entities, but no code, comparison, ``List<String>``, or address in <…>.

A parser takes every ``<`` for a tag; so what is none is spelled as an entity before it is parsed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from html.entities import html5

from palimpsest.domain.scrub.elements import BLOCKS, KNOWN, PLAIN, VOID

ToText = Callable[[str], str]

_CODE = re.compile(
    r"^[ ]{0,3}(?P<fence>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<ticks>`+)(?!`)[^\n]*?[^`\n](?P=ticks)(?!`)",
    re.MULTILINE | re.DOTALL,
)
_ATTRIBUTES = r"(?P<attributes>(?:\s+[^\s\"'<>/=]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+))?)*)"
_COMMENT_END = "-->"
_TAG = (
    r"(?P<doctype><!doctype\b[^<>]*>)|<(?P<slash>/?)(?P<name>[a-z][a-z0-9]*(?:[:-][a-z0-9:-]+)?)"
    + _ATTRIBUTES
    + r"\s*/?>"
)
_TAG_OR_COMMENT = re.compile(r"(?P<comment><!--.*?-->)|" + _TAG, re.IGNORECASE | re.DOTALL)
_TAG_ONLY = re.compile(_TAG, re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|(?P<name>[A-Za-z][A-Za-z0-9]{1,31}));", re.ASCII)
_PAGE = re.compile(r"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_SPECIAL = re.compile(r"[<&]")
_DEEPEST = 400
_OUR_CHARACTERS = range(0xE000, 0xF8FF)


def without_markup(text: str, to_text: ToText) -> str:
    """The text as a reader sees it; one without HTML is given back as it is.

    Code between backticks and in fences stays. `to_text` gets HTML in which every tag and entity is meant.
    """
    if "<" not in text and "&" not in text:
        return text
    codes: list[str] = []
    holder = _unused(text)

    def hide(match: re.Match[str]) -> str:
        codes.append(match[0])
        return f"{holder}{len(codes) - 1}{holder}"

    hidden = _CODE.sub(hide, text)
    meant = _meant(hidden)
    if not meant and not _has_entity(hidden):
        return text
    plain = to_text(_spelled(hidden, meant))
    return re.sub(f"{holder}(\\d+){holder}", lambda match: codes[int(match[1])], plain).strip()


def _unused(text: str) -> str:
    """A character for private use that the text does not have."""
    return next((chr(code) for code in _OUR_CHARACTERS if chr(code) not in text), "\ufdd0")


def _has_entity(text: str) -> bool:
    return any(_is_entity(match) for match in _ENTITY.finditer(text))


def _is_entity(match: re.Match[str]) -> bool:
    return match["name"] is None or f"{match['name']};" in html5


def _meant(text: str) -> list[re.Match[str]]:
    """The tags and comments of a text that are HTML, in order."""
    tags = _tags(text) if "<" in text else []
    is_page = _PAGE.search(text) is not None
    opened = Counter(tag["name"].lower() for tag in tags if tag["name"] and not tag["slash"])
    closed = Counter(tag["name"].lower() for tag in tags if tag["name"] and tag["slash"])
    meant = [tag for tag in tags if _is_meant(text, tag, opened, closed, is_page=is_page)]
    if any(tag["name"] for tag in meant):
        # Office's own tags, such as <o:p>, come with HTML and mean nothing outside.
        starts = {tag.start() for tag in meant}
        return [tag for tag in tags if tag.start() in starts or ":" in (tag["name"] or "")]
    return meant


def _tags(text: str) -> list[re.Match[str]]:
    """All that has the shape of a tag or a comment. A comment that nobody closes is none."""
    last = text.rfind(_COMMENT_END) + len(_COMMENT_END)
    tags = list(_TAG_OR_COMMENT.finditer(text, 0, last)) if last >= len(_COMMENT_END) else []
    return tags + list(_TAG_ONLY.finditer(text, tags[-1].end() if tags else 0))


def _is_meant(text: str, tag: re.Match[str], opened: Counter[str], closed: Counter[str], *, is_page: bool) -> bool:
    if not tag["name"]:
        return True
    name = tag["name"].lower()
    if is_page:
        return True
    if name not in KNOWN:
        return False
    if tag["slash"]:
        return opened[name] > 0 or name in BLOCKS
    if tag["attributes"] or closed[name] or (name in VOID and name in PLAIN):
        return True
    is_glued = tag.start() > 0 and (text[tag.start() - 1].isalnum() or text[tag.start() - 1] == "_")
    is_type = is_glued and len(name) == 1 and (name not in BLOCKS or tag["name"].isupper())
    return name in PLAIN and not is_type


def _spelled(text: str, meant: list[re.Match[str]]) -> str:
    return "".join(_pieces(text, meant))


def _pieces(text: str, meant: list[re.Match[str]]) -> Iterator[str]:
    """Text and tags by turns; tags that stand deeper than any page's are left out, since parsers take long for them."""
    place = depth = 0
    for tag in meant:
        yield _escaped(text[place : tag.start()])
        place = tag.end()
        is_element = tag["name"] is not None and tag["name"].lower() not in VOID
        depth += is_element and not tag["slash"]
        if depth <= _DEEPEST or not is_element:
            yield tag[0]
        depth -= is_element and bool(tag["slash"]) and depth > 0
    yield _escaped(text[place:])


def _escaped(text: str) -> str:
    """Text with its entities; every other special sign spelled out."""

    def spell(match: re.Match[str]) -> str:
        if match[0] == "<":
            return "&lt;"
        entity = _ENTITY.match(text, match.start())
        return "&" if entity is not None and _is_entity(entity) else "&amp;"

    return _SPECIAL.sub(spell, text)
