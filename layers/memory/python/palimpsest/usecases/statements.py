"""Drafts and revisions to statements: every text is accepted and scrubbed here, so no path has a way round."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from palimpsest.domain import text
from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Annotations
from palimpsest.domain.errors import Invalid
from palimpsest.domain.ids import RootId, parse_reference
from palimpsest.domain.source import lowest
from palimpsest.domain.version import Because, MemoryType, Statement, Version
from palimpsest.usecases import accepting
from palimpsest.usecases.drafts import Annotation, Draft, Revision, SourceClaim, Unset
from palimpsest.usecases.scrub import Scrubber


def drafted(draft: Draft, caller: Caller, now: datetime, scrubber: Scrubber) -> Statement:
    """What a draft says; Invalid where it can't be stored."""
    return _checked(
        Statement(
            content=accepting.content(draft.content, scrubber),
            asserted_at=accepting.asserted_at(draft.asserted_at, now),
            memory_type=draft.memory_type or MemoryType.FACT,
            canonical=accepting.canonical(draft.canonical, scrubber),
            valid_from=draft.valid_from,
            valid_until=draft.valid_until,
            event_date=draft.event_date,
            source=accepting.source(draft.source, caller, scrubber),
            attributed_to=accepting.name(draft.attributed_to, "attributed_to", scrubber),
            metadata=accepting.metadata(draft.metadata, scrubber),
            derived_from=() if draft.extraction is None else (draft.extraction.document, draft.extraction.chunk),
            extraction=accepting.extraction(draft.extraction, scrubber),
        )
    )


def draft_annotations(draft: Draft, now: datetime, scrubber: Scrubber) -> Annotations:
    """The tags and marks that a draft begins with; Invalid where they can't be stored."""
    return Annotations(
        tags=accepting.tags(draft.tags, scrubber),
        pinned=draft.pinned,
        importance=accepting.importance(draft.importance),
        expires_at=accepting.expiry(draft.expires_at, now),
    )


def revised(
    revision: Revision, before: Statement, caller: Caller, *, now: datetime, scrubber: Scrubber
) -> tuple[Statement, Because]:
    """What a revision says, and why.

    What it leaves out stays as it was, but `canonical`, which belongs to the old words, and the old version's time of
    validity when the world has changed. One that says nothing else than the version before gives that one's statement,
    although it is said anew: who repeats what is believed adds nothing to it.
    """
    content = _content(revision.content, before.content, scrubber)
    kept_canonical = before.canonical if content == before.content else None
    because = revision.because or (Because.CORRECTED if revision.valid_from is None else Because.CHANGED)
    kept_from = before.valid_from if because is Because.CORRECTED else None
    kept_until = before.valid_until if because is Because.CORRECTED else None
    statement = Statement(
        content=content,
        asserted_at=accepting.asserted_at(revision.asserted_at, now),
        memory_type=revision.memory_type or before.memory_type,
        canonical=accepting.canonical(revision.canonical, scrubber) or kept_canonical,
        level=before.level,
        valid_from=revision.valid_from or kept_from,
        valid_until=kept_until if isinstance(revision.valid_until, Unset) else revision.valid_until,
        event_date=revision.event_date or before.event_date,
        source=accepting.source(revision.source, caller, scrubber),
        attributed_to=accepting.name(revision.attributed_to, "attributed_to", scrubber) or before.attributed_to,
        metadata=before.metadata if revision.metadata is None else accepting.metadata(revision.metadata, scrubber),
        derived_from=before.derived_from,
        place=before.place,
    )
    same_again = replace(
        statement,
        asserted_at=revision.asserted_at or before.asserted_at,
        source=before.source if revision.source == SourceClaim() else statement.source,
        extraction=before.extraction,
    )
    return (before if same_again == before else _checked(statement)), because


def _content(content: str | None, before: str, scrubber: Scrubber) -> str:
    """The text of a revision; what it leaves out is older than the rules of today, and no HTML by now."""
    return scrubber.text(before, "content") if content is None else accepting.content(content, scrubber)


def reverted(old: Statement, scrubber: Scrubber) -> Statement:
    """What an old version said, by the rules of today: it may be older than they are."""
    return replace(
        old,
        content=scrubber.text(old.content, "content"),
        canonical=None if old.canonical is None else scrubber.text(old.canonical, "canonical"),
        metadata=scrubber.json(old.metadata, "metadata"),
    )


def restated(draft: Draft, statement: Statement, before: Statement, *, is_anew: bool = False) -> Statement:
    """What a draft says over a version that says the same in other words: what it leaves out stays as it was.

    `is_anew`: it is true again, or already, after or before the time of the version; that time is not kept.

    Where it takes over words of that version it names what they were made from, and goes with that.
    """
    is_canonical_kept = statement.canonical is None and before.canonical is not None
    is_metadata_kept = statement.metadata == "{}" and before.metadata != "{}"
    made_of = before.derived_from if is_canonical_kept or is_metadata_kept else ()
    valid_from, valid_until = statement.valid_from, statement.valid_until
    if not is_anew and valid_from is None:
        is_before = valid_until is not None and before.valid_from is not None and valid_until <= before.valid_from
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
            derived_from=tuple(dict.fromkeys((*statement.derived_from, *made_of))),
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


def merged(
    content: str, canonical: str | None, sides: tuple[Statement, Statement], *, caller: Caller, scrubber: Scrubber
) -> Statement:
    """A text that reconciles an existing and an incoming statement, trusted as little as they and the caller are.

    It was said when the later of the two was, and comes from all that they were made from. What else it says is the
    existing one's; so is the type, unless that is the usual one.
    """
    existing, incoming = sides
    trust = lowest(existing.source.trust, incoming.source.trust, caller.max_trust)
    return replace(
        taken_over(incoming, existing),
        content=accepting.content(content, scrubber),
        canonical=accepting.canonical(canonical, scrubber),
        asserted_at=max(existing.asserted_at, incoming.asserted_at),
        source=replace(existing.source, trust=trust),
        derived_from=tuple(dict.fromkeys((*existing.derived_from, *incoming.derived_from))),
        extraction=None,
    )


def made_from(statement: Statement, source: Version, *, into: RootId) -> Statement:
    """The same statement of the belief `into`, which names the version whose words it has, and that one's own sources.

    So it goes when that one is erased. A belief never names itself.
    """
    named = dict.fromkeys((*statement.derived_from, *source.statement.derived_from, str(source.ref)))
    refs = {each: parse_reference(each) for each in named}
    others = tuple(each for each, ref in refs.items() if ref is None or ref.root != into)
    return replace(statement, derived_from=others)


def joined(annotations: Annotations, before: Annotations) -> Annotations:
    """The annotations of a belief that was said again with others: both tags, the higher mark, the later end."""
    ends = annotations.expires_at, before.expires_at
    return Annotations(
        tags=text.accept_tags((*before.tags, *annotations.tags)),
        pinned=annotations.pinned or before.pinned,
        importance=max(annotations.importance, before.importance),
        expires_at=None if None in ends else max(end for end in ends if end is not None),
    )


def annotated(annotation: Annotation, before: Annotations, *, now: datetime, scrubber: Scrubber) -> Annotations:
    """The annotations after a change; Invalid where they can't be stored."""
    expires_at = annotation.expires_at
    return Annotations(
        tags=before.tags if annotation.tags is None else accepting.tags(annotation.tags, scrubber),
        pinned=before.pinned if annotation.pinned is None else annotation.pinned,
        importance=before.importance if annotation.importance is None else accepting.importance(annotation.importance),
        expires_at=before.expires_at if isinstance(expires_at, Unset) else accepting.expiry(expires_at, now),
    )


def _checked(statement: Statement) -> Statement:
    begins, ends = statement.valid_from, statement.valid_until
    if begins is not None and ends is not None and ends <= begins:
        is_empty = "is valid_from, so it would never be true; a date means its first moment"
        raise Invalid("valid_until", f"valid_until {'lies before valid_from' if ends < begins else is_empty}")
    return statement
