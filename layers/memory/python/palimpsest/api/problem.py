"""Every error answer: RFC 9457 problems, made here and nowhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError

from palimpsest.api import failures
from palimpsest.api.failures import Fault, InvalidRequest
from palimpsest.api.wording import worded
from palimpsest.domain import errors

CONTENT_TYPE = "application/problem+json"
PAGE = "/docs/errors"
Location: TypeAlias = tuple[str | int, ...]
_WAIT_SECONDS = 5
_MOST_FAULTS = 20
_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Kind:
    """What all problems of one type have in common.

    Attributes:
        title: Fixed per type.
        advice: What to do, for the page of errors.
        is_detailed: The error's own words go to the caller; False when they may name what callers must not see.
    """

    status: int
    title: str
    advice: str
    is_detailed: bool = True


INTERNAL = Kind(500, "Something went wrong here", "Tell the operator the request id; the log knows more.", False)

KINDS: Mapping[type[Exception], Kind] = {
    failures.Unreadable: Kind(400, "The body can't be read", "Send one JSON object in UTF-8."),
    errors.Unauthenticated: Kind(401, "A valid key is needed", "Send Authorization: Bearer with a key of this memory."),
    errors.NotAllowed: Kind(403, "This key may not do this", "Use a key with the role and the space that are needed."),
    errors.Outranked: Kind(403, "Trusted less than what it would replace", "Use a key with the trust that is needed."),
    errors.NotFound: Kind(
        404, "Not found", "Check the id; what lies in other spaces looks the same as what is not there."
    ),
    failures.NoSuchRoute: Kind(404, "No such route", "See /docs for the routes."),
    failures.MethodNotAllowed: Kind(405, "Not with this method", "The Allow header names the methods of this path."),
    errors.VersionMoved: Kind(409, "Another version is current", "Read the memory again, then decide anew."),
    errors.LostRace: Kind(409, "Other writers were faster", "Try again."),
    errors.WrongState: Kind(409, "Not in this state", "The detail says which state it is in, and what is possible."),
    errors.NameTaken: Kind(409, "The name is taken", "The detail names the entity that it leads to."),
    errors.BuiltUpon: Kind(409, "Others rest on it", "The detail names them; revert those first."),
    errors.Conflict: Kind(409, "In conflict with the state of things", "Read it again, then decide anew."),
    errors.ConditionFailed: Kind(409, "Something changed meanwhile", "Try again.", False),
    failures.TooLargeToSend: Kind(409, "Too large for an answer", "Read the chunks of the document."),
    failures.TooLarge: Kind(413, "The request is too large", "Split it."),
    errors.ItemTooLarge: Kind(413, "Too large to store", "Shorten it or split it.", False),
    failures.InvalidRequest: Kind(422, "The request is not valid", "`errors` says what is wrong where."),
    errors.InvalidText: Kind(
        422, "The text can't be stored", "Send text that is not empty, without NUL and lone surrogates."
    ),
    errors.TooLong: Kind(422, "Over a limit", "Shorten it or split it."),
    errors.CursorRefused: Kind(422, "Not a cursor of this query", "Begin again without a cursor."),
    errors.Invalid: Kind(422, "The request can't mean anything", "`errors` says what is wrong where."),
    errors.IdempotencyReused: Kind(422, "Idempotency-Key used before", "Use a new key for a new request."),
    errors.VersionMissing: Kind(500, "A version is missing", "The operator can restore the table from a backup."),
    errors.NewerItem: Kind(503, "Written by a newer release", "Try again; the operator is about to update.", False),
    errors.TableThrottled: Kind(503, "Too much at once", "Try again after the seconds in Retry-After."),
    errors.TableUnavailable: Kind(503, "The table can't be used now", "The detail says what the operator can do."),
    errors.TableBehind: Kind(503, "Restored, and not to be served yet", "The detail says what the operator can do."),
    errors.BlobsUnavailable: Kind(503, "The store of files can't be used now", "Try again; the detail says why."),
    errors.IndexUnavailable: Kind(503, "The search index can't be used now", "Try again later."),
    errors.SecretUnavailable: Kind(503, "The owner key can't be checked", "Use another key, or tell the operator."),
    errors.EmbedderUnavailable: Kind(503, "Nothing can be embedded now", "Try again later."),
    errors.NothingSearched: Kind(503, "Nothing could be searched", "Try again later; the detail names the reasons."),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One error answer."""

    status: int
    document: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        return json.dumps(self.document)


def slug(kind: type[Exception]) -> str:
    """The anchor of an error on its page: ``VersionMoved`` is at ``version-moved``."""
    return _WORD_START.sub("-", kind.__name__).lower()


def of(error: Exception, *, request_id: str, where: Location = ("body",)) -> Problem:
    """The answer that `error` is told with.

    Args:
        error: What was raised; of an unforeseen one nothing but the request id is told.
        request_id: For `request_id`.
        where: What holds the fields that the domain's errors name, e.g. ``("query",)``.
    """
    error = _ours(error)
    found = next((cls for cls in type(error).__mro__ if cls in KINDS), None)
    kind = KINDS[found] if found else INTERNAL
    document: dict[str, Any] = {
        "type": f"{PAGE}#{slug(found) if found else 'internal-error'}",
        "title": kind.title,
        "status": kind.status,
        "detail": str(error) if kind.is_detailed else kind.advice,
        "request_id": request_id,
    }
    if kind.status == 422:
        document["errors"] = [_written(fault) for fault in _faults(error, where)]
    return Problem(kind.status, document, _headers(error, kind.status))


def faults_of(reported: Iterable[Mapping[str, Any]], where: Location = ()) -> list[Fault]:
    """Pydantic's errors in our own words, without what was sent; at most 20 of them."""
    told = list(islice(reported, _MOST_FAULTS))
    return [Fault((*where, *each["loc"]), each["type"], worded(each)) for each in told if not _follows(each, told)]


def _follows(one: Mapping[str, Any], told: Iterable[Mapping[str, Any]]) -> bool:
    """A list whose entries were refused counts as empty to pydantic, which nobody needs to hear."""
    place = one["loc"]
    return one["type"] == "too_short" and any(each["loc"][: len(place)] == place for each in told if each is not one)


def _ours(error: Exception) -> Exception:
    return InvalidRequest(faults_of(error.errors())) if isinstance(error, RequestValidationError) else error


def _faults(error: Exception, where: Location) -> Iterable[Fault]:
    if isinstance(error, InvalidRequest):
        return error.faults
    if isinstance(error, errors.Invalid):
        return [Fault((*where, *error.field.split(".")), slug(type(error)).replace("-", "_"), str(error))]
    return [Fault(("header", "idempotency-key"), "idempotency_reused", str(error))]


def _written(fault: Fault) -> dict[str, Any]:
    return {"loc": list(fault.place), "type": fault.type, "msg": fault.msg}


def _headers(error: Exception, status: int) -> Mapping[str, str]:
    if isinstance(error, errors.Unauthenticated):
        return {"www-authenticate": 'Bearer realm="palimpsest"'}
    if isinstance(error, failures.MethodNotAllowed):
        return {"allow": ", ".join(error.allowed)}
    if isinstance(error, errors.TableThrottled):
        return {"retry-after": str(error.retry_after_seconds)}
    return {"retry-after": str(_WAIT_SECONDS)} if status == 503 else {}
