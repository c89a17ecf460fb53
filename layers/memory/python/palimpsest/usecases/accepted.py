"""What may be stored, and who asks for it."""

from __future__ import annotations

from dataclasses import dataclass

from palimpsest.domain.access import Caller
from palimpsest.domain.belief import Annotations
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Statement
from palimpsest.stores.spaces import Space
from palimpsest.usecases.drafts import Draft


@dataclass(frozen=True, slots=True)
class Accepted:
    """A draft that may be stored, in its space."""

    space: Space
    draft: Draft
    statement: Statement
    annotations: Annotations
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what to be saved, and under which key of idempotency."""

    caller: Caller
    accepted: Accepted
    idempotency: Idempotency | None
