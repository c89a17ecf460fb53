"""Let end whose time has come: expired beliefs are forgotten, what is forgotten is erased after its window."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from palimpsest.domain.belief import Head, State
from palimpsest.domain.document import Document
from palimpsest.domain.errors import CorruptItem, HeadMoved, NotFound
from palimpsest.domain.ids import SYSTEM
from palimpsest.domain.lineage import Stamp
from palimpsest.domain.version import Reason
from palimpsest.jobs.work import SecondsLeft
from palimpsest.ports.clock import Clock
from palimpsest.stores.beliefs import Beliefs
from palimpsest.stores.derivations import sources_of
from palimpsest.stores.documents import Documents
from palimpsest.stores.dues import Due, Dues
from palimpsest.stores.spaces import Spaces
from palimpsest.stores.texts import Words
from palimpsest.usecases.forget import Forget

_AT_ONCE: Final = 20
_LOOKED_AT_AGAIN: Final = timedelta(hours=1)
_SAID_STILL: Final = timedelta(days=1)

Erase: TypeAlias = Callable[[Head], None]
"""Begins to erase a belief; what was begun goes on by itself. HeadMoved when another step came first."""


@dataclass(frozen=True, slots=True)
class Expire:
    """Ends beliefs and documents. `erase_document`: begins to erase one, unless somebody moved it meanwhile."""

    dues: Dues
    beliefs: Beliefs
    spaces: Spaces
    forget: Forget
    erase: Erase
    documents: Documents
    erase_document: Callable[[Document], None]
    clock: Clock

    def __call__(self, subject: str, seconds_left: SecondsLeft) -> bool:
        """As much as fits; True when there may be more."""
        while self._erase_documents() == _AT_ONCE:
            if seconds_left() <= 0:
                return True
        while due := self.dues.due(self.clock.now(), _AT_ONCE):
            for each in due:
                self._look(each)
                if seconds_left() <= 0:
                    return True
        return False

    def _erase_documents(self) -> int:
        """How many erasures of forgotten documents were begun; one that can't be read is left alone."""
        begun, now = 0, self.clock.now()
        for each in self.documents.ended(now, _AT_ONCE):
            with suppress(CorruptItem):
                found = self.documents.find([each]).get(each)
                if found is not None and found.restore_until is not None and found.restore_until <= now:
                    self.erase_document(found)
                    begun += 1
        return begun

    def _look(self, due: Due) -> None:
        """One belief, as its head says; one that can't be read is looked at again later."""
        now = self.clock.now()
        try:
            self._settle(due, now)
        except NotFound:
            self.dues.clear(due)
        except CorruptItem:
            self.dues.put_off(due, now + _LOOKED_AT_AGAIN)

    def _settle(self, due: Due, now: datetime) -> None:
        head = self.beliefs.heads([due.root]).get(due.root)
        if head is None:
            raise NotFound
        if head.ends_at is None:
            self.dues.clear(due)
        elif head.ends_at > now:
            self.dues.put_off(due, head.ends_at)
        elif head.state is State.RETIRED and self._is_still_said(head):
            self.dues.put_off(due, now + _SAID_STILL)
        elif head.state is not State.FORGOTTEN:
            self._forget(head, now)
        else:
            with suppress(HeadMoved):
                self.erase(head)

    def _is_still_said(self, head: Head) -> bool:
        """The belief that it was retired into has its words, which would be hidden with it."""
        if head.merged_into is None:
            return False
        try:
            heir = self.beliefs.read(head.merged_into)
        except NotFound:
            return False
        if head.root not in sources_of(heir.current):
            return False
        return heir.head.state is State.LIVE or (heir.head.state is State.RETIRED and self._is_still_said(heir.head))

    def _forget(self, head: Head, now: datetime) -> None:
        belief = self.beliefs.read(head.root)
        if belief.head.revision != head.revision:  # it may have got another end; the entry is looked at again
            return
        space = self.spaces.by_id(belief.head.space)
        planned = self.forget.hide(space, belief, Stamp(now, SYSTEM), reason=Reason.EXPIRED)
        with suppress(HeadMoved):
            self.beliefs.commit(planned.step, space, None, text_before=Words.of(belief.current.statement))
