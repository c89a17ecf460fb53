"""The choices of a command, over those of cdk.json, checked before cdk is started."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from infra.context import ContextError, Options, read_options

FILE = Path(__file__).resolve().parents[1] / "cdk.json"
_OPTIONS = ("-c", "--context")
_OURS_ALONE = {"api_host"}
"""Set by `make deploy` itself."""


def read_choices(arguments: Sequence[str], file: Path = FILE) -> Options:
    """What a command with these arguments for cdk deploys.

    Raises:
        ContextError: A name is unknown, or a value means nothing; one sentence.
    """
    chosen: dict[str, object] = {**_of_file(file), **dict(map(_pair, _given(arguments)))}
    _check_names(chosen)
    return read_options(chosen.get)


def _of_file(file: Path) -> Mapping[str, object]:
    context: Mapping[str, object] = json.loads(file.read_text("utf-8")).get("context", {})
    return context


def _given(arguments: Sequence[str]) -> Iterable[str]:
    for before, argument in zip(("", *arguments), arguments, strict=False):
        name, _, value = argument.partition("=")
        if before in _OPTIONS:
            yield argument
        elif name in _OPTIONS and value:
            yield value


def _pair(text: str) -> tuple[str, str]:
    name, is_given, value = text.partition("=")
    if not is_given:
        raise ContextError(f"{name!r} is no choice; write NAME=VALUE, such as search=off")
    return name, value


def _check_names(chosen: Iterable[str]) -> None:
    known = {each.name for each in fields(Options)}
    unknown = sorted(name for name in chosen if name not in known and not _is_of_cdk(name))
    if unknown:
        listed = ", ".join(sorted(known - _OURS_ALONE))
        raise ContextError(f"there is no choice {', '.join(unknown)}; there are: {listed}")


def _is_of_cdk(name: str) -> bool:
    """Its flags and what it looked up (`@aws-cdk/…`, `aws-cdk:…`)."""
    return name.startswith("@") or ":" in name
