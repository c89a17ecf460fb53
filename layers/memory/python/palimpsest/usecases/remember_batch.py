"""Save a batch: each draft as if it came alone, but embedded together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from palimpsest.domain.access import Caller, Role
from palimpsest.domain.errors import PalimpsestError
from palimpsest.domain.idempotency import Idempotency
from palimpsest.domain.judgement import Verdict
from palimpsest.stores.changes import Features
from palimpsest.usecases.accepted import Accepted, Request
from palimpsest.usecases.drafts import Draft, Refused, Saved
from palimpsest.usecases.judging import depends_on_earlier
from palimpsest.usecases.remember import Remember


def remember_batch(
    remember: Remember,
    caller: Caller,
    drafts: Sequence[Draft],
    idempotency: Idempotency | None = None,
    *,
    space: str | None = None,
) -> list[Saved | Refused]:
    """Save each draft; one that is refused does not keep the others from being saved. In order.

    Args:
        space: Of the drafts that name none; the key's own when not given.

    Raises:
        NotAllowed: The key is no writer, or may not enter `space`.
        IdempotencyReused: The key of the request came before with another body.
    """
    caller.require(Role.WRITER)
    drafts = _placed(drafts, caller, space)
    remember.steps.claim(caller, idempotency)
    results: dict[int, Saved | Refused] = {}
    requests: dict[int, Request] = {}
    for i, draft in enumerate(drafts):
        try:
            answered = remember.saving.replayed(caller, _part(idempotency, i))
            if answered is not None:
                answered = replace(answered, report=remember.scrubbed_again(caller, draft, answered))
            else:
                requests[i] = Request(caller, remember.accept(caller, draft), _part(idempotency, i))
                answered = remember.saving.unchanged(requests[i])
        except PalimpsestError as error:
            results[i] = Refused(error)
        else:
            if answered is not None:
                results[i] = answered
    waiting = [i for i in requests if i not in results]
    embedding = remember.featurise.begin([requests[i].accepted.statement.content for i in waiting])
    requests |= remember.placed({i: requests[i] for i in waiting})
    features = [found.at(requests[i].accepted.statement.place) for i, found in zip(waiting, embedding(), strict=True)]
    hearing = remember.echo.hearing(caller)
    verdicts = _verdicts(remember, [requests[i].accepted for i in waiting], features)
    for i, found, verdict in zip(waiting, features, verdicts, strict=True):
        try:
            results[i] = remember.repeated(requests[i], found, hearing) or remember.store(requests[i], found, verdict)
        except PalimpsestError as error:
            results[i] = Refused(error)
    return [_told(results[i], requests.get(i)) for i in range(len(drafts))]


def _placed(drafts: Sequence[Draft], caller: Caller, space: str | None) -> Sequence[Draft]:
    """The drafts, those that name no space in `space`."""
    if space is None:
        return drafts
    name = caller.require_space(space)
    return [draft if draft.space is not None else replace(draft, space=name) for draft in drafts]


def _told(result: Saved | Refused, request: Request | None) -> Saved | Refused:
    """The answer with what scrub did to what was sent."""
    if isinstance(result, Refused) or request is None:
        return result
    return replace(result, report=request.accepted.report)


def _verdicts(
    remember: Remember, accepted: Sequence[Accepted], features: Sequence[Features]
) -> Sequence[Verdict | None]:
    """What the judge finds of each; None for those that wait until what is like them in the batch is written."""
    waits = depends_on_earlier([each.space for each in accepted], [each.vectors for each in features])
    now = [place for place, is_waiting in enumerate(waits) if not is_waiting]
    found = remember.judged([accepted[place] for place in now], [features[place] for place in now])
    verdicts = dict(zip(now, found, strict=True))
    return [verdicts.get(place) for place in range(len(accepted))]


def _part(idempotency: Idempotency | None, position: int) -> Idempotency | None:
    """The idempotency of one item; part 0 stands for the batch as such."""
    return None if idempotency is None else Idempotency(idempotency.key, idempotency.body, position + 1)
