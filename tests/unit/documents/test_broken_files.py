"""Whatever a file is broken to, it is read or refused: nothing else is raised."""

from __future__ import annotations

import random

import pytest

from tests.support.docx_files import docx, paragraph, table
from tests.support.pdf_files import page, pdf
from tests.support.reading_files import READERS, refusal

MAIL = b"""From: =?utf-8?q?a=C4=85?= <a@b.example>
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/html; charset=iso-8859-2

<p>hello
--b
Content-Disposition: attachment; filename*=utf-8''a%20b

x
--b--
"""
PAGE = b"<html><head><title>a</title><meta charset=utf-8><body><main><ul><li>x<table><tr><th>a<td>b</table><pre>x</pre>"
WHOLE = {
    "csv": b'a;b\n"x;y";z\n1;2\n',
    "docx": docx(paragraph("x", "Nagwek1") + table(["a", "b"])),
    "eml": MAIL,
    "html": PAGE * 2,
    "json": b'{"a": [1, {"b": null}], "c": "\\u0105"}',
    "jsonl": b'{"a": 1}\n[2]\n',
    "md": b"# A heading\n\n| a | b |\n|---|---|\n| c | d |\n",
    "pdf": pdf([page("Hello there", "and here")] * 2, title="t"),
    "txt": b"TITLE OF IT\n\n1. a\n2. b\n\nThe end of it.\n",
}


@pytest.mark.parametrize("ending", WHOLE)
def test_a_broken_file_is_read_or_refused(ending: str) -> None:
    chance = random.Random(7)

    told = [refusal(ending, _broken(WHOLE[ending], chance)) for _ in range(400)]

    assert set(told) >= {"read"}


def test_every_kind_of_file_given_as_every_other_is_read_or_refused() -> None:
    told = {(ending, other): refusal(ending, content) for ending in READERS for other, content in WHOLE.items()}

    assert all(told[ending, ending] == "read" for ending in WHOLE)
    assert {told[ending, other] for ending in ("pdf", "docx", "json") for other in WHOLE if other != ending} <= {
        "damaged",
        "not_utf8",
    }


@pytest.mark.parametrize("content", [b"<p>a<?able><tr>b", b"<?xml version='1.0'?><p>a<![CDATA[x]]><!-- y -->"])
def test_what_is_no_element_is_passed_over(content: bytes) -> None:
    assert refusal("html", content) == "read"


def _broken(content: bytes, chance: random.Random) -> bytes:
    broken = bytearray(content)
    for _ in range(chance.randint(1, 5)):
        place, kind = chance.randrange(len(broken)), chance.random()
        if kind < 0.5:
            broken[place] = chance.randrange(256)
        elif kind < 0.75:
            del broken[place : place + chance.randint(1, 5)]
        else:
            broken[place:place] = broken[place : place + chance.randint(1, 30)]
    return bytes(broken)
