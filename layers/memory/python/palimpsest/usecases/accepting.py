"""The texts of a save or a change as they may be stored: checked, then scrubbed. Invalid where one can't be."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from palimpsest.domain import text
from palimpsest.domain.access import Caller
from palimpsest.domain.errors import Invalid
from palimpsest.domain.extraction import Extraction
from palimpsest.domain.source import Source, agent_trust, lowest
from palimpsest.usecases.drafts import SourceClaim
from palimpsest.usecases.scrub import Scrubber

_IMPORTANCE: Final = (0.0, 10.0)
_AHEAD: Final = timedelta(days=1)
"""Today's date, said east of Greenwich, begins up to 14 hours later in UTC; the rest is for clocks that differ."""


def content(content: str, scrubber: Scrubber) -> str:
    return scrubber.pasted(text.accept(content, "content", limit_bytes=text.CONTENT_BYTES), "content")


def canonical(canonical: str | None, scrubber: Scrubber) -> str | None:
    if canonical is None:
        return None
    return scrubber.pasted(text.accept(canonical, "canonical", limit_bytes=text.CONTENT_BYTES), "canonical")


def asserted_at(asserted_at: datetime | None, now: datetime) -> datetime:
    if asserted_at is not None and asserted_at > now + _AHEAD:
        raise Invalid("asserted_at", "asserted_at lies ahead; for what is to come there are event_date and valid_from")
    return asserted_at or now


def name(name: str | None, field: str, scrubber: Scrubber) -> str | None:
    if name is None:
        return None
    accepted = text.accept(name, field, limit_characters=text.NAME_CHARACTERS)
    return scrubber.text(accepted, field.replace(".", "/"))


def tags(tags: tuple[str, ...], scrubber: Scrubber) -> tuple[str, ...]:
    accepted = text.accept_tags(tags)
    return tuple(dict.fromkeys(scrubber.text(tag, f"tags/{place}") for place, tag in enumerate(accepted)))


def metadata(metadata: str, scrubber: Scrubber) -> str:
    return scrubber.json(text.accept(metadata, "metadata", limit_bytes=text.METADATA_BYTES), "metadata")


def source(claim: SourceClaim, caller: Caller, scrubber: Scrubber) -> Source:
    asked = (claim.trust,) if claim.trust else ()
    agent = name(claim.agent, "source.agent", scrubber) or "api"
    return Source(
        agent=agent,
        session=name(claim.session, "source.session", scrubber),
        channel=name(claim.channel, "source.channel", scrubber),
        trust=lowest(agent_trust(agent), caller.max_trust, *asked),
    )


def extraction(told: Extraction | None, scrubber: Scrubber) -> Extraction | None:
    """A model chose some of its words."""
    if told is None:
        return None
    subject = name(told.subject, "extraction.subject", scrubber) or told.subject
    return replace(told, subject=subject, date_phrase=name(told.date_phrase, "extraction.date_phrase", scrubber))


def importance(importance: float) -> float:
    low, high = _IMPORTANCE
    if not low <= importance <= high:
        raise Invalid("importance", f"importance lies between {low:g} and {high:g}")
    return round(importance, 6)


def expiry(expires_at: datetime | None, now: datetime) -> datetime | None:
    if expires_at is not None and expires_at <= now:
        raise Invalid("expires_at", "expires_at lies in the past; to take a memory away, forget it")
    return expires_at
