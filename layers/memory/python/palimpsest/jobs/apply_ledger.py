"""Bring a table that was restored up to the ledger of erased ids: erase again what was erased since its backup.

No index leads from a digest to its memory, so the table is walked through once, slice by slice. What it finds is erased
in the ordinary way; of what the table never had the digest is kept, so that it can't come in later.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from palimpsest.domain.belief import Head
from palimpsest.domain.document import Document
from palimpsest.domain.errors import HeadMoved, NotFound, TableThrottled
from palimpsest.domain.ids import DocumentId, RootId, parse_document
from palimpsest.domain.ledger import digest_of
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.table import Item, Key, WholeTable
from palimpsest.stores import keys, library_keys
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.documents import Documents
from palimpsest.stores.ledger import Comparison, Ledger
from palimpsest.usecases.serving import Serving

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class ApplyLedger:
    """Applies. It can be killed anywhere and run twice at once; a ledger that has not begun begins here.

    Attributes:
        erase: Begins to erase a belief as it is; HeadMoved when another step came first.
        erase_document: Begins to erase a document; nothing when somebody moved it meanwhile.
        page: So many items of the table are looked at before the time is.
    """

    ledger: Ledger
    serving: Serving
    table: WholeTable
    beliefs: Beliefs
    erase: Callable[[Head], None]
    documents: Documents
    erase_document: Callable[[Document], None]
    page: int = 500

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """One slice; True when there is more to do at once.

        Raises:
            TableBehind: The ledger is not the table's.
            BlobsUnavailable: The ledger can't be read or begun.
        """
        compared = self.ledger.compare()
        if compared.is_lost:
            self.serving.forget()
            self.serving.require()
            return False
        if compared.is_behind and not self._is_erased(compared, seconds_left):
            return True
        if compared.listed:
            self.ledger.apply(compared)
        else:
            self.ledger.begin()
        self.serving.forget()
        return False

    def finish(self, *, may_begin: bool) -> bool:
        """All slices; True when a ledger that is not the table's was taken for it, since it `may_begin` anew.

        Raises:
            TableBehind: It is not the table's, and may not.
        """
        is_gone = may_begin and self.ledger.compare().is_lost
        if is_gone:
            self.ledger.begin()
        while self("", lambda: math.inf):
            pass
        return is_gone

    def _is_erased(self, compared: Comparison, seconds_left: SecondsLeft) -> bool:
        """Whether the walk has come to its end."""
        wanted = {entry.digest: entry for entry in compared.lacking}
        after = self.ledger.reached(compared)
        while True:
            page = self.table.scan(after=after, limit=self.page)
            for subject in _subjects(page.items):
                entry = wanted.get(digest_of(subject))
                if entry is not None:
                    self._erase(subject)
                    self.ledger.keep([entry])  # so that the erasure makes no entry of its own
            after = page.next_cursor
            if after is None:
                return True
            if seconds_left() <= 0:
                self.ledger.reach(compared, after)
                return False

    def _erase(self, subject: RootId | DocumentId) -> None:
        document = parse_document(subject)
        if document is not None:
            self._erase_document(document)
        else:
            self._erase_belief(RootId(subject))

    def _erase_document(self, document: DocumentId) -> None:
        for _ in range(_ATTEMPTS):
            found = self.documents.find([document]).get(document)
            if found is None or found.erased_at is not None:
                return
            self.erase_document(found)
        raise TableThrottled

    def _erase_belief(self, root: RootId) -> None:
        for _ in range(_ATTEMPTS):
            head = self.beliefs.heads([root]).get(root)
            if head is None or head.state.is_erased:
                return
            with suppress(HeadMoved, NotFound):
                self.erase(head)
                return
        raise HeadMoved


def _subjects(items: tuple[Item, ...]) -> Iterator[RootId | DocumentId]:
    for item in items:
        place = Key(str(item["pk"]), str(item["sk"]))
        kind = keys.kind(place)
        if kind == "head":
            yield keys.root_of_head(place)
        elif kind == "document":
            yield library_keys.document_of(place)
