"""What can go wrong, as types.

PalimpsestError
├── Invalid                 the request can't mean anything: 422
│   ├── InvalidText         NUL, lone surrogates, empty
│   ├── TooLong             past a stated limit
│   └── CursorRefused       not ours, of another query or of another key
├── Unauthenticated         no key, or a wrong one: 401
├── NotAllowed              the key may not do this: 403
│   └── Outranked           less trust than what would be replaced: a conflict where there can be one, else 403
├── NotFound                unknown, or in a space that the key may not enter: 404
│   └── Erased              it was there, and is told like what never was
├── Conflict                409
│   ├── VersionMoved        `expected_version` is no longer the current one
│   ├── LostRace            the head kept moving for all retries
│   ├── WrongState          e.g. restore of what is not forgotten
│   ├── NameTaken           a name or an alias leads to another entity
│   └── BuiltUpon           a decision can't be taken back: later steps or decisions rest on it
├── IdempotencyReused       the key came before with another body: 422
├── TableError
│   ├── ConditionFailed     what the writer saw is no longer so
│   │   ├── HeadMoved       another writer made a step first: read again and retry
│   │   ├── FindingMoved    somebody else answered the finding first
│   │   ├── TextTaken       another belief of the space says the same
│   │   ├── RunMoved        the run was stopped, so this step of it comes too late
│   │   └── RequestRepeated the Idempotency-Key was written meanwhile
│   ├── ItemTooLarge        an item past 400 KB or a transaction past 4 MB
│   ├── TableThrottled      come again later: 503 with Retry-After
│   └── TableUnavailable    locked, full, corrupt, unreachable: 503
├── BlobMissing             no blob lies under the key
├── BlobsUnavailable        the store of blobs does not answer: 503
├── TableBehind             the table was restored and lacks erasures; nothing is served until it has them: 503
├── IndexUnavailable        one arm is degraded; never fatal by itself
├── EntriesRefused          the index will never take these entries; the others are in
├── QueueUnavailable        work could not be asked for; the next plan asks again
├── UnknownWork             a message of the queue that this release does not understand
├── SecretUnavailable       the owner's key can't be read, so it can't be checked: 503
├── EmbedderUnavailable     the row waits as `pending`; never fatal by itself
├── RerankerUnavailable     results stay in the order that they had; never fatal by itself
├── ModelError              no language model's answer; never fatal by itself
│   ├── ModelUnavailable    none came: late, throttled, refused or failed
│   ├── ModelAnswerUnusable one came that means nothing
│   └── BudgetExhausted     it was not asked: the day's cap would not hold
├── NothingSearched         every arm of a recall failed: 503
└── CorruptItem             a stored item that no codec can read: 500
    ├── VersionMissing      a head names a version that is not there: law 1 is broken: 500
    └── NewerItem           a newer release wrote it: 503 until this one is updated
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum


class PalimpsestError(Exception):
    """Anything that the memory itself raises. ``str()`` tells a person what happened and what to do."""


class Invalid(PalimpsestError):
    """The request can't mean anything.

    Attributes:
        field: Which part of the request, as a dotted path.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class InvalidText(Invalid):
    """Text that can't be stored: empty, with NUL or with a lone surrogate."""


class TooLong(Invalid):
    """More than a stated limit allows."""

    def __init__(self, field: str, *, limit: int, unit: str) -> None:
        super().__init__(field, f"{field} is over the limit of {limit:,} {unit}; shorten it or split it")
        self.limit = limit
        self.unit = unit


class CursorRefused(Invalid):
    """A cursor that this service did not make for this query and this key."""

    def __init__(self) -> None:
        super().__init__("cursor", "this cursor belongs to another query or another key; begin again without a cursor")


class Unauthenticated(PalimpsestError):
    """There is no key, or no key like this one."""

    def __init__(self) -> None:
        super().__init__("send a valid key as 'Authorization: Bearer plm_…'")


class NotAllowed(PalimpsestError):
    """The key is valid but may not do this."""


class Outranked(NotAllowed):
    """What is trusted less can't replace what is trusted more.

    Attributes:
        needed: The trust that it takes, as a word.
    """

    def __init__(self, needed: str) -> None:
        super().__init__(f"this would replace what has trust {needed}, and so takes a key with that trust")
        self.needed = needed


class NotFound(PalimpsestError):
    """Unknown, or in a space that the key may not enter; nobody can tell which."""

    def __init__(self, what: str = "memory") -> None:
        super().__init__(f"there is no such {what} that this key may see")
        self.what = what


class Erased(NotFound):
    """The memory was erased; callers are told no more than that it is not there.

    Attributes:
        space: Id of its space, so that nobody else is told anything of it.
    """

    def __init__(self, space: str) -> None:
        super().__init__()
        self.space = space


class Conflict(PalimpsestError):
    """The state of things does not allow the request."""


class VersionMoved(Conflict):
    """Another version is current than the caller expects."""

    def __init__(self, *, expected: int, current: int) -> None:
        super().__init__(f"version {current} is current, not {expected}; read the memory again and decide anew")
        self.expected = expected
        self.current = current


class LostRace(Conflict):
    """The head moved at each of several attempts."""

    def __init__(self, attempts: int) -> None:
        super().__init__(f"other writers changed this memory during each of {attempts} attempts; try again")
        self.attempts = attempts


class WrongState(Conflict):
    """The belief, or the index, is in a state in which this can't be done.

    Attributes:
        state: The state it is in.
    """

    def __init__(self, state: str, message: str) -> None:
        super().__init__(message)
        self.state = state


class NameTaken(Conflict):
    """A name or an alias that leads to another entity.

    Attributes:
        entity: The id of that entity.
    """

    def __init__(self, entity: str) -> None:
        super().__init__(f"this name, or an alias, leads to {entity}; choose another name, or merge the two")
        self.entity = entity


class BuiltUpon(Conflict):
    """A decision that others rest on.

    Attributes:
        ids: The versions and the conflicts that came after it.
    """

    def __init__(self, ids: tuple[str, ...]) -> None:
        super().__init__(f"this decision can't be taken back, since later ones rest on it: {', '.join(ids)}")
        self.ids = ids


class IdempotencyReused(PalimpsestError):
    """The Idempotency-Key came before with another body."""

    def __init__(self) -> None:
        super().__init__("this Idempotency-Key was used with another body; use a new key for a new request")


class TableError(PalimpsestError):
    """The table refused or could not be reached."""


class ConditionFailed(TableError):
    """What the writer saw is no longer so; nothing was written.

    Attributes:
        failed: Positions of the writes whose condition does not hold.
    """

    def __init__(self, failed: tuple[int, ...] = (0,)) -> None:
        super().__init__(f"the condition of write {', '.join(map(str, failed))} does not hold")
        self.failed = failed


class HeadMoved(ConditionFailed):
    """Another writer made a step on this belief first; read it again and retry."""


class FindingMoved(ConditionFailed):
    """Somebody else answered the finding first; read it again."""


class TextTaken(ConditionFailed):
    """Another belief of the space says the same text."""


class RunMoved(ConditionFailed):
    """The run was stopped or has gone on to another phase, so this step of it comes too late; nothing was written."""


class RequestRepeated(ConditionFailed):
    """A request with the same Idempotency-Key was written meanwhile."""


class ItemTooLarge(TableError):
    """An item over 400 KB, or a transaction over 4 MB."""


class TableThrottled(TableError):
    """The table took too much for now. ``retry_after_seconds`` says when to come again."""

    def __init__(self, retry_after_seconds: int = 1) -> None:
        super().__init__("the table is throttled; try again shortly")
        self.retry_after_seconds = retry_after_seconds


class TableUnavailable(TableError):
    """Locked, full, corrupt or out of reach; the message says which and what to do."""


class Unreadable(PalimpsestError):
    """A document can't be read.

    Attributes:
        reason: A word for people and programs, such as ``encrypted``, ``damaged``, ``empty``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"the document can't be read ({reason})")
        self.reason = reason


class BlobMissing(PalimpsestError):
    """There is no blob under this key."""


class BlobsUnavailable(PalimpsestError):
    """The store of blobs can't be reached or used now; the message says why."""


class TableBehind(PalimpsestError):
    """The table is older than the ledger of erased ids: restored from a backup. Nothing of it may be served yet."""


class IndexUnavailable(PalimpsestError):
    """The search index can't answer now.

    Attributes:
        reason: A word for the arm's report, e.g. ``index_rebuilding``, ``index_unreachable``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class EntriesRefused(PalimpsestError):
    """The index refuses these entries for good, whatever the reason; all others of the same call were taken.

    Attributes:
        keys: Of the refused entries.
    """

    def __init__(self, keys: tuple[str, ...]) -> None:
        super().__init__(f"the search index refuses {len(keys)} entries for good")
        self.keys = keys


class QueueUnavailable(PalimpsestError):
    """Work could not be asked for now; the next plan asks again."""


class UnknownWork(PalimpsestError):
    """A message of the work queue that means nothing to this release. The reason tells its shape, never its words."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"a message of the work queue can't be understood: {reason}")


class SecretUnavailable(PalimpsestError):
    """The owner's key can't be read from where it is kept, so nobody can say whether it was sent."""


class EmbedderUnavailable(PalimpsestError):
    """No vector can be had now.

    Attributes:
        reason: A word for the arm's report, e.g. ``embedder_late``, ``embedder_failed``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class RerankerUnavailable(PalimpsestError):
    """No second look at results can be had now.

    Attributes:
        reason: A word for the report, e.g. ``reranker_late``, ``budget``.
        may_cost: The texts may have reached whoever is paid for it.
    """

    def __init__(self, reason: str, message: str, *, may_cost: bool = False) -> None:
        super().__init__(message)
        self.reason = reason
        self.may_cost = may_cost


class ModelError(PalimpsestError):
    """A language model was asked in vain. Whoever asked goes on without it."""


class ModelFailure(StrEnum):
    """Why no answer came."""

    LATE = "late"
    THROTTLED = "throttled"
    REFUSED = "refused"
    """Asking again would be refused again: a wrong key, an unknown model, a request that it does not take."""

    FAILED = "failed"


class ModelUnavailable(ModelError):
    """A language model gave no answer. The message says why, in none of the provider's words.

    Attributes:
        may_cost: The question may have reached the model, so it may have to be paid.
        retry_after: How long the provider asks to wait, where it says.
    """

    def __init__(
        self, reason: ModelFailure, message: str, *, may_cost: bool, retry_after: timedelta | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.may_cost = may_cost
        self.retry_after = retry_after


class ModelAnswerUnusable(ModelError):
    """A language model's answer is not what was asked for: garbage, cut short, or declined.

    Attributes:
        tokens: What it took, input and output; None when it does not say even that.
    """

    def __init__(self, message: str, tokens: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.tokens = tokens


class BudgetExhausted(ModelError):
    """A call would cost more than is left of the day's cap.

    Attributes:
        scope: Whose: ``space`` or ``account``.
    """

    def __init__(self, scope: str) -> None:
        super().__init__(f"the day's budget for the language model is used up (that of the {scope})")
        self.scope = scope


class NothingSearched(PalimpsestError):
    """Every arm of a recall failed. ``reasons`` maps arm to reason."""

    def __init__(self, reasons: dict[str, str]) -> None:
        super().__init__("no search arm could answer: " + ", ".join(f"{arm} ({why})" for arm, why in reasons.items()))
        self.reasons = reasons


class CorruptItem(PalimpsestError):
    """A stored item that no codec can read. ``key`` says where it lies; its content is not shown."""

    def __init__(self, pk: str, sk: str, reason: str) -> None:
        super().__init__(f"the stored item {pk} / {sk} can't be read: {reason}")
        self.key = (pk, sk)


class VersionMissing(CorruptItem):
    """A head names a version that is not stored: what law 1 says can't be so.

    Attributes:
        space: Id of the belief's space, so that nobody else is told of it.
    """

    def __init__(self, pk: str, sk: str, *, space: str, number: int) -> None:
        super().__init__(pk, sk, "it is missing, though its head names it")
        self.space = space
        self.number = number

    def __str__(self) -> str:
        return (
            f"version {self.number} of this memory is current and is not stored, so what it says is lost here; "
            "restore it from a backup"
        )


class NewerItem(CorruptItem):
    """A stored item in a form that only a newer release knows.

    Attributes:
        form: The form it has.
        readable: The newest form that this release reads.
    """

    def __init__(self, pk: str, sk: str, *, form: int, readable: int) -> None:
        super().__init__(pk, sk, f"it has form {form}, this release reads forms up to {readable}")
        self.form = form
        self.readable = readable
