"""HTML read by Lexbor, a parser that follows the HTML standard, through selectolax."""

from __future__ import annotations

import re
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from palimpsest.domain.scrub.elements import BLOCKS, CELLS, UNSEEN

_SPACE = re.compile(r"\s+")
_PREFORMATTED = frozenset(("pre", "textarea", "xmp"))
_OUTSIDE = frozenset(("html", "body", "head"))
_NO_ELEMENT = ("-", "!", "_")


class Lexbor:
    """A `Markup`. The library is loaded at the first text with HTML in it."""

    def to_text(self, html: str) -> str:
        parser = _library().LexborHTMLParser("<!doctype html><body>" + html)
        writer = _Writer()
        if parser.root is not None:
            writer.write(parser.root)
        return "".join(writer.parts)


class _Waiting(NamedTuple):
    """A node to be written; `block`: the innermost block around it, None outside of all; `is_left`: only its end."""

    node: Any
    block: str | None
    is_left: bool = False


class _Writer:
    """Writes what is read of a tree, without recursion: people paste deep ones."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, root: Any) -> None:  # noqa: ANN401 - the library declares no types for nodes
        waiting = [_Waiting(root, None)]
        while waiting:
            node, block, is_left = waiting.pop()
            name = node.tag
            if is_left:
                self._break()
            elif name == "-text":
                self._text(node.text_content or "", block)
            elif name == "br":
                self.parts.append("\n")
            elif name not in UNSEEN and not name.startswith(_NO_ELEMENT):
                waiting += self._entered(node, name, block)

    def _entered(self, node: Any, name: str, block: str | None) -> list[_Waiting]:  # noqa: ANN401
        """What is to be written of an element, last first."""
        is_block = name in BLOCKS and name not in _OUTSIDE
        if is_block:
            self._break()
        elif name in CELLS and self.parts and not self._ends_in(" \n"):
            self.parts.append(" ")
        if block not in _PREFORMATTED and (is_block or name in CELLS or name in _PREFORMATTED):
            block = name
        inside = [_Waiting(child, block) for child in node.iter(include_text=True)]
        return ([_Waiting(node, None, is_left=True)] if is_block else []) + inside[::-1]

    def _text(self, text: str, block: str | None) -> None:
        if block is not None and block not in _PREFORMATTED:
            text = _SPACE.sub(" ", text)
            text = text.lstrip(" ") if self._ends_in(" \n") else text
        if text:
            self.parts.append(text)

    def _break(self) -> None:
        if self.parts and not self._ends_in("\n"):
            self.parts.append("\n")

    def _ends_in(self, signs: str) -> bool:
        return not self.parts or self.parts[-1][-1] in signs


@cache
def _library() -> ModuleType:
    from selectolax import lexbor

    return lexbor
