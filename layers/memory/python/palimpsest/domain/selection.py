"""Which memories of a space are meant by what they are, when many are changed at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.belief import Head
from palimpsest.domain.errors import Invalid
from palimpsest.domain.ids import RootId
from palimpsest.domain.version import MemoryType, Version


@dataclass(frozen=True, slots=True)
class Selection:
    """Only what passes every part that is given. It looks at what is current, or was when the memory left recall.

    Attributes:
        ids: Any of these; then no other memory is looked at.
        words: Keywords that must all occur in the text.
        tags: All of these.
        session: Of the source.
        source_agents, memory_types: Any of these.
        dated_from, dated_until: Event date, else asserted, within the bounds, both included.
        entity: It names this entity: an id, or a name.
    """

    ids: tuple[RootId, ...] = ()
    words: str | None = None
    tags: tuple[str, ...] = ()
    session: str | None = None
    source_agents: tuple[str, ...] = ()
    memory_types: tuple[MemoryType, ...] = ()
    attributed_to: str | None = None
    dated_from: datetime | None = None
    dated_until: datetime | None = None
    entity: str | None = None

    def require_meaning(self) -> None:
        """Raise Invalid when it would mean everything, or when its dates end before they begin."""
        if self == Selection():
            raise Invalid(
                "q", "say which memories: ids, q, tags, session, source_agents, memory_types, entity, dates …"
            )
        begins, ends = self.dated_from, self.dated_until
        if begins is not None and ends is not None and ends < begins:
            raise Invalid("date_to", "date_to lies before date_from")

    def passes(self, head: Head, version: Version) -> bool:
        """The belief, by all but its words and what it names."""
        said = version.statement
        dated = said.event_date or said.asserted_at
        return (
            (not self.ids or head.root in self.ids)
            and set(self.tags) <= set(head.annotations.tags)
            and (self.session is None or said.source.session == self.session)
            and (not self.source_agents or said.source.agent in self.source_agents)
            and (not self.memory_types or said.memory_type in self.memory_types)
            and (self.attributed_to is None or said.attributed_to == self.attributed_to)
            and (self.dated_from is None or self.dated_from <= dated)
            and (self.dated_until is None or dated <= self.dated_until)
        )
