"""Whether what stands behind the name of a secret is one, or a type, a blank, a path, a piece of code or prose."""

from __future__ import annotations

import re

_PLACE_OF_ONE = re.compile(
    r"<|\{|%\(|%\w+%|\[(?:REDACTED|EMAIL|PHONE|ID|IBAN|CARD)|\$(?:[{(]|[A-Za-z_]\w*$)|\*|\.\.\.|…|[x•]{3,}|your[_-]|changeme$",
    re.IGNORECASE,
)
_HAS_STARS = re.compile(r"\*{3}|\.\.\.|…|•{3}|\{\{|\$\{|%\(")
_REFERENCE = re.compile(r"[a-z][a-z0-9+.-]*:/|[~.]{0,2}/|[A-Za-z]:\\|!|@[\w.]+$|arn:", re.IGNORECASE)
_DOTTED_NAMES = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+\W*")
_CALL = re.compile(r"[A-Za-z_][\w.]*[(\[]")
_NO_SECRETS = """
str string text bytes bytearray none null nil undefined true false yes no on off required optional hidden secret
password passwd token tokens key value type types object any int integer number varchar char default example
placeholder empty unset missing wrong incorrect invalid valid expired reset changed unknown prompt ask env basic bearer
secretstr securestring charfield function const let var self this test foo bar hasło haslo brak puste nowe stare puste
"""
_WORDS = frozenset(_NO_SECRETS.split())
_CHUNK = re.compile(r"[^\W_]{8,}")
"""A part of a value that is long enough to show that chance made it."""

_VARIABLE = re.compile(r"[^\W\d]\w*")
_NO_LETTER = re.compile(r"[^a-z]", re.IGNORECASE)
_CALLED_ONE = re.compile(r"token|key|jwt|secret|auth|bearer|here|example|plm_$", re.IGNORECASE)
_SPACE, _DIGIT, _LETTER = re.compile(r"\s"), re.compile(r"\d"), re.compile(r"[^\W\d_]")
_SIGN = re.compile(r"[^\w'’-]|_")
_LONG = 16
_LEAST_PASSWORD = 4
_LONG_RANDOM = 32


def is_place_of_one(value: str) -> bool:
    """The value stands in for a secret: a variable, a template, stars, a type."""
    return bool(_PLACE_OF_ONE.match(value) or _HAS_STARS.search(value)) or value.lower().strip(".,:;)(&*") in _WORDS


def is_code(value: str) -> bool:
    """The value is looked up or computed: names with dots between them, a call, a subscript."""
    return bool(_CALL.match(value) or _DOTTED_NAMES.fullmatch(value))


def is_reference(value: str) -> bool:
    """The value says where something lies, and is not long and random itself."""
    return _REFERENCE.match(value) is not None and not (len(value) >= _LONG_RANDOM and _is_mixed(value))


def is_named_like(value: str, name: str) -> bool:
    """The value is a variable that is called like what it holds: ``client_secret=google_client_secret``."""
    called = _NO_LETTER.sub("", value).lower()
    return _VARIABLE.fullmatch(value) is not None and called.endswith(_NO_LETTER.sub("", name))


def is_sent(value: str) -> bool:
    """What stands in a header, where prose and templates have words such as ``token`` or ``YOUR_API_KEY``."""
    value = value.rstrip(".")
    return is_strong(value) and not is_place_of_one(value) and not _CALLED_ONE.search(value)


def is_random(value: str) -> bool:
    """Long, without spaces, with letters and digits among each other as chance puts them."""
    if len(value) < _LONG or _SPACE.search(value):
        return False
    return any(_has_both(chunk) for chunk in _CHUNK.findall(value)) or (len(value) >= _LONG_RANDOM and _is_mixed(value))


def is_strong(value: str) -> bool:
    """As people make passwords: digits, signs or capitals inside, and not a word of a language."""
    if not is_long_enough(value):
        return False
    inner = value[:-1] if value[-1] in "!?" else value
    is_camel = inner[1:] != inner[1:].lower() and inner != inner.upper()
    return bool(_DIGIT.search(value) or _SIGN.search(inner)) or is_camel or inner.count("-") > 1


def is_long_enough(value: str) -> bool:
    """At least four characters."""
    return len(value) >= _LEAST_PASSWORD


def _has_both(text: str) -> bool:
    return bool(_DIGIT.search(text) and _LETTER.search(text))


def _is_mixed(value: str) -> bool:
    return _has_both(value) and value != value.lower() and value != value.upper()
