"""Answers stop at 4 MB: texts that would go past it are cut, and say so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

ANSWER_LIMIT_BYTES = 4 * 1024 * 1024
_WORST_BYTES_PER_CHARACTER = 4
_CUT = ("content", "canonical")


def fitted(text: str, limit: int = ANSWER_LIMIT_BYTES) -> str:
    """`text`, a JSON answer, within `limit` bytes: the longest memories of it are cut and get ``content_truncated``.

    What is no JSON object stays as it is.
    """
    if not text.startswith("{") or len(text) * _WORST_BYTES_PER_CHARACTER <= limit or len(text.encode()) <= limit:
        return text
    answer = json.loads(text)
    memories = list(_memories(answer))
    longest = max((len(memory[name]) for memory in memories for name in _CUT if memory[name]), default=0)
    while longest > 0 and len(text.encode()) > limit:
        longest //= 2
        for memory in memories:
            _cut(memory, longest)
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return text


def _memories(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "root_id" in value and "content" in value:
            yield value
        for name, part in value.items():
            if name != "metadata":
                yield from _memories(part)
    elif isinstance(value, list):
        for part in value:
            yield from _memories(part)


def _cut(memory: dict[str, Any], length: int) -> None:
    for name in _CUT:
        if memory[name] and len(memory[name]) > length:
            memory[name] = memory[name][:length]
            memory["content_truncated"] = True
