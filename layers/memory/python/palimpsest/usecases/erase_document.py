"""Erase a document: off every surface at once, and off every disk in the background, with what was learned from it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.document import Document
from palimpsest.domain.erasure import Erasure
from palimpsest.domain.errors import ConditionFailed, LostRace, NotFound
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.ids import SYSTEM, DocumentId, KeyId, erasure_of
from palimpsest.ports.table import Write
from palimpsest.stores.documents import Documents
from palimpsest.usecases.erase import EARLIER, Erase, Receipt
from palimpsest.usecases.steps import ATTEMPTS


@dataclass(frozen=True, slots=True)
class EraseDocument:
    """Begins erasures of documents; whoever begins those of memories tells how they stand."""

    erase: Erase
    documents: Documents

    def __call__(self, caller: Caller, document: DocumentId, request: Idempotency | None = None) -> Receipt:
        """Begin to erase the document, or say how its erasure stands when that was asked for before.

        Raises:
            NotAllowed: The key is no owner.
            NotFound: Unknown, or in a space that the key may not enter.
        """
        caller.require(Role.OWNER)
        steps = self.erase.steps
        for _ in range(ATTEMPTS):
            steps.answered(caller, request)  # the same key of idempotency with another body is refused
            begun = self.erase.erasures.read(erasure_of(document))
            if begun is not None:
                return self.erase.told(caller, begun, "document")
            found = self.documents.find([document]).get(document)
            if found is None or not caller.may_enter(steps.spaces.by_id(found.space).name):
                raise NotFound("document")
            with suppress(ConditionFailed):
                return self.erase.told(caller, self._begin(found, caller.key, request), "document")
        raise LostRace(ATTEMPTS)

    def by_itself(self, document: Document) -> None:
        """Begin to erase a document for a reason that no caller gave; nothing when somebody moved it meanwhile."""
        with suppress(ConditionFailed):
            self._begin(document, SYSTEM, None)

    def _begin(self, document: Document, by: KeyId, request: Idempotency | None) -> Erasure:
        now = self.erase.steps.clock.now()
        erased = document.erased(now)
        begun = Erasure(
            id=erasure_of(document.id),
            subject=document.id,
            space=document.space,
            asked_by=by,
            asked_at=now,
            began_at=document.created_at - EARLIER,
            revision=erased.revision,
            versions=document.editions,
            text_mac=self.documents.path_mac(document),
            resumes_at=now,
            removed={"document_path": 1},
        )
        answer = self.erase.answer(begun, request)
        also: list[Write] = [self.erase.erasures.begin(begun)[0], *([] if answer is None else [answer])]
        self.documents.erase(document, erased, also)
        self.erase.ask(begun)
        return begun
