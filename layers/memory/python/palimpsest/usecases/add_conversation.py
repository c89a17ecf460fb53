"""Add a conversation, or send one again with more turns: one document whose chunks are its turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from palimpsest.domain import text
from palimpsest.domain.access import Caller, Role
from palimpsest.domain.document import Document, DocumentKind
from palimpsest.domain.errors import Invalid
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId
from palimpsest.domain.library import transcript
from palimpsest.domain.library.fragments import Turn
from palimpsest.ports.ids import Ids
from palimpsest.ports.table import Write
from palimpsest.stores import learnings
from palimpsest.stores.spaces import Space
from palimpsest.usecases import accepting
from palimpsest.usecases.add_document import AddDocument, DocumentAdded, Sending
from palimpsest.usecases.drafts import SourceClaim
from palimpsest.usecases.scrub import Scrubber

TURNS: Final = 50_000
_FOLDER: Final = "conversations/"


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation as it is sent.

    Attributes:
        turns: In their order; a later one may be told earlier.
        external_id: What its source calls it; sent again with the same one it is the same conversation.
        held_at: When it took place: the date of each turn that has none of its own.
        extract: Facts are learned from it; None: where its space says nothing else.
    """

    turns: Sequence[Turn]
    space: str | None = None
    title: str | None = None
    external_id: str | None = None
    held_at: datetime | None = None
    extract: bool | None = None
    source: SourceClaim | None = None


@dataclass(frozen=True, slots=True)
class AddConversation:
    """Keeps the turns as one document, scrubbed, and has them read."""

    add_document: AddDocument
    ids: Ids

    def __call__(self, caller: Caller, talk: Talk, idempotency: Idempotency | None = None) -> DocumentAdded:
        """The document with the turns on their way; those that it has already stay as they are.

        Raises:
            NotAllowed: The key is no writer or may not enter the space.
            Invalid: A turn can't be kept, nobody says anything, or there are more than 50,000 turns.
            BlobsUnavailable: It could not be kept.
        """
        caller.require(Role.WRITER)
        if len(talk.turns) > TURNS:
            raise Invalid("turns", f"a conversation has at most {TURNS:,} turns; send it in several")
        steps = self.add_document.steps
        space = steps.spaces.find(caller.require_space(talk.space))
        scrubber = steps.scrub.of(space)
        turns = [_accepted(turn, place, talk.held_at, scrubber) for place, turn in enumerate(talk.turns)]
        if not any(turn.text.strip() for turn in turns):
            raise Invalid("turns", "nobody says anything in this conversation; send at least one turn with a text")
        name = accepting.name(talk.external_id, "external_id", scrubber) or self.ids.ulid()
        sending = Sending(
            path=f"{_FOLDER}{name}",
            content=transcript.written(turns),
            space=talk.space,
            title=talk.title or name,
            media_type=transcript.MEDIA_TYPE,
            source=talk.source or SourceClaim(),
            kind=DocumentKind.CONVERSATION,
            also=partial(_learning, caller.key, _is_learned_from(talk, space)),
        )
        return self.add_document(caller, sending, idempotency)


def _is_learned_from(talk: Talk, space: Space | None) -> bool:
    chosen = talk.extract if talk.extract is not None or space is None else space.extract
    return True if chosen is None else chosen


def _learning(by: KeyId, is_wanted: bool, document: Document) -> list[Write]:
    """What has facts learned from what was sent; or none any more, also not from what was sent before."""
    if not is_wanted:
        return [learnings.ended(document.id)]
    arrival = document.arrived
    return [learnings.begun(learnings.Learning(document.id, arrival.edition, by, arrival.asked_at))]


def _accepted(turn: Turn, place: int, held_at: datetime | None, scrubber: Scrubber) -> Turn:
    said = text.accept(turn.text, f"turns.{place}.text") if turn.text.strip() else ""
    return replace(
        turn,
        role=accepting.name(turn.role, f"turns.{place}.role", scrubber) or "",
        text=scrubber.alone(said),
        speaker=accepting.name(turn.speaker, f"turns.{place}.speaker", scrubber),
        at=turn.at or held_at,
        external_id=accepting.name(turn.external_id, f"turns.{place}.external_id", scrubber),
    )
