"""E-mail addresses, in any script; no user of a URL, no file or package with an at sign in its name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palimpsest.domain.scrub.kinds import Found, Kind

_ADDRESS = re.compile(
    r"(?<![\w@])\w[\w.+'%-]{0,63}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+(?P<last>[^\W\d_]{2,24}|xn--[a-z0-9-]{2,59})(?![\w@])",
    re.IGNORECASE,
)
_URL_USER = re.compile(r"://[^\s/]*$")
_REMOTE_PATH = re.compile(r":[\w~/.-]")
_URL_CHARACTERS = 300
_ENDS_OF_NAMES = """
png jpg jpeg gif svg webp bmp ico pdf js mjs ts tsx jsx css scss html json yaml yml toml lock service timer socket
target mount slice scope device path automount swap
"""
_NO_DOMAINS = frozenset(_ENDS_OF_NAMES.split())
"""Ends of file and unit names that are no top-level domains."""


def addresses(text: str) -> Iterator[Found]:
    """The addresses in a text."""
    if "@" not in text:
        return
    for match in _ADDRESS.finditer(text):
        before = text[max(0, match.start() - _URL_CHARACTERS) : match.start()]
        is_remote = match[0].startswith("git@") and _REMOTE_PATH.match(text, match.end())
        if match["last"].lower() not in _NO_DOMAINS and not is_remote and not _URL_USER.search(before):
            yield Found(match.start(), match.end(), Kind.EMAIL)
