"""HTML, read by Lexbor through selectolax: of a page its article, else all that a reader sees."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from types import MappingProxyType, ModuleType
from typing import IO, Any, Final

from palimpsest.adapters.documents.bytes_as_text import bounded, known_encoding, marked_encoding
from palimpsest.adapters.documents.html_blocks import Furniture, Outline
from palimpsest.domain.errors import Unreadable
from palimpsest.domain.library.blocks import Block, BlockKind, Reading
from palimpsest.domain.scrub.elements import VOID
from palimpsest.ports.document_reader import Endings

_LIMIT_BYTES: Final = 16 * 1024 * 1024
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w:.-]{2,40})", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_NESTING_NOTHING: Final = VOID | frozenset(("p", "li", "td", "th", "tr", "dt", "dd", "option"))
"""They have no end, or the next one of their kind is theirs."""
_DEEPEST: Final = 4_000
_HEAD_BYTES: Final = 4096
_ENOUGH_CHARACTERS: Final = 200
_PART: Final = 4
"""A reading that finds less than this part of a short page has missed its article."""
_ARTICLES: Final = ("main, [role=main]", "article")


class HtmlReader:
    """Reads pages. What stands around the article (menus, footers, notes on cookies) is left out."""

    endings: Endings = MappingProxyType({"html": "text/html", "htm": "text/html", "xhtml": "application/xhtml+xml"})

    def read(self, file: IO[bytes]) -> Reading:
        html = decoded(bounded(file, _LIMIT_BYTES))
        tree = _tree(html)
        return Reading(_title(tree), _found(tree))


def blocks_of(html: str) -> Iterator[Block]:
    """All that is seen of HTML which is no page, such as that of an e-mail."""
    tree = _tree(html)
    return Outline(frozenset()).blocks(tree.body) if tree.body is not None else iter(())


def decoded(content: bytes, said: str | None = None) -> str:
    """HTML as text: by its first mark, by what its sender says, by what it says itself, else UTF-8 or Windows-1252."""
    declared = _CHARSET.search(content[:_HEAD_BYTES])
    named = (said, declared[1].decode("ascii", "replace") if declared else None)
    encodings = [marked_encoding(content), *map(known_encoding, named)]
    if encoding := next(filter(None, encodings), None):
        # Who can read the declaration has read it as single bytes.
        encoding = "utf-8" if encoding.startswith("utf-16") and encodings[0] is None else encoding
        return content.decode(encoding, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _tree(html: str) -> Any:  # noqa: ANN401 - the library declares no types for nodes
    """Raises Unreadable for what nests so deep that a parser of the standard takes minutes: its time grows squared."""
    around: Counter[str] = Counter()
    depth = 0
    for tag in _TAG.finditer(html):
        is_end, name = tag.groups()
        if name.lower() in _NESTING_NOTHING:
            continue
        if not is_end:
            around[name] += 1
            depth += 1
        elif around[name]:
            around[name] -= 1
            depth -= 1
        if depth > _DEEPEST:
            raise Unreadable("too_deep")
    return _library().LexborHTMLParser(html)


def _title(tree: Any) -> str | None:  # noqa: ANN401
    node = tree.css_first("head title") or tree.css_first("h1")
    return " ".join(node.text(deep=True).split()) or None if node is not None else None


def _found(tree: Any) -> Iterator[Block]:  # noqa: ANN401
    """Blocks of the first reading that finds enough: the article, the page without its furniture, all of it."""
    if tree.body is None:
        raise Unreadable("no_text")
    without = frozenset(Furniture)
    everything = _characters(Outline(frozenset()).blocks(tree.body), _PART * _ENOUGH_CHARACTERS)
    if not everything:
        raise Unreadable("no_text")
    roots = [node for names in _ARTICLES if len(found := tree.css(names)) == 1 for node in found]
    for root in [*roots, tree.body]:
        found = _characters(Outline(without).blocks(root), _ENOUGH_CHARACTERS)
        if found >= min(_ENOUGH_CHARACTERS, everything // _PART + 1):
            return Outline(without).blocks(root)
    return Outline(frozenset()).blocks(tree.body)


def _characters(blocks: Iterator[Block], enough: int) -> int:
    """How many there are outside of headings, counted until there are enough; of headings alone at least one."""
    taken = 0
    for block in blocks:
        taken += len(block.text) if block.kind is not BlockKind.HEADING else not taken
        if taken >= enough:
            break
    return taken


@cache
def _library() -> ModuleType:
    from selectolax import lexbor

    return lexbor
