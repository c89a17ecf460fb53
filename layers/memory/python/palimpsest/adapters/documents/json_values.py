"""JSON: an object as names and values, what is in it under headings, alike objects as a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import IO, Final, TypeAlias

from palimpsest.adapters.documents import rows
from palimpsest.adapters.documents.bytes_as_text import bounded
from palimpsest.domain.errors import Unreadable
from palimpsest.domain.library.blocks import Block, BlockKind, Reading
from palimpsest.ports.document_reader import Endings

_LIMIT_BYTES: Final = 32 * 1024 * 1024
_LINE_BYTES: Final = 4 * 1024 * 1024
_DEEPEST: Final = 100
_TABLE_COLUMNS: Final = 12
_LONG_CHARACTERS: Final = 400
_IN_A_LINE_CHARACTERS: Final = 200

Members: TypeAlias = tuple[tuple[str, "Value"], ...]
"""Of an object, so that a name that is given twice loses nothing."""
Value: TypeAlias = str | bool | list["Value"] | Members | None


class JsonReader:
    """Reads one value; numbers stay as they are spelt."""

    endings: Endings = MappingProxyType({"json": "application/json"})

    def read(self, file: IO[bytes]) -> Reading:
        return Reading(None, _value_blocks(file))


class JsonLinesReader:
    """Reads a value a line, each as a record."""

    endings: Endings = MappingProxyType({"jsonl": "application/x-ndjson", "ndjson": "application/x-ndjson"})

    def read(self, file: IO[bytes]) -> Reading:
        return Reading(None, _line_blocks(file))


def _value_blocks(file: IO[bytes]) -> Iterator[Block]:
    value = _loads(bounded(file, _LIMIT_BYTES))
    if not any(text.strip() for _, text in _leaves("", value)):
        raise Unreadable("no_text")
    yield from _blocks(value, 0)


def _line_blocks(file: IO[bytes]) -> Iterator[Block]:
    is_empty = True
    while line := file.readline(_LINE_BYTES + 1):
        if len(line) > _LINE_BYTES:
            raise Unreadable("too_large")
        if line.strip():
            is_empty = False
            yield rows.record(_leaves("", _loads(line)))
    if is_empty:
        raise Unreadable("empty")


def _loads(content: bytes) -> Value:
    kept: Callable[[str], str] = str
    try:
        text = content.decode(json.detect_encoding(content)).removeprefix("\ufeff")
        value: Value = json.loads(
            text, parse_int=kept, parse_float=kept, parse_constant=kept, object_pairs_hook=_members
        )
    except RecursionError as error:
        raise Unreadable("too_deep") from error
    except UnicodeDecodeError as error:
        raise Unreadable("not_utf8") from error
    except ValueError as error:
        raise Unreadable("damaged") from error
    return _checked(value)


def _members(pairs: list[tuple[str, Value]]) -> Members:
    return tuple(pairs)


def _checked(value: Value) -> Value:
    """The value; Unreadable when it is nested deeper than people write."""
    level: list[Value] = [value]
    for _ in range(_DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return value
    raise Unreadable("too_deep")


def _inside(value: Value) -> Sequence[Value]:
    if isinstance(value, list):
        return value
    return [inner for _, inner in value] if isinstance(value, tuple) else ()


def _leaves(path: str, value: Value) -> Iterator[tuple[str, str]]:
    """Each text and number in a value with the path that leads to it, short arrays in one line."""
    if isinstance(value, tuple):
        for name, inner in value:
            yield from _leaves(f"{path}.{name}" if path else name, inner)
    elif not isinstance(value, list):
        yield path or "value", _said(value)
    elif (joined := _joined(value)) is not None:
        yield path or "value", joined
    else:
        for n, inner in enumerate(value, 1):
            yield from _leaves(f"{path}[{n}]", inner)


def _said(leaf: Value) -> str:
    """A leaf as JSON spells it; nothing for null."""
    if leaf is None:
        return ""
    return str(leaf).lower() if isinstance(leaf, bool) else str(leaf)


def _joined(array: list[Value]) -> str | None:
    """Texts and numbers in one line, where they are nothing else and short."""
    if any(isinstance(each, (list, tuple)) for each in array):
        return None
    joined = ", ".join(map(_said, array))
    return joined if len(joined) <= _IN_A_LINE_CHARACTERS else None


def _blocks(value: Value, depth: int) -> Iterator[Block]:
    if isinstance(value, tuple):
        yield from _object(value, depth)
    elif isinstance(value, list):
        yield from _array(value, depth)
    else:
        yield Block(BlockKind.PARAGRAPH, _said(value))


def _object(members: Members, depth: int) -> Iterator[Block]:
    """First what the object says of itself, then under a heading each what is in it."""
    short = [(name, inner) for name, inner in members if _is_short(inner)]
    if short:
        yield rows.record((name, text) for name, inner in short for _, text in _leaves("", inner))
    for name, inner in members:
        if not _is_short(inner) and inner:
            yield Block(BlockKind.HEADING, name, level=depth + 1)
            yield from _blocks(inner, depth + 1)


def _is_short(value: Value) -> bool:
    if isinstance(value, list):
        return bool(value) and _joined(value) is not None
    return not isinstance(value, tuple) and len(_said(value)) <= _LONG_CHARACTERS


def _array(array: list[Value], depth: int) -> Iterator[Block]:
    if columns := _columns(array):
        body = [[_said(dict(row).get(name)) for name in columns] for row in array if isinstance(row, tuple)]
        if not rows.are_wide(body):
            yield rows.table(body, columns)
            return
    if not any(isinstance(each, (list, tuple)) for each in array):
        yield Block(BlockKind.LIST, "\n".join(f"- {' '.join(_said(each).split())}" for each in array))
        return
    for each in array:
        if isinstance(each, list):
            yield from _array(each, depth)
        else:
            yield rows.record(_leaves("", each))


def _columns(array: list[Value]) -> list[str]:
    """The names that alike objects of texts and numbers have; none when they are something else."""
    names: dict[str, int] = {}
    for each in array:
        if not isinstance(each, tuple) or any(isinstance(inner, (list, tuple)) for _, inner in each):
            return []
        for name, _ in each:
            names[name] = names.get(name, 0) + 1
        if len(names) > _TABLE_COLUMNS:
            return []
    return list(names) if len(array) > 1 and all(2 * count >= len(array) for count in names.values()) else []
