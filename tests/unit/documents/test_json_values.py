"""JSON is read as names and values, under headings that tell the path."""

from __future__ import annotations

import json

import pytest

from tests.support.reading_files import blocks, reading, refusal


def test_an_object_is_read_as_names_and_values_under_headings() -> None:
    value = {
        "name": "orchard",
        "size": 1.50,
        "live": True,
        "owner": None,
        "tags": ["a", "b"],
        "database": {"host": "db-1", "limits": {"rows": 9}},
        "trees": [{"kind": "apple", "age": 3}, {"kind": "pear", "age": 40}],
        "notes": [{"by": {"name": "Jan"}, "said": "hello"}, {"by": {"name": "Ola"}, "said": "bye"}],
    }

    assert blocks("json", json.dumps(value)) == [
        ("preformatted", "name: orchard\nsize: 1.5\nlive: true\ntags: a, b"),
        ("h1", "database"),
        ("preformatted", "host: db-1"),
        ("h2", "limits"),
        ("preformatted", "rows: 9"),
        ("h1", "trees"),
        ("table", "kind | age\napple | 3\npear | 40"),
        ("h1", "notes"),
        ("preformatted", "by.name: Jan\nsaid: hello"),
        ("preformatted", "by.name: Ola\nsaid: bye"),
    ]


def test_numbers_stay_as_they_are_spelt() -> None:
    long = "9" * 5_000

    told = blocks("json", '{"a": 1.500, "b": 1e400, "c": ' + long + "}")

    assert told == [("preformatted", "a: 1.500\nb: 1e400"), ("h1", "c"), ("paragraph", long)]


def test_a_name_given_twice_loses_nothing() -> None:
    assert blocks("json", '{"a": 1, "a": 2}') == [("preformatted", "a: 1\na: 2")]


def test_an_array_of_texts_is_a_list() -> None:
    assert blocks("json", json.dumps(["long " * 50, "b"])) == [("list", "- " + ("long " * 50).strip() + "\n- b")]
    assert [block.head_rows for block in reading("json", '[{"a": 1}, {"a": 2}]').blocks] == [1]


def test_json_lines_are_read_line_by_line() -> None:
    assert blocks("jsonl", '{"a": {"b": 1}}\n\n{"a": [{"c": 2}]}\n') == [
        ("preformatted", "a.b: 1"),
        ("preformatted", "a[1].c: 2"),
    ]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"{}", "no_text"),
        (b'[[], {"a": null}]', "no_text"),
        (b'{"a": ', "damaged"),
        (b"%PDF-1.7", "damaged"),
        (b'"\xff\xff"', "not_utf8"),
        (b"[" * 100_000, "too_deep"),
        (b"[" * 150 + b"1" + b"]" * 150, "too_deep"),
        (b" " * 33 * 1024 * 1024, "too_large"),
    ],
)
def test_what_can_not_be_read_is_refused(content: bytes, reason: str) -> None:
    assert refusal("json", content) == reason


def test_a_broken_line_is_told() -> None:
    assert refusal("jsonl", '{"a": 1}\n{"a"') == "damaged"
    assert refusal("jsonl", "\n") == "empty"
    assert refusal("jsonl", b"1" * 5 * 1024 * 1024) == "too_large"
