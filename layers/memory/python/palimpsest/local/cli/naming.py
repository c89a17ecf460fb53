"""Problems as the command line tells them: with its own options in place of the API's fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_OPTIONS = {
    "content": "the text",
    "media_type": "the media type",
    "path": "the path",
    "text": "the text",
    "url": "the link",
    "query": "the query",
    "version": "the version",
    "id": "the id",
    "name": "the name",
    "entity_type": "the type",
    "aliases": "the aliases",
    "into": "the other entity",
    "memory_type": "--type",
    "memory_types": "--type",
    "tags": "--tag",
    "pinned": "--pin",
    "spaces": "--for",
    "regions": "--region",
    "redaction": "--treat",
    "redaction_words": "--word",
    "date_from": "--from",
    "date_to": "--to",
}
"""Of fields whose option is not simply called like them."""

_FIELD = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_PREDICATES = ("has", "is", "leads", "must", "names", "needs", "takes")


def lines(document: Mapping[str, Any]) -> list[str]:
    """What a problem says: a line for each thing that is wrong with what was given, else its detail."""
    faults = [fault for fault in document.get("errors") or () if _path(fault)]
    told = [sentence(option(_path(fault)), fault) for fault in faults]
    return told or [str(document.get("detail") or document.get("message") or document.get("title") or "refused")]


def of_item(document: Mapping[str, Any], *, as_fields: bool) -> str:
    """What a problem says of one memory among many, in one line; `as_fields`: the fields are what the person wrote."""
    faults = document.get("errors") or ()
    paths = [_path(fault)[2:] for fault in faults]  # without `memories` and the position in the batch
    if not faults or not all(paths):
        return str(document.get("detail") or document.get("title"))
    names = [".".join(map(str, path)) if as_fields else option(path) for path in paths]
    return "; ".join(sentence(name, fault) for name, fault in zip(names, faults, strict=True))


def option(path: Sequence[str | int]) -> str:
    """The option behind a field: that of its last name, so ``source.agent`` is ``--agent``."""
    names = [part for part in path if isinstance(part, str)]
    return _option(names[-1]) if names else "what was given"


def sentence(name: str, fault: Mapping[str, Any]) -> str:
    """What is wrong with the thing of that name."""
    message = str(fault.get("msg", ""))
    field = next((str(part) for part in reversed(fault.get("loc", ())) if isinstance(part, str)), "")
    if name.startswith(("-", "the ")):
        message = _FIELD.sub(lambda found: _option(found[0]), message)
    first, _, rest = message.partition(" ")
    if first in (field, name, *_PREDICATES):
        return f"{name} {message if first in _PREDICATES else rest}"
    return f"{name}: {message}"


def _option(field: str) -> str:
    return _OPTIONS.get(field) or "--" + field.replace("_", "-")


def _path(fault: Mapping[str, Any]) -> list[str | int]:
    """The way to the field within what was sent; empty when it is not of the caller's making."""
    where, *path = fault.get("loc") or ("",)
    return path if where in ("body", "query", "path") else []
