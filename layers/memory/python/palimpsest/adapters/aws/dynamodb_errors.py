"""What DynamoDB's errors mean: the domain's error, and whether the same request may be sent again."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from botocore import exceptions
from botocore.exceptions import BotoCoreError, ClientError

from palimpsest.adapters.table_rules.limits import RequestRefused
from palimpsest.domain.errors import ConditionFailed, ItemTooLarge, TableError, TableThrottled, TableUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CONDITION: Final = "ConditionalCheckFailed"
_BUSY: Final = frozenset(
    {
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
_SIZE_WORDS: Final = ("maximum allowed size", "size limit")
_SERVER_ERROR: Final = 500


class Again(Enum):
    """Whether the same request may be sent again."""

    NEVER = auto()
    SURELY = auto()
    """It surely was not done."""
    IF_REPEATABLE = auto()
    """Nobody knows whether it was done."""


class Verdict(NamedTuple):
    """What to raise when there is no further attempt, and whether there may be one."""

    error: TableError | RequestRefused
    again: Again

    def allows(self, *, repeatable: bool) -> bool:
        """Whether a request that is harmless or not when done twice may be sent again."""
        return self.again is Again.SURELY or (self.again is Again.IF_REPEATABLE and repeatable)


def judge(error: ClientError | BotoCoreError) -> Verdict:
    """What an error of the client means."""
    if isinstance(error, ClientError):
        return _answered(error)
    if isinstance(error, exceptions.ParamValidationError):
        return Verdict(RequestRefused(str(error)), Again.NEVER)
    if isinstance(error, exceptions.ConnectionError):
        return Verdict(TableUnavailable("DynamoDB can't be reached; look at the network"), Again.SURELY)
    if isinstance(error, exceptions.HTTPClientError):
        return Verdict(_unknown("the connection to DynamoDB broke"), Again.IF_REPEATABLE)
    return Verdict(TableUnavailable(f"DynamoDB can't be asked: {error}"), Again.NEVER)


def _answered(error: ClientError) -> Verdict:
    code = error.response.get("Error", {}).get("Code", "")
    message = error.response.get("Error", {}).get("Message", "")
    if code == "TransactionCanceledException":
        return _cancelled(error.response.get("CancellationReasons", []))  # type: ignore[arg-type]  # untyped there
    if code == "ConditionalCheckFailedException":
        return Verdict(ConditionFailed(), Again.NEVER)
    if code == "ValidationException":
        return _refused(message)
    if code in _BUSY:
        return Verdict(TableThrottled(), Again.SURELY)
    if error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= _SERVER_ERROR:
        return Verdict(_unknown(f"DynamoDB failed ({code})"), Again.IF_REPEATABLE)
    return Verdict(TableUnavailable(f"DynamoDB refused to serve ({code}): {message}"), Again.NEVER)


def _cancelled(reasons: Sequence[Mapping[str, str]]) -> Verdict:
    failed = tuple(position for position, reason in enumerate(reasons) if reason.get("Code") == _CONDITION)
    if failed:
        return Verdict(ConditionFailed(failed), Again.NEVER)
    for reason in reasons:
        if reason.get("Code") == "ValidationError":
            return _refused(reason.get("Message", ""))
    return Verdict(TableThrottled(), Again.SURELY)


def _refused(message: str) -> Verdict:
    # There is one code for all that is invalid; only the message tells that a size was passed.
    if any(words in message for words in _SIZE_WORDS):
        return Verdict(ItemTooLarge(f"{message}; split it"), Again.NEVER)
    return Verdict(RequestRefused(message), Again.NEVER)


def _unknown(what: str) -> TableUnavailable:
    return TableUnavailable(f"{what}, and it is not known whether the request was done; read again, then retry")
