"""A query as the one it asks about would put it: what "Anna" did is found in what Anna says, and she says "I"."""

from __future__ import annotations

import re
from collections.abc import Collection

from palimpsest.domain.analysis import fold

_MONTHS = frozenset({"april", "august", "june", "may"})
_OPENING = frozenset({"bill", "chase", "drew", "frank", "grace", "hope", "mark", "pat", "rob", "rose", "sue", "will"})
"""Names that are months, and names that are words with which a question begins."""

_WORD = re.compile(r"(?P<name>[^\W\d_]+)(?P<owns>['’]s\b)?")


def in_own_voice(query: str, speakers: Collection[str]) -> str:
    """An English query with "I" and "my" in place of the first names of those who speak in what is searched.

    For its vector alone: the words of the query stay as they are. Measured on LoCoMo, with vectors of what was said
    without its speaker: 2 in 100 more among the first ten, in a space of six conversations.

    Args:
        query: As it was asked.
        speakers: Names, folded; of several words the first one counts.
    """
    first = {words[0] for speaker in speakers if (words := speaker.split())}

    def said(match: re.Match[str]) -> str:
        name = fold(match["name"].casefold())
        if not match["name"][0].isupper() or name not in first:
            return match[0]
        if match["owns"]:
            return "my"
        return match[0] if name in _MONTHS or (name in _OPENING and not match.start()) else "I"

    return _WORD.sub(said, query)
