"""Which media type a document has, by what its sender says, else by the end of its path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PLAIN: Final = "text/plain"
_SAYS_NOTHING: Final = frozenset(("", "application/octet-stream", "binary/octet-stream"))


@dataclass(frozen=True, slots=True)
class MediaTypes:
    """Those that are read. `by_ending`: a media type for each ending of a path."""

    by_ending: Mapping[str, str]

    def of(self, path: str, said: str | None) -> str | None:
        """The media type without its parameters; None when it is none of those that are read.

        A sender who says that it is bytes has said nothing. A path whose ending is unknown is that of a text.
        """
        bare = (said or "").partition(";")[0].strip().lower()
        if bare in _SAYS_NOTHING:
            ending = path.replace("\\", "/").rpartition("/")[2].rpartition(".")[2].lower()
            bare = self.by_ending.get(ending, "" if bare else PLAIN)
        return bare if bare in self.by_ending.values() else None
