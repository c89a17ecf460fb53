"""Secrets that a name stands before: ``password: …``, ``API_KEY=…``, ``Authorization: Bearer …``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palimpsest.domain.scrub import secret_values as values
from palimpsest.domain.scrub.kinds import Found, Kind

_HINTS = ("pass", "pwd", "hasł", "hasl", "secret", "token", "key", "klucz", "bearer", "authorization", "credential")
_NAME = re.compile(
    r"(?P<password>passw(?:or)?d|passphrase|passcode|pwd|pass|has[łl]o|(?:client|app|api|consumer)[ _-]?secret)"
    r"|(?P<key>secret(?:[ _-]?(?:access[ _-]?)?key)?|token|credentials?|api[ _-]?key|klucz[ _-]api)"
    r"|(?P<other>key)"
)
"""In small letters: the names of secrets, as parts of longer ones."""

_SUFFIX = re.compile(
    r"(?:[_-](?:base|value|text|prod|dev|test|live|staging|new|old|\d+)|\d{1,2})*(?![\w-])", re.IGNORECASE
)
_JOIN = re.compile(
    r"[\"'`\])*]{0,4}[ \t]*(?::=|=>|[:=])[ \t]*|[\"'][ \t]*,[ \t]*(?=[\"'])|[\"'][ \t]+value[ \t]*=[ \t]*(?=[\"'])"
)
_FAR_JOIN = re.compile(r"(?:[ \t]+[^\W\d][\w.@-]{0,20}){1,3}[ \t]*[:=][ \t]*|[ \t]+[-–—][ \t]+")
_BESIDE = re.compile(r"[ \t]+(?=[^\s=:])")
_ASKED_FOR = re.compile(r"(?:login|user)[ \t]+\S{1,100}[ \t]+$|(?<!\S)--[\w-]*$", re.IGNORECASE)
_QUOTED = re.compile(
    r"\"(?P<a>[^\"\n]{1,500})\"|'(?P<b>[^'\n]{1,500})'|`(?P<c>[^`\n]{1,500})`|[„“](?P<d>[^”“\n]{1,500})[”“]"
)
_BARE = re.compile(r"[^\s,;\"'<>`]{1,500}")
_PARAMETER = re.compile(r"&(?:amp;)?[\w.-]+=")
_GOES_ON = re.compile(r"[ \t]*[^\s,;.)\]}\"'#/–—(-]")
_ANNOTATES = re.compile(r"[ \t]*[=|]|[ \t]*\[")
_NO_SECRETS = re.compile(
    r"(?:primary|foreign|partition|sort|cache|public|hash|object|idempotency|range|group|dedup\w*)[_-]?$", re.IGNORECASE
)
_HEADER = re.compile(
    r"authorization[\"']?[ \t]*[:=,][ \t]*[\"']?(?:(?:token|apikey|api-key)[ \t]+(?P<token>[\w.~+/=-]{16,})"
    r"|basic[ \t]+(?P<basic>[A-Za-z0-9+/]{8,}={0,2})|bearer[ \t]+(?P<sent>[\w.~+/-]{4,}=*)(?![\w.~+/=<>{$(\[-]))"
    r"|(?<![^\W_])bearer[ \t]+(?P<bearer>[\w.~+/-]{16,}=*)",
    re.IGNORECASE,
)
_BEFORE = 120
_SECRET = "secret"  # noqa: S105 - the end of a name


def named(text: str) -> Iterator[Found]:
    """The secrets in a text that a name stands before; the name stays."""
    lowered = _lowered(text)
    if not any(hint in lowered for hint in _HINTS):
        return
    for match in _NAME.finditer(lowered):
        found = _value(text, match)
        if found is not None:
            yield Found(*found, Kind.SECRET)
    for match in _HEADER.finditer(text):
        start, end = match.span(match.lastgroup or 0)
        value = text[start:end]
        is_sent = match.lastgroup == "sent" and values.is_sent(value)
        if match.lastgroup == "basic" or is_sent or values.is_random(value):
            yield Found(start, end, Kind.SECRET)


def _lowered(text: str) -> str:
    """Small letters, each where its capital stood: there are capitals with two of them."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)


def _value(text: str, name: re.Match[str]) -> tuple[int, int] | None:
    suffix = _SUFFIX.match(text, name.end())
    if suffix is None or (name[0] == "pass" and text[name.start() - 1 : name.start()].isalpha()):
        return None
    join = _JOIN.match(text, suffix.end())
    is_far = join is None
    if join is None:
        beside = _ASKED_FOR.search(text, max(0, name.start() - _BEFORE), name.start())
        join = _BESIDE.match(text, suffix.end()) if beside else None
        join = join or (_FAR_JOIN.match(text, suffix.end()) if name["password"] or name["key"] else None)
    if join is None:
        return None
    place = _place(text, join.end())
    return place if place is not None and _is_secret(text, name, place, is_far=is_far) else None


def _place(text: str, start: int) -> tuple[int, int] | None:
    quoted = _QUOTED.match(text, start)
    if quoted is not None:
        return quoted.span(quoted.lastgroup or 0)
    bare = _BARE.match(text, start)
    if bare is None:
        return None
    parameter = _PARAMETER.search(text, start, bare.end())
    end = parameter.start() if parameter else bare.end()
    while end > start and (text[end - 1] in ".,:;" or _is_loose_bracket(text, start, end)):
        end -= 1
    return (start, end) if end > start else None


def _is_loose_bracket(text: str, start: int, end: int) -> bool:
    return any(
        text[end - 1] == closing and opening not in text[start : end - 1] for opening, closing in ("()", "[]", "{}")
    )


def _is_secret(text: str, name: re.Match[str], place: tuple[int, int], *, is_far: bool) -> bool:
    start, end = place
    value = text[start:end]
    is_quoted = start > 0 and text[start - 1] in "\"'`„“"
    if values.is_place_of_one(value) or values.is_reference(value) or (not is_quoted and _is_code(value, name[0])):
        return False
    if name["password"]:
        is_one = _is_password(text, name, place, is_quoted=is_quoted, is_far=is_far)
        return is_one or (name[0].endswith(_SECRET) and values.is_random(value))
    if name["other"] and not _names_a_key(text, name.start()):
        return False
    return values.is_random(value)


def _is_code(value: str, name: str) -> bool:
    return values.is_code(value) or (name.endswith(_SECRET) and values.is_named_like(value, name))


def _names_a_key(text: str, start: int) -> bool:
    """``…_key``, ``…-key`` or ``…Key`` for something that is kept secret; no monkey, no key of a table."""
    before = text[start - 1 : start]
    is_part = before in ("_", "-") or (text[start] == "K" and before.isalnum() and not before.isupper())
    return is_part and not _NO_SECRETS.search(text, max(0, start - _BEFORE), start)


def _is_password(text: str, name: re.Match[str], place: tuple[int, int], *, is_quoted: bool, is_far: bool) -> bool:
    start, end = place
    value = text[start:end]
    if not values.is_long_enough(value) or (not is_quoted and _ANNOTATES.match(text, end)):
        return False
    if is_far or name[0] == "pass":
        is_one = not any(sign.isspace() for sign in value)
        return (is_one and values.is_strong(value)) or (is_quoted and not is_far)
    return is_quoted or values.is_strong(value) or not _GOES_ON.match(text, end)
