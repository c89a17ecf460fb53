"""Which media type a document has, by what its sender says, else by the end of its path."""

from __future__ import annotations

from typing import Final

MARKDOWN: Final = "text/markdown"
PLAIN: Final = "text/plain"

_BY_ENDING: Final = {
    "md": MARKDOWN,
    "markdown": MARKDOWN,
    "txt": PLAIN,
    "text": PLAIN,
}

READ: Final = frozenset(_BY_ENDING.values())
"""What can be read."""


def media_type_of(path: str, said: str | None) -> str | None:
    """The media type without its parameters; None when it is none of those that are read as files."""
    given = said or _BY_ENDING.get(path.rpartition(".")[2].lower(), PLAIN)
    bare = given.partition(";")[0].strip().lower()
    return bare if bare in READ else None
