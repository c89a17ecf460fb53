"""What narrows a recall or a list."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from palimpsest.domain.belief import Head, Status
from palimpsest.domain.errors import Invalid
from palimpsest.domain.source import Trust
from palimpsest.domain.timeline import END, Moment
from palimpsest.domain.traits import Scalar, Traits, Wanted, label, metadata_label, tag_labels
from palimpsest.domain.version import MemoryType, Version


@dataclass(frozen=True, slots=True)
class Filters:
    """Only what passes every filter that is given; an empty tuple or None filters nothing.

    Attributes:
        statuses: Any of these; by default what is current.
        memory_types, levels: Any of these.
        tags: All of these.
        metadata: For each name one of these values; a stored list has each of its plain values.
        session, channel, attributed_to: Exactly this.
        source_agents, exclude_source_agents: Any of these; none of these.
        min_trust: Of the source, at least.
        dated_from, dated_until: Event date, else asserted, within the bounds, both included.
        as_of: What was true then; None: now, or at `believed_at` when that is given.
        believed_at: As it was believed then; None: now.
    """

    statuses: tuple[Status, ...] = (Status.CURRENT,)
    memory_types: tuple[MemoryType, ...] = ()
    levels: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: tuple[tuple[str, tuple[Scalar, ...]], ...] = ()
    session: str | None = None
    channel: str | None = None
    attributed_to: str | None = None
    source_agents: tuple[str, ...] = ()
    exclude_source_agents: tuple[str, ...] = ()
    min_trust: Trust | None = None
    dated_from: datetime | None = None
    dated_until: datetime | None = None
    as_of: datetime | None = None
    believed_at: datetime | None = None

    @property
    def shows_stale(self) -> bool:
        """Older versions may be shown beside, or in place of, the current one."""
        return Status.STALE in self.statuses

    @property
    def is_dated(self) -> bool:
        """It is narrowed to a range of dates."""
        return self.dated_from is not None or self.dated_until is not None

    @property
    def is_timed(self) -> bool:
        """It is asked for another time than now."""
        return self.as_of is not None or self.believed_at is not None

    def moment(self, head: Head, now: datetime) -> Moment:
        """What is asked for of that belief. Today's question passes over no version for its writer's fast clock."""
        if not self.is_timed:
            return Moment(max(now, head.recorded_at), END)
        return Moment(self.as_of or self.believed_at or now, self.believed_at or END)

    def require_order(self) -> None:
        """Raise Invalid when the dates end before they begin."""
        begins, ends = self.dated_from, self.dated_until
        if begins is not None and ends is not None and ends < begins:
            raise Invalid("date_to", "date_to lies before date_from")

    def passes(self, head: Head, version: Version) -> bool:
        """The version, under its head, passes every filter."""
        return head.status(version.number) in self.statuses and self.fits(head, version)

    def fits(self, head: Head, version: Version) -> bool:
        """The version passes every filter but that of how it stands now."""
        return self.take(Traits.of(version.statement, head.annotations.tags))

    def take(self, traits: Traits) -> bool:
        """What has these passes every filter but that of how it stands now."""
        return (
            (not self.memory_types or traits.memory_type in self.memory_types)
            and (not self.levels or traits.level in self.levels)
            and (self.dated_from is None or self.dated_from <= traits.dated_at)
            and (self.dated_until is None or traits.dated_at <= self.dated_until)
            and self.wanted.passes(traits.labels)
        )

    @property
    def narrow(self) -> bool:
        """Something is asked for beside how a version stands, and when."""
        return replace(self, statuses=(), as_of=None, believed_at=None) != Filters(statuses=())

    @property
    def wanted(self) -> Wanted:
        """The labels that are asked for."""
        groups = [{metadata_label(name, value) for value in values} for name, values in self.metadata]
        groups += [{each} for each in tag_labels(self.tags)]
        exactly = {"session": self.session, "channel": self.channel, "attributed_to": self.attributed_to}
        groups += [{label(name, value)} for name, value in exactly.items() if value is not None]
        if self.source_agents:
            groups.append(_agents(self.source_agents))
        if self.min_trust is not None:
            groups.append({label("trust", trust) for trust in Trust if not trust.is_below(self.min_trust)})
        return Wanted(tuple(map(frozenset, groups)), frozenset(_agents(self.exclude_source_agents)))


def _agents(names: tuple[str, ...]) -> set[bytes]:
    return {label("agent", name) for name in names}
