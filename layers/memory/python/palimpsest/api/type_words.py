"""The type of a field in words, as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, TypeAlias

from palimpsest.api.wire.fields import ENTITY_PATTERN, MEMORY_PATTERN, SPACE_PATTERN, SPACE_PATTERNS_PATTERN

Schema: TypeAlias = Mapping[str, Any]

_PLAIN = {"boolean": "true or false", "object": "object", "null": "null"}
_NUMBERS = {"integer": "whole number", "number": "number"}
_PATTERNS = {
    SPACE_PATTERN: "name of a space",
    SPACE_PATTERNS_PATTERN: "name of a space, or a prefix with *",
    ENTITY_PATTERN: "id of an entity",
    MEMORY_PATTERN: "id of a memory",
}


def type_words(schema: Schema, named: Mapping[str, Schema]) -> str:
    """Such as "list (at most 64) of text"; `named` are the schemas that references lead to."""
    if "$ref" in schema:
        return _reference(str(schema["$ref"]).rpartition("/")[2], named)
    if "const" in schema or "enum" in schema:
        return _choices(schema.get("enum") or [schema["const"]])
    kind = schema.get("type")
    if kind == "string":
        return _text(schema)
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_words(each, named) for each in schema["anyOf"]))
    if kind == "array":
        size = _range(schema, "minItems", "maxItems")
        return f"list{f' ({size})' if size else ''} of {type_words(schema['items'], named)}"
    if kind in _NUMBERS:
        return ", ".join(filter(None, (_NUMBERS[kind], _range(schema, "minimum", "maximum"))))
    return _PLAIN.get(str(kind), "anything")


def _reference(name: str, named: Mapping[str, Schema]) -> str:
    if "enum" in named[name]:
        return _choices(named[name]["enum"])
    return f"<a href='#{escape(name)}'>{escape(name)}</a>"


def _choices(words: list[object]) -> str:
    return "one of " + ", ".join(f"<code>{escape(str(word))}</code>" for word in words)


def _text(schema: Schema) -> str:
    if schema.get("pattern") in _PATTERNS:
        return _PATTERNS[schema["pattern"]]
    if schema.get("format") == "date-time":
        return "instant"
    if "anyOf" in schema:
        return "date or instant"
    most = schema.get("maxLength", 0)
    return "text" + (f", at most {most:,} characters" if 0 < most < 100_000 else "")


def _range(schema: Schema, least: str, most: str) -> str:
    low, high = schema.get(least), schema.get(most)
    if high is None:
        return "" if low is None else f"at least {low:,g}"
    return f"at most {high:,g}" if low is None else f"{low:,g} to {high:,.10g}"
