"""The types that the models are made of. Each lets in what the core can hold and nothing else."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Annotated, TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    Strict,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from palimpsest.domain import instants, text
from palimpsest.domain.errors import Invalid, TooLong

SPACE_PATTERN = r"^[A-Za-z0-9_.@-]{1,128}$"
SPACE_NAMES = "1 to 128 of A-Z a-z 0-9 _ . @ -"
SPACE_PATTERNS_PATTERN = r"^(?:[A-Za-z0-9_.@-]{1,128}|[A-Za-z0-9_.@-]{0,127}\*)$"
SPACE_PATTERNS = f"{SPACE_NAMES}, or a prefix of such a name that ends in *"

MEMORY_PATTERN = r"^mem_[0-7][0-9A-HJKMNP-TV-Z]{25}$"
MEMORY_NAMES = "the id of a memory, as mem_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z, without a version"

ENTITY_PATTERN = r"^ent_[0-7][0-9A-HJKMNP-TV-Z]{25}$"
ENTITY_NAMES = "the id of an entity, as ent_01JA7Z3M6Q8R9S0T1V2W3X4Y5Z"

REGION_PATTERN = r"^[A-Z]{2}$"
REGION_NAMES = "a country in two capital letters, such as PL"

ZONE_PATTERN = r"^[A-Za-z0-9_+/-]{1,64}$"

METADATA_DEPTH = 32
"""How deep metadata may be nested, itself counted."""

Value = TypeVar("Value")


class Request(BaseModel):
    """What a caller sends."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def __repr__(self) -> str:
        """Without what was sent: Powertools spells out its arguments for a debug line that nobody reads."""
        return f"<{type(self).__name__}>"

    __str__ = __repr__


class Answer(BaseModel):
    """What a caller is told."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, serialize_by_alias=True)


def is_none(value: object) -> bool:
    """Marks a field that is left out of an answer while there is nothing to tell."""
    return value is None


def refused(kind: str, message: str) -> PydanticCustomError:
    """A refusal that becomes one of a problem's `errors`."""
    # To pydantic the message is a format string.
    return PydanticCustomError(kind, message.replace("{", "{{").replace("}", "}}"))


def told(check: Callable[..., Value], value: object) -> Value:
    """`check(value)`, with the domain's refusals turned into pydantic's."""
    try:
        return check(value)
    except Invalid as error:
        raise refused("too_long" if isinstance(error, TooLong) else "invalid", str(error)) from error


def _accepted(name: str, *, characters: int | None = None, size_bytes: int | None = None) -> AfterValidator:
    check = partial(text.accept, field=name, limit_characters=characters, limit_bytes=size_bytes)
    return AfterValidator(partial(told, check))


def _length(most: int) -> FieldInfo:
    info: FieldInfo = Field(json_schema_extra={"minLength": 1, "maxLength": most})
    return info


def _instant(value: object) -> datetime:
    if not isinstance(value, str):
        raise refused("instant_type", "give a date or an instant as text")
    return told(instants.parse, value)


def _last_instant(value: object) -> datetime:
    if not isinstance(value, str):
        raise refused("instant_type", "give a date or an instant as text")
    return told(instants.parse_last, value)


def zone(name: str) -> tzinfo:
    """The time zone of that name, from the data of the system, else of the package tzdata.

    Raises:
        Invalid: There is none.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise Invalid("tz", "no such time zone is known here; give one of IANA, such as Europe/Warsaw") from error


def _zone(name: str) -> str:
    told(zone, name)
    return name


def _metadata(value: object) -> str:
    if not isinstance(value, dict):
        raise refused("object_type", "must be a JSON object")
    _require_storable(value)
    written = _dumped(value)
    if not unicodedata.is_normalized("NFC", written):
        written = _dumped(json.loads(unicodedata.normalize("NFC", written)))
    if len(written.encode()) > text.METADATA_BYTES:
        raise refused("too_long", f"metadata is over the limit of {text.METADATA_BYTES:,} bytes; shorten it")
    return written


def _require_storable(value: object) -> None:
    for part, depth in _parts(value):
        if not isinstance(part, str):
            if depth > METADATA_DEPTH:
                raise refused("too_deep", f"metadata is nested deeper than {METADATA_DEPTH} levels; flatten it")
        elif "\0" in part or any("\ud800" <= character <= "\udfff" for character in part):
            raise refused("invalid", "metadata holds a NUL character or half of a surrogate pair; take it out")


def _parts(value: object) -> Iterator[tuple[object, int]]:
    waiting = [(value, 1)]
    while waiting:
        part, depth = waiting.pop()
        yield part, depth
        if isinstance(part, dict):
            waiting += [
                (each, depth + 1) for pair in part.items() for each in pair if isinstance(each, str | dict | list)
            ]
        elif isinstance(part, list):
            waiting += [(each, depth + 1) for each in part if isinstance(each, str | dict | list)]


def _dumped(value: object) -> str:
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise refused("invalid", "metadata holds a number that JSON has no form for; take it out") from error


_INSTANT_SCHEMA = {
    "type": "string",
    "description": "RFC 3339 with any offset, or a date, which means its first moment in UTC.",
    "anyOf": [{"format": "date-time"}, {"format": "date"}],
    "examples": ["2026-03-01T09:30:00Z", "2026-03-01"],
}

_LAST_INSTANT_SCHEMA = {
    **_INSTANT_SCHEMA,
    "description": "RFC 3339 with any offset, or a date, which means its last moment in UTC.",
}

Content: TypeAlias = Annotated[
    str, Strict(), _accepted("content", size_bytes=text.CONTENT_BYTES), _length(text.CONTENT_BYTES)
]
Question: TypeAlias = Annotated[
    str, Strict(), _accepted("query", characters=text.QUERY_CHARACTERS), _length(text.QUERY_CHARACTERS)
]
Name: TypeAlias = Annotated[
    str, Strict(), _accepted("the text", characters=text.NAME_CHARACTERS), _length(text.NAME_CHARACTERS)
]
LibraryPath: TypeAlias = Annotated[
    str, Strict(), _accepted("path", characters=text.PATH_CHARACTERS), _length(text.PATH_CHARACTERS)
]
Tag: TypeAlias = Annotated[
    str, Strict(), _accepted("a tag", characters=text.TAG_CHARACTERS), _length(text.TAG_CHARACTERS)
]
Word: TypeAlias = Annotated[
    str, Strict(), _accepted("a word", characters=text.TAG_CHARACTERS), _length(text.TAG_CHARACTERS)
]
Range: TypeAlias = Annotated[tuple[int, ...], Field(min_length=2, max_length=2)]
Tags: TypeAlias = Annotated[tuple[Tag, ...], Field(max_length=text.TAGS)]
Region: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=REGION_PATTERN)]
Space: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=SPACE_PATTERN)]
SpacePattern: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=SPACE_PATTERNS_PATTERN)]
MemoryName: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=MEMORY_PATTERN)]
Zone: TypeAlias = Annotated[str, StringConstraints(strict=True, pattern=ZONE_PATTERN), AfterValidator(_zone)]
"""The name of a time zone that is known here."""
Instant: TypeAlias = Annotated[datetime, PlainValidator(_instant), WithJsonSchema(_INSTANT_SCHEMA)]
LastInstant: TypeAlias = Annotated[datetime, PlainValidator(_last_instant), WithJsonSchema(_LAST_INSTANT_SCHEMA)]
Metadata: TypeAlias = Annotated[
    str, PlainValidator(_metadata), WithJsonSchema({"type": "object", "additionalProperties": True})
]
"""A JSON object, as canonical JSON text."""
Flag: TypeAlias = Annotated[bool, Strict()]
WrittenInstant: TypeAlias = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""RFC 3339 in UTC with ``Z``, to the millisecond."""
