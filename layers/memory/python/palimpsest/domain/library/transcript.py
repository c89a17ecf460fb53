"""A conversation as it is kept: its turns, scrubbed, as JSON from which its text is made again at any time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from palimpsest.domain import instants
from palimpsest.domain.library.fragments import Turn

MEDIA_TYPE: Final = "application/vnd.palimpsest.conversation+json"


def written(turns: Sequence[Turn]) -> bytes:
    """The turns as bytes; equal turns give equal bytes."""
    told = [
        {
            "role": turn.role,
            "text": turn.text,
            "speaker": turn.speaker,
            "at": None if turn.at is None else instants.write(turn.at),
            "external_id": turn.external_id,
        }
        for turn in turns
    ]
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def read(content: bytes) -> list[Turn]:
    """The turns that `written` wrote; ValueError when it did not."""
    try:
        return [_turn(each) for each in json.loads(content)]
    except (TypeError, KeyError) as error:
        raise ValueError("these are no turns of a conversation") from error


def _turn(told: Mapping[str, str | None]) -> Turn:
    at = told["at"]
    return Turn(
        role=told["role"] or "",
        text=told["text"] or "",
        speaker=told["speaker"],
        at=None if at is None else instants.read(at),
        external_id=told["external_id"],
    )
