"""What is seen of a tree of HTML, as blocks, without recursion: pages nest deeper than Python does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final, NamedTuple

from palimpsest.adapters.documents import rows
from palimpsest.domain.library.blocks import Block, BlockKind
from palimpsest.domain.scrub.elements import BLOCKS, CELLS, UNSEEN

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_LISTS: Final = frozenset(("ul", "ol", "menu", "dir"))
_PREFORMATTED: Final = frozenset(("pre", "xmp", "listing", "textarea"))
_CONTROLS: Final = frozenset(("button", "select", "datalist", "input", "dialog"))
_NO_ELEMENT: Final = ("-", "!", "_")
_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_FURNITURE_ELEMENTS: Final = frozenset(("nav", "footer", "aside"))
_FURNITURE_ROLES: Final = frozenset(("navigation", "banner", "contentinfo", "complementary", "search", "menu"))
_FURNITURE_NAMES: Final = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|sidebar|footer|breadcrumbs?|cookies?|consent|social|share|sharing"
    r"|related|comments?|advert|adverts|ads|promo|newsletter|subscribe|skip-link)(?:$|[\s_-])",
    re.IGNORECASE,
)
_NAMED: Final = frozenset(("div", "section", "ul", "ol", "header"))


class Furniture(StrEnum):
    """By what one knows that a part of a page is not its article."""

    ELEMENT = "element"
    ROLE = "role"
    NAME = "name"


class _Step(NamedTuple):
    """A node to be entered, or left."""

    node: Any
    is_left: bool = False


class Outline:
    """Reads one tree. `without`: by what parts of a page are passed over."""

    def __init__(self, without: frozenset[Furniture]) -> None:
        self._without = without
        self._inline: list[str] = []
        self._items: list[str] = []  # lines of the list that is being read
        self._lists: list[int | None] = []  # of each list around: how many items a numbered one has had
        self._marker = ""

    def blocks(self, root: Any) -> Iterator[Block]:  # noqa: ANN401 - the library declares no types for nodes
        waiting = [_Step(root)]
        while waiting:
            node, is_left = waiting.pop()
            if is_left:
                yield from self._leave(node.tag)
            elif node.tag == "-text":
                self._inline.append(node.text_content or "")
            elif not self._is_passed_over(node):
                if (whole := self._whole(node)) is not None:
                    yield from whole
                    continue
                yield from self._enter(node)
                waiting.append(_Step(node, is_left=True))
                waiting += [_Step(child) for child in node.iter(include_text=True)][::-1]
        yield from self._flush()
        yield from self._end_list()

    def _is_passed_over(self, node: Any) -> bool:  # noqa: ANN401
        name = node.tag
        if name is None or name in UNSEEN or name in _CONTROLS or name.startswith(_NO_ELEMENT):
            return True
        told = node.attributes
        if not told:
            return Furniture.ELEMENT in self._without and name in _FURNITURE_ELEMENTS
        if "hidden" in told or told.get("aria-hidden") == "true" or _HIDDEN_STYLE.search(told.get("style") or ""):
            return True
        return (
            (Furniture.ELEMENT in self._without and name in _FURNITURE_ELEMENTS)
            or (Furniture.ROLE in self._without and told.get("role") in _FURNITURE_ROLES)
            or (Furniture.NAME in self._without and name in _NAMED and _is_named_furniture(told))
        )

    def _whole(self, node: Any) -> list[Block] | None:  # noqa: ANN401
        """What is read at once and not by its parts."""
        if node.tag in _PREFORMATTED and not self._lists:
            return [*self._flush(), _preformatted(node)]
        if node.tag == "table" and not self._lists and _is_data(node):
            return [*self._flush(), *_table(node)]
        return None

    def _enter(self, node: Any) -> Iterator[Block]:  # noqa: ANN401
        name = node.tag
        if name == "br":
            self._inline.append("\0")
        elif name in _HEADINGS:
            yield from self._flush()
            yield from self._end_list()
        elif name in _LISTS:
            yield from self._flush()
            self._lists.append(0 if name == "ol" else None)
        elif name == "li" and self._lists:
            yield from self._flush()
            self._marker = self._next_marker()
        elif name in BLOCKS:
            yield from self._flush()
        elif name in CELLS:
            self._inline.append(" ")

    def _leave(self, name: str) -> Iterator[Block]:
        if name in _HEADINGS:
            text = self._taken().replace("\n", " ")
            if text:
                yield Block(BlockKind.HEADING, text, level=_HEADINGS[name])
        elif name in _LISTS and self._lists:
            yield from self._flush()
            self._lists.pop()
            if not self._lists:
                yield from self._end_list()
        elif name in BLOCKS:
            yield from self._flush()

    def _next_marker(self) -> str:
        count = self._lists[-1]
        if count is None:
            return "- "
        self._lists[-1] = count + 1
        return f"{count + 1}. "

    def _taken(self) -> str:
        said = "".join(self._inline)
        self._inline.clear()
        return "\n".join(filter(None, (" ".join(line.split()) for line in said.split("\0"))))

    def _flush(self) -> Iterator[Block]:
        text = self._taken() if self._inline else ""
        if text and self._lists:
            indent = "  " * (len(self._lists) - 1)
            marker, self._marker = self._marker or "  ", ""
            lines = text.split("\n")
            self._items += [indent + (marker if n == 0 else "  ") + line for n, line in enumerate(lines)]
        elif text:
            yield Block(BlockKind.PARAGRAPH, text)

    def _end_list(self) -> Iterator[Block]:
        if self._items:
            yield Block(BlockKind.LIST, "\n".join(self._items))
            self._items = []


def _is_named_furniture(told: Any) -> bool:  # noqa: ANN401
    return any(_FURNITURE_NAMES.search(told.get(name) or "") for name in ("class", "id"))


def _preformatted(node: Any) -> Block:  # noqa: ANN401
    is_code = node.css_first("code, samp, kbd, span") is not None or bool(node.attributes.get("class"))
    text = (node.text(deep=True) or "").strip("\n").rstrip()
    return Block(BlockKind.CODE if is_code else BlockKind.PREFORMATTED, text)


def _is_data(table: Any) -> bool:  # noqa: ANN401
    """Whether it is a table and not a way to lay out a page."""
    if table.attributes.get("role") in ("presentation", "none"):
        return False
    return table.css_first("table, h1, h2, h3, ul, ol, pre, form, div p") is None or table.css_first("th") is not None


def _table(table: Any) -> Iterator[Block]:  # noqa: ANN401
    for unseen in table.css(",".join(sorted(UNSEEN - {"frame"}))):
        unseen.decompose()
    body: list[list[str]] = []
    head: list[str] | None = None
    for row in table.css("tr"):
        cells = [cell for cell in row.iter() if cell.tag in CELLS]
        texts = [cell.text(deep=True, separator=" ") for cell in cells]
        if not any(text.strip() for text in texts):
            continue
        if head is None and not body and all(cell.tag == "th" for cell in cells):
            head = texts
        else:
            body.append(texts)
    if caption := table.css_first("caption"):
        yield Block(BlockKind.PARAGRAPH, " ".join(caption.text(deep=True).split()))
    if body or head:
        yield rows.table(body, head)
