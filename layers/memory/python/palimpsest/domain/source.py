"""Where a statement comes from, and how far that can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Trust(StrEnum):
    """Three grades, best first: first hand, by way of a model or an import, from outside."""

    A1 = "a1"
    A2 = "a2"
    B = "b"

    def is_below(self, other: Trust) -> bool:
        """It is worth less than `other`."""
        return _ORDER.index(self) > _ORDER.index(other)


@dataclass(frozen=True, slots=True)
class Source:
    """Who said it, in which session, through which channel; `trust` is what holds, not what was asked for."""

    agent: str = "api"
    session: str | None = None
    channel: str | None = None
    trust: Trust = Trust.A1


_ORDER = (Trust.A1, Trust.A2, Trust.B)
_AGENTS = {
    "api": Trust.A1,
    "user_direct": Trust.A1,
    "confirmed_preference": Trust.A1,
    "first_party_doc": Trust.A1,
    "mcp": Trust.A2,
    "assistant_generated": Trust.A2,
    "import": Trust.A2,
    "conversation": Trust.A2,
}


def agent_trust(agent: str) -> Trust:
    """What a kind of source can ask for; unknown ones are from outside."""
    return _AGENTS.get(agent, Trust.B)


def lowest(*grades: Trust) -> Trust:
    """The grade that holds when several apply."""
    return max(grades, key=_ORDER.index)
