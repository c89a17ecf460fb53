"""Memories that were made from others."""

from __future__ import annotations

from collections.abc import Sequence

from palimpsest.domain import lineage
from palimpsest.domain.belief import Annotations
from palimpsest.domain.ids import DocumentId, KeyId, RootId
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Statement
from tests.support.installation import START, Installation


def made_from(
    memory: Installation,
    content: str,
    *sources: RootId,
    canonical: str | None = None,
    documents: Sequence[DocumentId] = (),
) -> RootId:
    """A memory that was made from others, as background work will make them."""
    service, space = memory.wired.service, memory.wired.build_index.spaces.ensure("default")
    made = RootId(f"mem_{memory.wired.build_index.ids.ulid()}")
    refs = (*(f"{source}@1" for source in sources), *documents)
    stamp, statement = (
        Stamp(START, KeyId("job")),
        Statement(content, START, canonical=canonical, level="L1", derived_from=refs),
    )
    step = lineage.begin(made, space.id, statement, stamp, annotations=Annotations(), embedded=True)
    features = service.remember.featurise.one(content)
    service.remember.steps.beliefs.commit(step, space, features, text_before=None)
    return made
