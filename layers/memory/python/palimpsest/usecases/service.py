"""Everything that a surface can ask for: one object, handed to the entry points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from palimpsest.domain.access import AccessKey, Caller, Role
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId, VersionRef
from palimpsest.domain.lineage import Memory
from palimpsest.domain.source import Trust
from palimpsest.usecases.requests import (
    Annotation,
    Diff,
    Draft,
    Forgotten,
    History,
    Listed,
    ListQuery,
    Proof,
    Recalled,
    RecallQuery,
    Refused,
    Revision,
    Saved,
)


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """A key to be made. `spaces` None: every space; names, or prefixes that end in ``*``."""

    role: Role
    spaces: tuple[str, ...] | None = None
    max_trust: Trust | None = None
    label: str | None = None
    default_space: str = "default"
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Issued:
    """A new key; `secret` is the whole key, shown this once."""

    key: AccessKey
    secret: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How the search index stands. `state`: ``ready``, ``building``, ``missing``, ``other_model``."""

    state: str
    generation: str | None
    model: str
    pending_embeddings: int
    lag_seconds: float


@dataclass(frozen=True, slots=True)
class StatusReport:
    """What runs, with which models."""

    version: str
    store: str
    embedder: str
    embedder_engine: str
    index: IndexReport


class Service(Protocol):
    """The verbs. Each checks the role and the space, and raises the errors of `domain.errors`."""

    def authenticate(self, authorization: str | None) -> Caller: ...

    def remember(self, caller: Caller, draft: Draft, idempotency: Idempotency | None = None) -> Saved: ...

    def remember_all(
        self, caller: Caller, drafts: Sequence[Draft], idempotency: Idempotency | None = None
    ) -> list[Saved | Refused]: ...

    def revise(
        self, caller: Caller, ref: VersionRef, revision: Revision, idempotency: Idempotency | None = None
    ) -> Memory: ...

    def annotate(self, caller: Caller, ref: VersionRef, annotation: Annotation) -> Memory: ...

    def revert(
        self,
        caller: Caller,
        ref: VersionRef,
        version: int,
        *,
        expected_version: int | None = None,
        idempotency: Idempotency | None = None,
    ) -> Memory: ...

    def forget(self, caller: Caller, ref: VersionRef, idempotency: Idempotency | None = None) -> Forgotten: ...

    def restore(self, caller: Caller, ref: VersionRef, idempotency: Idempotency | None = None) -> Memory: ...

    def read(self, caller: Caller, ref: VersionRef, *, include_forgotten: bool = False) -> Memory: ...

    def list_memories(self, caller: Caller, query: ListQuery) -> Listed: ...

    def history(self, caller: Caller, ref: VersionRef, *, limit: int = 50, cursor: str | None = None) -> History: ...

    def diff(self, caller: Caller, ref: VersionRef, *, older: int | None, newer: int | None) -> Diff: ...

    def prove(self, caller: Caller, ref: VersionRef) -> Proof: ...

    def recall(self, caller: Caller, query: RecallQuery) -> Recalled: ...

    def issue_key(self, caller: Caller, request: KeyRequest, idempotency: Idempotency | None = None) -> Issued: ...

    def list_keys(self, caller: Caller, *, limit: int = 50, cursor: str | None = None) -> KeysListed: ...

    def rotate_key(self, caller: Caller, key: KeyId) -> Issued: ...

    def revoke_key(self, caller: Caller, key: KeyId) -> AccessKey: ...

    def report_status(self, caller: Caller) -> StatusReport: ...

    def rebuild_index(self, caller: Caller) -> IndexReport: ...


@dataclass(frozen=True, slots=True)
class KeysListed:
    """One page of keys, newest first."""

    keys: tuple[AccessKey, ...]
    next_cursor: str | None
