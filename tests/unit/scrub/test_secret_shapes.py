"""Secrets that are known by their shape: found whole, alone, and only where the whole shape is there."""

from __future__ import annotations

import pytest

from palimpsest.domain.scrub.kinds import Kind
from palimpsest.domain.scrub.secret_shapes import shaped

GROQ = "gsk_" + "a1B2" * 10
KEY = "-----BEGIN PRIVATE KEY-----\nab\n-----END PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        (f"use {GROQ} today", [GROQ]),
        (f"{GROQ} and {GROQ[:-1]}z", [GROQ, f"{GROQ[:-1]}z"]),
        (GROQ[:-1], []),
        (f"x{GROQ}", []),
        (KEY, [KEY]),
        ("postgres://jan:hunter2@db/x", ["hunter2"]),
        ("http://a:b1@c and ftp://d:e2@f", ["b1", "e2"]),
        ("postgres://jan:${PASSWORD}@db", []),
        ("postgres://jan:xxxx@db", []),
        ("postgres://jan:DB_PASSWORD@db", []),
        ("postgres://jan@db", []),
        ("jan:hunter2@db", []),
        ("postgres://jan:hunter2 at db", []),
        ("a" * 30, []),
        ("short", []),
    ],
)
def test_a_shape_is_found_whole_or_not_at_all(text: str, secrets: list[str]) -> None:
    found = list(shaped(text))

    assert [text[each.start : each.end] for each in found] == secrets
    assert {each.kind for each in found} <= {Kind.SECRET}
