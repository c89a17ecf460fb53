"""What a server can do, found out when an index is made and kept with its generation as words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_ENGINE: Final = "engine="
_WORDS: Final = {
    "ids": "has_ids",
    "versions": "has_versions",
    "deletes": "has_deletes",
    "refresh": "has_refresh",
}


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What the server does.

    Attributes:
        engine: Of the vectors, as the mapping names it; empty where the server chooses.
        has_ids: Takes document ids of ours.
        has_versions: Refuses an older version of a document.
        has_deletes: Deletes documents by id.
        has_refresh: Shows what was written when it is asked to.
    """

    engine: str = ""
    has_ids: bool = False
    has_versions: bool = False
    has_deletes: bool = False
    has_refresh: bool = False

    @classmethod
    def of(cls, words: Iterable[str]) -> Capabilities:
        """What `words` gave."""
        known = set(words)
        engine = next((word.removeprefix(_ENGINE) for word in known if word.startswith(_ENGINE)), "")
        return cls(engine, **{field: word in known for word, field in _WORDS.items()})

    def words(self) -> tuple[str, ...]:
        """These capabilities as they are kept, in order."""
        said = [word for word, field in _WORDS.items() if getattr(self, field)]
        return tuple(sorted([f"{_ENGINE}{self.engine}", *said]))
