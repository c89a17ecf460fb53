"""Everything that a surface can ask for: one object, handed to the entry points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.domain.access import AccessKey, Caller
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import KeyId
from palimpsest.stores.spaces import Space
from palimpsest.usecases.access_keys import ManageKeys
from palimpsest.usecases.add_conversation import AddConversation
from palimpsest.usecases.add_document import AddDocument
from palimpsest.usecases.annotate import Annotate
from palimpsest.usecases.authenticate import Authenticate
from palimpsest.usecases.change_many import ChangeMany
from palimpsest.usecases.change_vocabulary import ChangeVocabulary
from palimpsest.usecases.compare import Compare
from palimpsest.usecases.drafts import Draft, Refused, Saved
from palimpsest.usecases.erase import Erase
from palimpsest.usecases.erase_document import EraseDocument
from palimpsest.usecases.findings import ManageFindings
from palimpsest.usecases.forget import Forget
from palimpsest.usecases.graph import Graph
from palimpsest.usecases.history import TellHistory
from palimpsest.usecases.index_status import IndexReport, IndexStatus, StatusReport
from palimpsest.usecases.issuing import Issued, KeyRequest, KeysListed
from palimpsest.usecases.library import Library
from palimpsest.usecases.list_conflicts import ListConflicts
from palimpsest.usecases.list_memories import ListMemories
from palimpsest.usecases.manage_spaces import ManageSpaces
from palimpsest.usecases.prove import Prove
from palimpsest.usecases.rate import Rate
from palimpsest.usecases.read import Read
from palimpsest.usecases.recall import Recall
from palimpsest.usecases.remember import Remember
from palimpsest.usecases.remember_batch import remember_batch
from palimpsest.usecases.resolve import Resolve
from palimpsest.usecases.resolve_auto import ResolveAuto
from palimpsest.usecases.restore import Restore
from palimpsest.usecases.revert import Revert
from palimpsest.usecases.revise import Revise
from palimpsest.usecases.runs import ManageRuns
from palimpsest.usecases.serving import Serving
from palimpsest.usecases.space_settings import SpaceMade, SpaceSettings, SpaceShown, SpacesListed
from palimpsest.usecases.stats import TellStats
from palimpsest.usecases.supply import Supply
from palimpsest.usecases.take_back import TakeBack
from palimpsest.usecases.upload_document import UploadDocument


@dataclass(frozen=True, slots=True)
class Service:
    """The verbs. Each checks the role and the space, and raises the errors of `domain.errors`."""

    serving: Serving
    authenticate: Authenticate
    remember: Remember
    revise: Revise
    annotate: Annotate
    revert: Revert
    forget: Forget
    forget_many: ChangeMany
    erase: Erase
    erase_document: EraseDocument
    erase_many: ChangeMany
    resolve_auto: ResolveAuto
    restore: Restore
    read: Read
    list_memories: ListMemories
    history: TellHistory
    diff: Compare
    prove: Prove
    conflicts: ListConflicts
    resolve: Resolve
    take_back: TakeBack
    findings: ManageFindings
    recall: Recall
    rate: Rate
    stats: TellStats
    supply: Supply
    keys: ManageKeys
    spaces: ManageSpaces
    runs: ManageRuns
    add_document: AddDocument
    upload_document: UploadDocument
    add_conversation: AddConversation
    library: Library
    graph: Graph
    vocabulary: ChangeVocabulary
    index: IndexStatus

    def remember_all(
        self,
        caller: Caller,
        drafts: Sequence[Draft],
        idempotency: Idempotency | None = None,
        *,
        space: str | None = None,
    ) -> list[Saved | Refused]:
        return remember_batch(self.remember, caller, drafts, idempotency, space=space)

    def issue_key(self, caller: Caller, request: KeyRequest, idempotency: Idempotency | None = None) -> Issued:
        return self.keys.issue(caller, request, idempotency)

    def list_keys(self, caller: Caller, *, limit: int = 50, cursor: str | None = None) -> KeysListed:
        return self.keys.page(caller, limit=limit, cursor=cursor)

    def rotate_key(self, caller: Caller, key: KeyId) -> Issued:
        return self.keys.rotate(caller, key)

    def revoke_key(self, caller: Caller, key: KeyId) -> AccessKey:
        return self.keys.revoke(caller, key)

    def list_spaces(self, caller: Caller, *, limit: int = 50, cursor: str | None = None) -> SpacesListed:
        return self.spaces.page(caller, limit=limit, cursor=cursor)

    def begin_space(
        self, caller: Caller, name: str, settings: SpaceSettings, idempotency: Idempotency | None = None
    ) -> SpaceMade:
        return self.spaces.make(caller, name, settings, idempotency)

    def show_space(self, caller: Caller, name: str) -> SpaceShown:
        return self.spaces.show(caller, name)

    def change_space(self, caller: Caller, name: str, settings: SpaceSettings) -> Space:
        return self.spaces.change(caller, name, settings)

    def report_status(self, caller: Caller) -> StatusReport:
        return self.index.report(caller)

    def rebuild_index(self, caller: Caller, idempotency: Idempotency | None = None) -> IndexReport:
        return self.index.rebuild(caller, idempotency)
