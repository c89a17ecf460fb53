"""Save a batch: each draft as if it came alone, but embedded together."""

from __future__ import annotations

from collections.abc import Sequence

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import PalimpsestError
from palimpsest.domain.idempotency import Idempotency
from palimpsest.usecases.accepted import Request
from palimpsest.usecases.drafts import Draft, Refused, Saved
from palimpsest.usecases.remember import Remember


def remember_batch(
    remember: Remember, caller: Caller, drafts: Sequence[Draft], idempotency: Idempotency | None = None
) -> list[Saved | Refused]:
    """Save each draft; one that is refused does not keep the others from being saved. In order.

    Raises:
        IdempotencyReused: The key of the request came before with another body.
    """
    caller.require(Role.WRITER)
    remember.steps.claim(caller, idempotency)
    results: dict[int, Saved | Refused] = {}
    requests: dict[int, Request] = {}
    for i, draft in enumerate(drafts):
        try:
            answered = remember.saving.replayed(caller, _part(idempotency, i))
            if answered is None:
                requests[i] = Request(caller, remember.accept(caller, draft), _part(idempotency, i))
                answered = remember.saving.unchanged(requests[i])
        except PalimpsestError as error:
            results[i] = Refused(error)
        else:
            if answered is not None:
                results[i] = answered
    waiting = [i for i in requests if i not in results]
    features = remember.featurise.many([requests[i].accepted.statement.content for i in waiting])
    hearing = remember.echo.hearing(caller)
    for i, found in zip(waiting, features, strict=True):
        try:
            results[i] = remember.repeated(requests[i], found, hearing) or remember.store(requests[i], found)
        except PalimpsestError as error:
            results[i] = Refused(error)
    return [results[i] for i in range(len(drafts))]


def _part(idempotency: Idempotency | None, position: int) -> Idempotency | None:
    """The idempotency of one item; part 0 stands for the batch as such."""
    return None if idempotency is None else Idempotency(idempotency.key, idempotency.body, position + 1)
