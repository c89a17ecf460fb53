"""Forget what was made from a belief or a document that is erased, and what was made from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from palimpsest.domain.erasure import Erasure
from palimpsest.domain.ids import DocumentId, RootId
from palimpsest.stores.derivations import Derivations
from palimpsest.usecases.forget import Forget


@dataclass(frozen=True, slots=True)
class HideDerived:
    """Hides whatever has one of its sources erased, since nobody can tell which words came from which source."""

    derivations: Derivations
    forget: Forget

    def __call__(self, erasure: Erasure) -> Mapping[str, datetime]:
        """Those that are forgotten now, and until when each can be restored."""
        hidden: dict[str, datetime] = {}
        seen: set[RootId | DocumentId] = {erasure.subject}
        waiting: list[RootId | DocumentId] = [erasure.subject]
        while waiting:
            for made in self.derivations.made_from(waiting.pop()):
                if made in seen:
                    continue
                seen.add(made)
                waiting.append(made)
                head = self.forget.by_itself(made, note=erasure.id)
                if head is not None and head.restore_until is not None:
                    hidden[made] = head.restore_until
        return hidden
