"""Every text in a JSON object, names of members included, each under the path where it stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Container
from functools import partial
from itertools import count

PathOf = Callable[[str], str]
"""The path of a text, from the text as it is stored: a name of a member is part of its own path."""

Clean = Callable[[str, PathOf, str], str]
"""A text, its path, and the name it stands under (empty for a name itself) to the text that is stored."""


def clean_json(text: str, clean: Clean, path: str) -> str:
    """A JSON object as text with every text in it cleaned; as it came when that changes nothing.

    A whole number that is cleaned becomes the text in its place. Members whose names become the same are numbered, so
    that none is lost.
    """
    if text == "{}":
        return text
    value = json.loads(text)
    cleaned = _clean(value, clean, path, "")
    if cleaned == value:
        return text
    return json.dumps(cleaned, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _clean(value: object, clean: Clean, path: str, name: str) -> object:
    if isinstance(value, str):
        return clean(value, lambda _: path, name) if value else value
    if isinstance(value, int) and not isinstance(value, bool):
        written = str(value)
        cleaned = clean(written, lambda _: path, name)
        return value if cleaned == written else cleaned
    if isinstance(value, list):
        return [_clean(each, clean, f"{path}/{place}", name) for place, each in enumerate(value)]
    return _members(value, clean, path) if isinstance(value, dict) else value


def _members(value: dict[str, object], clean: Clean, path: str) -> dict[str, object]:
    members: dict[str, object] = {}
    for name, each in value.items():
        kept = {**members, **{other: None for other in value if other != name}}
        said = _free(clean(name, partial(_path_of_name, path, kept), ""), kept) if name else name
        members[said] = _clean(each, clean, f"{path}/{_escaped(said)}", name)
    return members


def _free(name: str, kept: Container[str]) -> str:
    """The name, with a number when another member has it."""
    numbered = (f"{name} {number}" for number in count(2))
    return name if name not in kept else next(each for each in numbered if each not in kept)


def _path_of_name(path: str, kept: Container[str], name: str) -> str:
    return f"{path}/{_escaped(_free(name, kept))}#"


def _escaped(name: str) -> str:
    """As in a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")
