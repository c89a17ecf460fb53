"""What was recalled, as ids and fingerprints of sentences: the echo guard and usage figures read it. Kept 30 days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.domain import instants, text
from palimpsest.domain.ids import KeyId, RecallId, SpaceId
from palimpsest.domain.version import Version
from palimpsest.ports.table import Put, Table
from palimpsest.stores import keys
from palimpsest.stores.codec import item
from palimpsest.stores.deployment import Deployment

RETENTION = timedelta(days=30)
_PRINT_CHARACTERS = 12
_MAX_PRINTS = 400
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Recalls:
    """Writes recall records."""

    table: Table
    deployment: Deployment

    def record(self, recall: RecallId, space: SpaceId, by: KeyId, versions: Sequence[Version], now: datetime) -> None:
        """Remember that `versions` were answered to `by`; at most the first 400 sentences are fingerprinted."""
        prints: list[str] = []
        for version in versions:
            if len(prints) < _MAX_PRINTS:
                prints += self.fingerprints(space, version.statement.content)
        self.table.write(
            Put(
                item(
                    keys.recall(space, by, recall),
                    at=now,
                    refs=" ".join(str(version.ref) for version in versions),
                    prints=" ".join(prints[:_MAX_PRINTS]),
                    ttl=instants.epoch_seconds(now + RETENTION),
                )
            )
        )

    def fingerprints(self, space: SpaceId, content: str) -> list[str]:
        """A short keyed hash of each sentence, blind to case, white space and closing marks."""
        sentences = (text.same_text_form(part).casefold().rstrip(".!?… ") for part in _SENTENCE_END.split(content))
        return [self.deployment.mac("print", space, s)[:_PRINT_CHARACTERS] for s in sentences if s]
