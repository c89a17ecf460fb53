"""The texts of scrub that hide instructions, the harmless ones beside them, and the pasted HTML say what is true."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

import pytest

from palimpsest.domain.scrub.instructions import PATTERNS
from tests.support.corpora import HtmlText, InjectionText, html_texts, injections

CYRILLIC = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u0410", "aeopcyxisja")
INVISIBLE = set("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\ufeff") | {chr(0xE0000 + code) for code in range(128)}
BIDIRECTIONAL = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
TEXTS = injections()
MARKED = [text for text in TEXTS if text.patterns]
HARMLESS = [text for text in TEXTS if not text.patterns]
PASTED = html_texts()


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).translate(CYRILLIC)
    seen = "".join(sign for sign in plain if unicodedata.category(sign) != "Cf")
    return re.sub(r"\s+", " ", seen).lower()


def _found(text: str) -> set[str]:
    readings = [text, html.unescape(text), re.sub(r"<!--.*?-->|</?[A-Za-z][^<>]*>", "", text)]
    return {pattern for pattern in PATTERNS for reading in readings if pattern in _folded(reading)}


def test_every_pattern_occurs_and_there_are_enough_texts_of_each_sort() -> None:
    counts = Counter(pattern for text in MARKED for pattern in text.patterns)

    assert len(MARKED) >= 80
    assert len(HARMLESS) >= 120
    assert len(PASTED) >= 60
    assert set(counts) == {*PATTERNS, "invisible", "bidi"}
    assert min(counts.values()) >= 2


@pytest.mark.parametrize("texts", [TEXTS, PASTED], ids=["injections", "html"])
def test_ids_and_texts_are_there_once(texts: Sequence[InjectionText | HtmlText]) -> None:
    assert len({text.id for text in texts}) == len(texts)
    assert len({text.text for text in texts}) == len(texts)


def test_a_text_is_labelled_with_just_the_patterns_that_a_reader_finds_in_it() -> None:
    wrong = [text.id for text in TEXTS if _found(text.text) != set(text.patterns) - {"invisible", "bidi"}]

    assert wrong == []


def test_three_invisible_signs_in_a_marked_text_are_labelled() -> None:
    many = {text.id for text in MARKED if sum(sign in INVISIBLE for sign in text.text) >= 3}

    assert many == {text.id for text in MARKED if "invisible" in text.patterns}


def test_every_bidirectional_control_is_labelled() -> None:
    turned = {text.id for text in TEXTS if BIDIRECTIONAL & set(text.text)}

    assert turned == {text.id for text in TEXTS if "bidi" in text.patterns}


def test_harmless_texts_hold_joiners_and_marks_of_scripts_that_need_them() -> None:
    signs = Counter(sign for text in HARMLESS for sign in text.text if unicodedata.category(sign) == "Cf")

    assert {"\u200c", "\u200d", "\u200e", "\u200f", "\u00ad"} <= set(signs)
    assert not {"\u200b", "\u2060", "\ufeff"} & set(signs)


def test_pasted_html_is_changed_and_plain_text_is_not() -> None:
    plain = [text for text in PASTED if text.text == text.clean]
    cleaned = [text for text in PASTED if text.text != text.clean]

    assert min(len(plain), len(cleaned)) >= 30
    assert all(" ".join(text.clean.split()) != " ".join(text.text.split()) for text in cleaned)
    assert not any(
        re.search(r"</?(p|b|i|div|span|script|td)\b", text.text) for text in plain if not set("`~") & set(text.text)
    )
