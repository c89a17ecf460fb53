"""Whether the table may be served: not while it is older than the ledger of erased ids."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from threading import Lock

from palimpsest.domain.errors import BlobsUnavailable, TableBehind
from palimpsest.ports.clock import Clock
from palimpsest.stores.ledger import Comparison, Ledger

_COMPARED_AGAIN = timedelta(minutes=10)
"""By what plans work."""
_LOOKED_AGAIN = timedelta(seconds=5)
"""By everybody while nothing may be served."""
_MOST_UNMARKED = 50


class Standing(StrEnum):
    """How the table stands against the ledger."""

    EVEN = "even"
    UNMARKED = "unmarked"
    """Even, and its mark should be moved on."""

    BEHIND = "behind"
    """Restored from a backup, and what was erased since is not erased in it yet."""

    LOST = "lost"
    """The ledger is not the table's: nobody knows what was erased."""

    @property
    def may_be_served(self) -> bool:
        return self in (Standing.EVEN, Standing.UNMARKED)


@dataclass(slots=True)
class Serving:
    """Compares when it is first asked, and remembers. `ledger`: None where the installation keeps none.

    A ledger that can't be read later on changes nothing: no table is restored under a process.
    """

    ledger: Ledger | None
    clock: Clock
    _standing: Standing | None = field(default=None, init=False)
    _told: str = field(default="", init=False)
    _compared_at: datetime | None = field(default=None, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def require(self) -> None:
        """Pass when the table may be served.

        Raises:
            TableBehind: It may not, and why.
            BlobsUnavailable: The ledger can't be read, so nobody knows.
        """
        if not self.standing(older=None).may_be_served:
            raise TableBehind(self._told)

    def may_work(self) -> bool:
        """The same, for whoever works on what is in the table."""
        return self.standing(older=None).may_be_served

    def standing(self, *, older: timedelta | None = _COMPARED_AGAIN) -> Standing:
        """How it stands.

        Args:
            older: A comparison that is older and found nothing is made again; None: it never is. One that found that
                something is to be done is made again soon.
        """
        if self.ledger is None:
            return Standing.EVEN
        with self._lock:
            if self._is_due(older):
                self._compare(self.ledger)
            return self._standing or Standing.LOST

    def forget(self) -> None:
        """Compare again when it is asked next."""
        self._standing = None

    def _is_due(self, older: timedelta | None) -> bool:
        if self._standing is None or self._compared_at is None:
            return True
        if self._standing.may_be_served and older is None:
            return False
        wanted = older if self._standing is Standing.EVEN else _LOOKED_AGAIN
        return self._standing is Standing.UNMARKED or self.clock.now() - self._compared_at >= (wanted or _LOOKED_AGAIN)

    def _compare(self, ledger: Ledger) -> None:
        try:
            self._standing, self._told = _judged(ledger.compare())
        except BlobsUnavailable:
            if self._standing is None or not self._standing.may_be_served:
                raise
        self._compared_at = self.clock.now()


def _judged(compared: Comparison) -> tuple[Standing, str]:
    """How the table stands, and what people are told of it."""
    if compared.mark is not None and compared.is_lost:
        return Standing.LOST, (
            f"the ledger of erased ids is not this table's: it lacks the entry {compared.mark.key}; put the table's "
            "own ledger in its place, as docs/operate/restore.md says"
        )
    if compared.is_behind:
        return Standing.BEHIND, (
            "the table was restored from a backup and lacks "
            f"{len(compared.lacking):,} erasures; they are being done again, try again later"
        )
    is_unmarked = compared.mark is None or compared.unmarked > _MOST_UNMARKED
    return (Standing.UNMARKED if is_unmarked else Standing.EVEN), ""
