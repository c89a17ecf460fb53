"""The filters that say where something comes from and what it is marked with, for every request that narrows."""

from __future__ import annotations

import json
import unicodedata
from typing import Annotated, Any, TypeAlias

from pydantic import Field, PlainValidator, WithJsonSchema

from palimpsest.api.wire.fields import Name, Request, refused
from palimpsest.domain import text
from palimpsest.domain.source import Trust
from palimpsest.domain.traits import Scalar

NAMES = 16
VALUES = 64
"""What a filter by metadata asks for at most, so that no search is made of thousands of clauses."""

MetadataPairs: TypeAlias = tuple[tuple[str, tuple[Scalar, ...]], ...]


def _metadata(value: object) -> MetadataPairs:
    if isinstance(value, str):  # as a parameter of an address has it
        try:
            value = json.loads(value, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise refused("object_type", "must be a JSON object") from None
    if not isinstance(value, dict):
        raise refused("object_type", "must be a JSON object")
    if len(value) > NAMES:
        raise refused("too_long", f"a filter asks for at most {NAMES} names of metadata")
    return tuple((_text(name), _values(given)) for name, given in value.items())


def _no_constant(name: str) -> object:
    raise ValueError(name)


def _values(given: object) -> tuple[Scalar, ...]:
    values: list[Any] = given if isinstance(given, list) else [given]
    if not 1 <= len(values) <= VALUES:
        raise refused("invalid", f"give 1 to {VALUES} values for a name")
    if any(isinstance(each, dict | list) for each in values):
        raise refused("invalid", "metadata is filtered by plain values: texts, numbers, true, false, null")
    return tuple(_text(each) if isinstance(each, str) else each for each in values)


def _text(given: str) -> str:
    if len(given) > text.METADATA_BYTES or "\0" in given or any("\ud800" <= each <= "\udfff" for each in given):
        raise refused("invalid", "a text is too long, or holds a NUL character or half of a surrogate pair")
    return unicodedata.normalize("NFC", given)


_SCHEMA: dict[str, Any] = {"type": "object", "maxProperties": NAMES, "additionalProperties": True}

MetadataFilter: TypeAlias = Annotated[MetadataPairs, PlainValidator(_metadata), WithJsonSchema(_SCHEMA)]
"""For each name a plain value, or a list of which any will do."""

Agents: TypeAlias = Annotated[tuple[Name, ...], Field(max_length=VALUES)]


class Narrowed(Request):
    """What a recall can be narrowed to beside type, level, tags and time."""

    metadata: MetadataFilter | None = None
    session: Name | None = None
    channel: Name | None = None
    attributed_to: Name | None = None
    source_agents: Agents = ()
    exclude_source_agents: Agents = ()
    min_trust: Trust | None = None
    entity: Name | None = None
    subject: Name | None = None
