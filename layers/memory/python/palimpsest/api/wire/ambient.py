"""What a memory says unasked, from the last turns of a talk."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, model_validator

from palimpsest.api.wire.context import ContextSource
from palimpsest.api.wire.fields import Answer, Flag, Question, Request, Space, is_none, refused
from palimpsest.api.wire.recall import MOST_SPACES, ArmItem
from palimpsest.domain.packing.listening import TURNS, Silence, Turn
from palimpsest.domain.packing.writing import Placed
from palimpsest.usecases.answers import Hit
from palimpsest.usecases.overhear import BUDGET_TOKENS, MOST_TOKENS, AmbientQuery, Overheard, Snippet, Tier

_CONTENT_CHARACTERS = 32_768
_ROLE_CHARACTERS = 64


def _characters_only(content: str) -> str:
    if any("\ud800" <= sign <= "\udfff" for sign in content):
        raise refused("invalid", "content holds half of a surrogate pair; send whole characters")
    return content


class HeardTurn(Request):
    """What was said in a talk; of a long turn only the end is listened to."""

    role: Annotated[str, StringConstraints(strict=True, min_length=1, max_length=_ROLE_CHARACTERS)]
    content: Annotated[
        str, StringConstraints(strict=True, max_length=_CONTENT_CHARACTERS), AfterValidator(_characters_only)
    ]


class AmbientRequest(Request):
    """What was said last."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"recent_turns": [{"role": "user", "content": "What does Marta drink?"}]}]}
    )

    recent_turns: Annotated[tuple[HeardTurn, ...], Field(max_length=TURNS)] = ()
    hint: Question | None = None
    space: Space | None = None
    spaces: Annotated[tuple[Space, ...], Field(max_length=MOST_SPACES)] = ()
    budget_tokens: Annotated[int, Field(strict=True, ge=1, le=MOST_TOKENS)] = BUDGET_TOKENS
    dry_run: Flag = False

    @model_validator(mode="after")
    def _names_spaces_once(self) -> AmbientRequest:
        if self.space is not None and self.spaces:
            raise refused("space_and_spaces", "give `space` or `spaces`, not both")
        return self

    def to_query(self) -> AmbientQuery:
        """The same for the core."""
        return AmbientQuery(
            turns=tuple(Turn(each.role, each.content) for each in self.recent_turns),
            hint=self.hint,
            spaces=self.spaces if self.space is None else (self.space,),
            budget_tokens=self.budget_tokens,
            is_dry_run=self.dry_run,
        )


class SnippetItem(Answer):
    """One thing that is said, and what stands behind it."""

    text: str
    tier: Tier
    score: float
    source: ContextSource

    @classmethod
    def of(cls, number: int, placed: Placed, snippet: Snippet) -> SnippetItem:
        """What is told of a snippet."""
        hit = snippet.hit
        source = ContextSource.of(number, placed, hit.memory if isinstance(hit, Hit) else hit)
        source = source.model_copy(update={"cut": snippet.is_cut})
        return cls(text=placed.text, tier=snippet.tier, score=hit.score, source=source)


class AmbientAnswer(Answer):
    """A few snippets, the surest first, or the reason why nothing is said. `context`: the same, fenced for a prompt."""

    snippets: tuple[SnippetItem, ...]
    reason: Silence | None = Field(default=None, exclude_if=is_none)
    context: str
    tokens: int
    recall_id: str | None
    arms: tuple[ArmItem, ...]
    recorded: bool
    took_ms: float

    @classmethod
    def of(cls, overheard: Overheard) -> AmbientAnswer:
        """What is told."""
        packed = overheard.packed
        numbered = enumerate(zip(packed.placed, overheard.snippets, strict=True), start=1)
        return cls(
            snippets=tuple(SnippetItem.of(number, placed, snippet) for number, (placed, snippet) in numbered),
            reason=overheard.silence,
            context=packed.text,
            tokens=packed.tokens,
            recall_id=overheard.id,
            arms=tuple(map(ArmItem.of, overheard.arms)),
            recorded=overheard.is_recorded,
            took_ms=round(overheard.took_ms, 3),
        )
