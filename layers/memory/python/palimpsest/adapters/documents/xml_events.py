"""XML as events, piece by piece; what unfolds or points elsewhere is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import IO, Final
from xml.parsers import expat

from palimpsest.domain.errors import Unreadable

_PIECE_BYTES: Final = 64 * 1024
_SPACE: Final = " "


class Happening(Enum):
    """What an event is."""

    START = "start"
    END = "end"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Event:
    """`said`: the name of an element without its namespace, or text. `told`: the attributes, named likewise."""

    kind: Happening
    said: str
    told: dict[str, str] = field(default_factory=dict)


def events(file: IO[bytes]) -> Iterator[Event]:
    """What is in the file, in order.

    Raises:
        Unreadable: It is no XML, or has a document type: that is where entities are declared.
    """
    found: list[Event] = []
    parser = expat.ParserCreate(namespace_separator=_SPACE)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = lambda name, told: found.append(
        Event(Happening.START, _bare(name), {_bare(each): value for each, value in told.items()})
    )
    parser.EndElementHandler = lambda name: found.append(Event(Happening.END, _bare(name)))
    parser.CharacterDataHandler = lambda text: found.append(Event(Happening.TEXT, text))
    try:
        while piece := file.read(_PIECE_BYTES):
            parser.Parse(piece, False)
            yield from found
            found.clear()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Unreadable("damaged") from error
    yield from found


def _refuse(*_: object) -> None:
    raise Unreadable("xml_entities")


def _bare(name: str) -> str:
    return name.rpartition(_SPACE)[2]
