"""What the answers of all providers of language models have in common: an object in a text, and refusals by status."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Final

from palimpsest.domain.errors import ModelAnswerUnusable, ModelFailure, ModelUnavailable
from palimpsest.ports.language_model import Json, Tokens

_FENCED: Final = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*", re.DOTALL)
_SECONDS: Final = re.compile(r"\d{1,7}(?:\.\d{1,6})?")
_OVERLOADED: Final = 529
_WHY: Final[Mapping[int, tuple[ModelFailure, str]]] = {
    400: (ModelFailure.REFUSED, "it does not take this request; see whether the model has structured output"),
    401: (ModelFailure.REFUSED, "it refused the key"),
    402: (ModelFailure.REFUSED, "the account has no credit"),
    403: (ModelFailure.REFUSED, "it refused the key"),
    404: (ModelFailure.REFUSED, "it has no such model or address"),
    408: (ModelFailure.LATE, "it took too long"),
    413: (ModelFailure.REFUSED, "the request is too large for it"),
    422: (ModelFailure.REFUSED, "it does not take this request; see whether the model has structured output"),
    429: (ModelFailure.THROTTLED, "it takes no more for now"),
    503: (ModelFailure.THROTTLED, "it takes no more for now"),
    _OVERLOADED: (ModelFailure.THROTTLED, "it is overloaded"),
}


def refused(who: str, status: int, headers: Mapping[str, str], *, is_spent: bool = False) -> ModelUnavailable:
    """The error for an answer that is none.

    Args:
        who: Who answered, for people.
        headers: By names in lower case.
        is_spent: The provider says that what may be spent is spent: waiting a moment does not help.
    """
    reason, why = _WHY.get(status, (ModelFailure.FAILED if status >= 500 else ModelFailure.REFUSED, "it failed"))
    if is_spent:
        reason, why = ModelFailure.REFUSED, "the account's own limit of spending is reached"
    # Whoever refuses a request has not worked on it; of a failure nobody knows.
    may_cost = status == 408 or (status >= 500 and status != _OVERLOADED)
    return ModelUnavailable(reason, f"{who} answered {status}: {why}", may_cost=may_cost, retry_after=wait(headers))


def wait(headers: Mapping[str, str]) -> timedelta | None:
    """How long an answer asks to wait: seconds, or a date, which counts from that of the answer."""
    text = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(text):
        return timedelta(seconds=float(text))
    try:
        until, now = parsedate_to_datetime(text), parsedate_to_datetime(headers.get("date", ""))
        return max(until - now, timedelta())
    except (ValueError, TypeError):
        return None


def object_in(text: str, tokens: Tokens | None) -> Mapping[str, Json]:
    """The JSON object that a model wrote, also when it stands in a Markdown fence.

    Raises:
        ModelAnswerUnusable: It is none.
    """
    fenced = _FENCED.fullmatch(text)
    try:
        told = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError) as error:
        raise ModelAnswerUnusable("the model's answer is not JSON", tokens) from error
    if not isinstance(told, dict):
        raise ModelAnswerUnusable("the model's answer is not a JSON object", tokens)
    return told


def counted(usage: object, names_in: tuple[str, ...], names_out: tuple[str, ...]) -> Tokens | None:
    """The counts in an answer, summed over those names that are there; None when it does not count."""
    if not isinstance(usage, Mapping) or names_in[0] not in usage or names_out[0] not in usage:
        return None
    counts = [[usage.get(name) or 0 for name in names] for names in (names_in, names_out)]
    if not all(type(count) is int and count >= 0 for group in counts for count in group):
        return None
    return Tokens(sum(counts[0]), sum(counts[1]))


def cut_short(tokens: Tokens | None) -> ModelAnswerUnusable:
    """The error for an answer that the limit of tokens cut."""
    return ModelAnswerUnusable("the model's answer was cut at its limit of tokens", tokens)


def declined(tokens: Tokens | None) -> ModelAnswerUnusable:
    """The error for an answer that says that none will come."""
    return ModelAnswerUnusable("the model declined to answer", tokens)
