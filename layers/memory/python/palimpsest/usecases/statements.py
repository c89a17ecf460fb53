"""Drafts and revisions to statements: every text is accepted here, so no path has a way round the rules."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from palimpsest.domain import text
from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Annotations
from palimpsest.domain.errors import Invalid
from palimpsest.domain.source import Source, agent_trust, lowest
from palimpsest.domain.version import Because, MemoryType, Statement
from palimpsest.usecases.drafts import Annotation, Draft, Revision, SourceClaim, Unset

_IMPORTANCE = (0.0, 10.0)


def drafted(draft: Draft, caller: Caller, now: datetime) -> Statement:
    """What a draft says; Invalid where it can't be stored."""
    return _checked(
        Statement(
            content=text.accept(draft.content, "content", limit_bytes=text.CONTENT_BYTES),
            asserted_at=draft.asserted_at or now,
            memory_type=draft.memory_type or MemoryType.FACT,
            canonical=_canonical(draft.canonical),
            valid_from=draft.valid_from,
            valid_until=draft.valid_until,
            event_date=draft.event_date,
            source=_source(draft.source, caller),
            attributed_to=_name(draft.attributed_to, "attributed_to"),
            metadata=_metadata(draft.metadata),
        )
    )


def draft_annotations(draft: Draft, now: datetime) -> Annotations:
    """The tags and marks that a draft begins with; Invalid where they can't be stored."""
    return Annotations(
        tags=text.accept_tags(draft.tags),
        pinned=draft.pinned,
        importance=_importance(draft.importance),
        expires_at=_expiry(draft.expires_at, now),
    )


def revised(revision: Revision, before: Statement, caller: Caller, now: datetime) -> tuple[Statement, Because]:
    """What a revision says, and why.

    What it leaves out stays as it was, but `canonical`, which belongs to the old words, and the old version's time of
    validity when the world has changed. One that says nothing else than the version before gives that one's statement,
    although it is said anew: who repeats what is believed adds nothing to it.
    """
    content = text.accept(revision.content, "content", limit_bytes=text.CONTENT_BYTES)
    canonical = _canonical(revision.canonical) or (before.canonical if content == before.content else None)
    because = revision.because or (Because.CORRECTED if revision.valid_from is None else Because.CHANGED)
    kept_from = before.valid_from if because is Because.CORRECTED else None
    kept_until = before.valid_until if because is Because.CORRECTED else None
    statement = Statement(
        content=content,
        asserted_at=revision.asserted_at or now,
        memory_type=revision.memory_type or before.memory_type,
        canonical=canonical,
        level=before.level,
        valid_from=revision.valid_from or kept_from,
        valid_until=revision.valid_until or kept_until,
        event_date=revision.event_date or before.event_date,
        source=_source(revision.source, caller),
        attributed_to=_name(revision.attributed_to, "attributed_to") or before.attributed_to,
        metadata=before.metadata if revision.metadata is None else _metadata(revision.metadata),
        derived_from=before.derived_from,
    )
    same_again = replace(
        statement,
        asserted_at=revision.asserted_at or before.asserted_at,
        source=before.source if revision.source == SourceClaim() else statement.source,
    )
    return (before if same_again == before else _checked(statement)), because


def restated(draft: Draft, statement: Statement, before: Statement, *, is_anew: bool = False) -> Statement:
    """What a draft says over a version that says the same in other words: what it leaves out stays as it was.

    `is_anew`: it is true again, or already, after or before the time of the version; that time is not kept.
    """
    valid_from, valid_until = statement.valid_from, statement.valid_until
    if not is_anew and valid_from is None:
        is_before = valid_until is not None and before.valid_from is not None and valid_until < before.valid_from
        valid_from = None if is_before else before.valid_from
        valid_until = valid_until or before.valid_until
    return _checked(
        replace(
            statement,
            memory_type=draft.memory_type or before.memory_type,
            canonical=statement.canonical or before.canonical,
            level=before.level,
            valid_from=valid_from,
            valid_until=valid_until,
            event_date=statement.event_date or before.event_date,
            metadata=before.metadata if statement.metadata == "{}" else statement.metadata,
        )
    )


def said_again(statement: Statement, caller: Caller) -> Statement:
    """What an old version said, as a caller says it: trusted no more than the caller."""
    source = statement.source
    return replace(statement, source=replace(source, trust=lowest(source.trust, caller.max_trust)))


def taken_over(existing: Statement, incoming: Statement) -> Statement:
    """What an incoming statement says over an existing one, by a decision: just as it was said.

    The type is the existing one's, unless the incoming one has more than the usual type.
    """
    is_usual = incoming.memory_type is MemoryType.FACT
    return replace(incoming, memory_type=existing.memory_type) if is_usual else incoming


def merged(content: str, canonical: str | None, sides: tuple[Statement, Statement], caller: Caller) -> Statement:
    """A text that reconciles an existing and an incoming statement, trusted as little as they and the caller are.

    It was said when the later of the two was, and comes from all that they were made from. What else it says is the
    existing one's; so is the type, unless that is the usual one.
    """
    existing, incoming = sides
    trust = lowest(existing.source.trust, incoming.source.trust, caller.max_trust)
    return _checked(
        replace(
            taken_over(incoming, existing),
            content=text.accept(content, "content", limit_bytes=text.CONTENT_BYTES),
            canonical=_canonical(canonical),
            asserted_at=max(existing.asserted_at, incoming.asserted_at),
            source=replace(existing.source, trust=trust),
            derived_from=tuple(dict.fromkeys((*existing.derived_from, *incoming.derived_from))),
        )
    )


def joined(annotations: Annotations, before: Annotations) -> Annotations:
    """The annotations of a belief that was said again with others: both tags, the higher mark, the later end."""
    ends = annotations.expires_at, before.expires_at
    return Annotations(
        tags=text.accept_tags((*before.tags, *annotations.tags)),
        pinned=annotations.pinned or before.pinned,
        importance=max(annotations.importance, before.importance),
        expires_at=None if None in ends else max(end for end in ends if end is not None),
    )


def annotated(annotation: Annotation, before: Annotations, now: datetime) -> Annotations:
    """The annotations after a change; Invalid where they can't be stored."""
    expires_at = annotation.expires_at
    return Annotations(
        tags=before.tags if annotation.tags is None else text.accept_tags(annotation.tags),
        pinned=before.pinned if annotation.pinned is None else annotation.pinned,
        importance=before.importance if annotation.importance is None else _importance(annotation.importance),
        expires_at=before.expires_at if isinstance(expires_at, Unset) else _expiry(expires_at, now),
    )


def _checked(statement: Statement) -> Statement:
    begins, ends = statement.valid_from, statement.valid_until
    if begins is not None and ends is not None and ends < begins:
        raise Invalid("valid_until", "valid_until lies before valid_from")
    return statement


def _canonical(canonical: str | None) -> str | None:
    return None if canonical is None else text.accept(canonical, "canonical", limit_bytes=text.CONTENT_BYTES)


def _name(name: str | None, field: str) -> str | None:
    return None if name is None else text.accept(name, field, limit_characters=text.NAME_CHARACTERS)


def _metadata(metadata: str) -> str:
    return text.accept(metadata, "metadata", limit_bytes=text.METADATA_BYTES)


def _importance(importance: float) -> float:
    low, high = _IMPORTANCE
    if not low <= importance <= high:
        raise Invalid("importance", f"importance lies between {low:g} and {high:g}")
    return round(importance, 6)


def _expiry(expires_at: datetime | None, now: datetime) -> datetime | None:
    if expires_at is not None and expires_at <= now:
        raise Invalid("expires_at", "expires_at lies in the past; to take a memory away, forget it")
    return expires_at


def _source(claim: SourceClaim, caller: Caller) -> Source:
    asked = (claim.trust,) if claim.trust else ()
    agent = _name(claim.agent, "source.agent") or "api"
    return Source(
        agent=agent,
        session=_name(claim.session, "source.session"),
        channel=_name(claim.channel, "source.channel"),
        trust=lowest(agent_trust(agent), caller.max_trust, *asked),
    )
