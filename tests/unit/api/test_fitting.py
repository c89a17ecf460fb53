"""Answers within 4 MB."""

from __future__ import annotations

import json
from typing import Any

from palimpsest.api.fitting import fitted


def listing(*contents: str) -> str:
    memories: list[dict[str, Any]] = [
        {"root_id": f"mem_{at}", "content": content, "canonical": None, "metadata": {"content": "kept"}}
        for at, content in enumerate(contents)
    ]
    return json.dumps({"memories": memories, "next_cursor": None}, ensure_ascii=False, separators=(",", ":"))


def test_an_answer_within_the_limit_is_left_as_it_is() -> None:
    text = listing("a", "b")

    assert fitted(text, limit=len(text)) is text


def test_an_answer_past_the_limit_has_its_longest_texts_cut() -> None:
    answer = json.loads(fitted(listing("short", "ż" * 10_000, "x" * 20_000), limit=8_000))

    contents = [memory["content"] for memory in answer["memories"]]
    assert len(json.dumps(answer, ensure_ascii=False).encode()) <= 8_000
    assert contents[0] == "short"
    assert [memory.get("content_truncated") for memory in answer["memories"]] == [None, True, True]
    assert all(memory["metadata"] == {"content": "kept"} for memory in answer["memories"])


def test_what_holds_no_memory_is_left_as_it_is() -> None:
    text = json.dumps({"parts": [{"kind": "same", "text": "x" * 100}]})

    assert fitted(text, limit=50) == text
