"""Every text in a JSON object is cleaned once, under its path and the name that it stands under."""

from __future__ import annotations

import json

from palimpsest.domain.scrub.nested import PathOf, clean_json


def cleaned(value: object, changes: dict[str, str]) -> tuple[object, list[tuple[str, str, str]]]:
    """What becomes of it, and for each text that was looked at: it, its path once it is stored, and its name."""
    seen: list[tuple[str, str, str]] = []

    def clean(text: str, path: PathOf, name: str) -> str:
        stored = changes.get(text, text)
        seen.append((text, path(stored), name))
        return stored

    return json.loads(clean_json(json.dumps(value), clean, "metadata")), seen


def test_texts_and_numbers_are_looked_at_with_their_paths_and_names() -> None:
    value = {"a": "x", "b": ["y", {"c": 7}], "d": True, "e": None, "f": 1.5, "g": "", "": "z"}

    told, seen = cleaned(value, {})

    assert told == value
    assert seen == [
        ("a", "metadata/a#", ""),
        ("x", "metadata/a", "a"),
        ("b", "metadata/b#", ""),
        ("y", "metadata/b/0", "b"),
        ("c", "metadata/b/1/c#", ""),
        ("7", "metadata/b/1/c", "c"),
        ("d", "metadata/d#", ""),
        ("e", "metadata/e#", ""),
        ("f", "metadata/f#", ""),
        ("g", "metadata/g#", ""),
        ("z", "metadata/", ""),
    ]


def test_a_text_that_changes_nothing_comes_back_as_it_was_written() -> None:
    written = '{ "a" :  1 }'

    assert clean_json(written, lambda text, path, name: text, "m") == written
    assert clean_json("{}", lambda text, path, name: "never", "m") == "{}"


def test_what_changes_is_written_in_one_form() -> None:
    assert (
        clean_json('{"b": "secret", "a": "ż"}', lambda text, path, name: text.upper(), "m") == '{"A":"Ż","B":"SECRET"}'
    )


def test_a_number_that_is_cleaned_becomes_the_text_in_its_place() -> None:
    assert cleaned({"n": 90010112345, "m": 5}, {"90010112345": "[ID]"})[0] == {"n": "[ID]", "m": 5}


def test_names_that_become_the_same_are_numbered_and_none_is_lost() -> None:
    changes = {"x1": "[ID]", "x2": "[ID]", "x3": "[ID]"}

    told, seen = cleaned({"x1": "a", "[ID] 2": "b", "x2": "c", "x3": "d"}, changes)

    assert told == {"[ID]": "a", "[ID] 2": "b", "[ID] 3": "c", "[ID] 4": "d"}
    assert [path for text, path, _ in seen if text in changes] == [
        "metadata/[ID]#",
        "metadata/[ID] 3#",
        "metadata/[ID] 4#",
    ]
    assert [path for text, path, _ in seen if text in "acd"] == ["metadata/[ID]", "metadata/[ID] 3", "metadata/[ID] 4"]


def test_names_are_escaped_in_paths_as_in_a_json_pointer() -> None:
    assert [path for _, path, _ in cleaned({"a/b~c": "x"}, {})[1]] == ["metadata/a~1b~0c#", "metadata/a~1b~0c"]
