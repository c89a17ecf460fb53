"""What can be wrong with a request before any use case sees it.

These stand beside the tree of `palimpsest.domain.errors` and belong to HTTP alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.errors import Invalid, PalimpsestError

_NAME_CHARACTERS = 64
_FIELD = re.compile(r"[A-Za-z_-]+")
"""Letters alone: a name with digits may be a number or a key that came to the wrong place."""

_PREDICATES = ("is ", "must ", "needs ", "takes ")
"""How messages begin that make a sentence after the name of the field."""


class Unreadable(PalimpsestError):
    """The body is no JSON text: 400."""


class TooLarge(PalimpsestError):
    """The request is over the limit: 413."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"a request is at most {limit:,} bytes; split it")


class TooLargeToSend(PalimpsestError):
    """What is asked for is larger than an answer may be: 409."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the original is over {limit:,} bytes, which is more than an answer holds; read its chunks")


class NoSuchRoute(PalimpsestError):
    """Nothing is served at this path: 404."""

    def __init__(self) -> None:
        super().__init__("there is no such route; /docs lists the routes")


class MethodNotAllowed(PalimpsestError):
    """The path is served, but not with this method: 405.

    Attributes:
        allowed: The methods that are.
    """

    def __init__(self, allowed: Sequence[str]) -> None:
        super().__init__(f"this path takes {', '.join(allowed)}")
        self.allowed = tuple(allowed)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a request; it never holds what was sent.

    Attributes:
        loc: ``body``, ``query``, ``path`` or ``header``, then the way to the field.
        type: A word for programs.
        msg: A sentence for people.
    """

    loc: tuple[str | int, ...]
    type: str
    msg: str

    @property
    def place(self) -> tuple[str | int, ...]:
        """`loc` as it may be told: an unknown field's name is the caller's own text, told only if it looks like one."""
        return tuple(_told(part) if isinstance(part, str) else part for part in self.loc)


def _told(name: str) -> str:
    return name[:_NAME_CHARACTERS] if _FIELD.fullmatch(name) else "…"


class InvalidRequest(Invalid):
    """The request does not have the shape that the route wants: 422, with everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        first = faults[0]
        field = ".".join(map(str, first.place))
        joint = " " if first.msg.startswith(_PREDICATES) else ": "
        super().__init__(field, f"{field}{joint}{first.msg}")
        self.faults = tuple(faults)
