"""What is wrong with a field and what it takes, in this project's own words; never with what was sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

from palimpsest.api.wire.fields import (
    ENTITY_NAMES,
    ENTITY_PATTERN,
    MEMORY_NAMES,
    MEMORY_PATTERN,
    REGION_NAMES,
    REGION_PATTERN,
    SPACE_NAMES,
    SPACE_PATTERN,
    SPACE_PATTERNS,
    SPACE_PATTERNS_PATTERN,
)

OBJECT = "must be a JSON object"
GIVEN_TWICE = "is given more than once; send it once"
UNKNOWN_FIELD = "is not known here; /docs lists the fields of each route"
_OTHER = "does not fit; /docs says what belongs here"
_WHOLE, _NUMBER, _FLAG, _LIST = (
    "must be a whole number",
    "must be a number",
    "must be true or false",
    "must be a list",
)
_QUOTED = re.compile(r"'([^']*)'")

_PLAIN: Mapping[str, str] = {
    "missing": "is missing and has to be given",
    "extra_forbidden": UNKNOWN_FIELD,
    "string_type": "must be a text",
    "string_unicode": "must be a text of whole characters",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _FLAG,
    "bool_parsing": _FLAG,
    "tuple_type": _LIST,
    "list_type": _LIST,
    "dict_type": OBJECT,
    "model_type": OBJECT,
    "model_attributes_type": OBJECT,
}

_WITH_LIMIT: Mapping[str, tuple[str, str]] = {
    "greater_than_equal": ("ge", "must be at least {:,}"),
    "greater_than": ("gt", "must be more than {:,}"),
    "less_than_equal": ("le", "must be at most {:,}"),
    "less_than": ("lt", "must be less than {:,}"),
    "too_short": ("min_length", "needs at least {:,}"),
    "too_long": ("max_length", "takes at most {:,}"),
    "string_too_short": ("min_length", "must have at least {:,} characters"),
    "string_too_long": ("max_length", "must have at most {:,} characters"),
}

_PATTERNS: Mapping[str, str] = {
    ENTITY_PATTERN: f"must be {ENTITY_NAMES}",
    MEMORY_PATTERN: f"must be {MEMORY_NAMES}",
    REGION_PATTERN: f"must be {REGION_NAMES}",
    SPACE_PATTERN: f"must be {SPACE_NAMES}",
    SPACE_PATTERNS_PATTERN: f"must be {SPACE_PATTERNS}",
}


def worded(reported: Mapping[str, Any]) -> str:
    """The sentence for one of pydantic's errors. What was refused by `wire.fields.refused` has our words already."""
    kind = reported["type"]
    context = reported.get("ctx") or {}
    name, sentence = _WITH_LIMIT.get(kind, ("", ""))
    if name in context:
        return sentence.format(context[name])
    if kind in ("enum", "literal_error"):
        return "must be one of: " + ", ".join(_QUOTED.findall(str(context.get("expected", ""))))
    if kind == "string_pattern_mismatch":
        return _PATTERNS.get(str(context.get("pattern")), _OTHER)
    return _PLAIN.get(kind) or (str(reported["msg"]) if _is_ours(reported) else _OTHER)


def unknown_parameter(known: frozenset[str]) -> str:
    """The sentence for a name in the query string that the route does not take."""
    return "is not known here; this route takes " + (", ".join(sorted(known)) or "no parameters")


def _is_ours(reported: Mapping[str, Any]) -> bool:
    from pydantic_core.core_schema import ErrorType  # only when something is refused

    return reported["type"] not in get_args(ErrorType) or (reported["type"] == "too_long" and not reported.get("ctx"))
