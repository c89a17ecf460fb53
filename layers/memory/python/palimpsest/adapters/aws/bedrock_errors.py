"""Bedrock's errors in the domain's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    IncompleteReadError,
    ReadTimeoutError,
)
from botocore.parsers import ResponseParserError

from palimpsest.adapters.models.model_answers import refused
from palimpsest.domain.errors import ModelAnswerUnusable, ModelFailure, ModelUnavailable

T = TypeVar("T")

_WHO: Final = "Bedrock"
_STATUS: Final = {"ServiceQuotaExceededException": 429, "ModelNotReadyException": 429}


def asked(call: Callable[[], T], seconds: float) -> T:
    """What a call of Bedrock's runtime gives, which waits at most so many seconds.

    Raises:
        ModelUnavailable: It gives nothing.
        ModelAnswerUnusable: It gives what can't be read.
    """
    try:
        return call()
    except ClientError as error:
        raise _refused(error) from error
    except ReadTimeoutError as error:
        message = f"Bedrock gave no answer within {seconds:g} seconds"
        raise ModelUnavailable(ModelFailure.LATE, message, may_cost=True) from error
    except (HTTPClientError, IncompleteReadError, ConnectTimeoutError, EndpointConnectionError) as error:
        never_sent = isinstance(error, ConnectTimeoutError | EndpointConnectionError)
        message = "there is no connection to Bedrock, or it broke"
        raise ModelUnavailable(ModelFailure.FAILED, message, may_cost=not never_sent) from error
    except BotoCoreError as error:  # no region, no credentials, a parameter of the wrong type
        message = f"Bedrock can't be called from here ({type(error).__name__})"
        raise ModelUnavailable(ModelFailure.REFUSED, message, may_cost=False) from error
    except (ResponseParserError, AttributeError, TypeError, ValueError) as error:  # botocore's, for odd answers
        raise ModelAnswerUnusable("Bedrock's answer can't be read") from error


def _refused(error: ClientError) -> ModelUnavailable:
    code = error.response.get("Error", {}).get("Code", "")
    told: Mapping[str, Any] = error.response.get("ResponseMetadata", {})
    status = _STATUS.get(code) or int(told.get("HTTPStatusCode", 500))
    return refused(f"{_WHO} ({code})", status, told.get("HTTPHeaders", {}))
