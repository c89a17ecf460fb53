"""Conversations as they are sent."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import ConfigDict, Field, Strict

from palimpsest.api.wire.fields import Instant, Name, Request, Space
from palimpsest.domain.library.fragments import Turn
from palimpsest.usecases.add_conversation import TURNS, Talk

Said: TypeAlias = Annotated[str, Strict()]


class TurnRequest(Request):
    """What one side says in one go."""

    role: Name
    text: Said
    speaker: Name | None = None
    at: Instant | None = None
    external_id: Name | None = None

    def to_turn(self) -> Turn:
        """The same for the core."""
        return Turn(role=self.role, text=self.text, speaker=self.speaker, at=self.at, external_id=self.external_id)


class ConversationRequest(Request):
    """A conversation with its turns in their order; with the same `external_id` it is the same conversation.

    `conversation_date` is the date of each turn that has no `at` of its own.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "external_id": "chat-42",
                    "turns": [{"role": "user", "speaker": "Jan", "text": "I adopted a greyhound called Pixel."}],
                }
            ]
        }
    )

    turns: Annotated[tuple[TurnRequest, ...], Field(min_length=1, max_length=TURNS)]
    title: Name | None = None
    conversation_date: Instant | None = None
    external_id: Name | None = None
    space: Space | None = None
    extract: Annotated[bool, Strict()] | None = None

    def to_talk(self) -> Talk:
        """The same for the core."""
        return Talk(
            turns=[turn.to_turn() for turn in self.turns],
            space=self.space,
            title=self.title,
            external_id=self.external_id,
            held_at=self.conversation_date,
            extract=self.extract,
        )
