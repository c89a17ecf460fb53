"""What OpenSearch's errors and half answers mean, in the domain's words. No error carries a text that was sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from opensearchpy.exceptions import ConnectionError as NoConnection
from opensearchpy.exceptions import ConnectionTimeout, OpenSearchException, SerializationError, TransportError

from palimpsest.domain.errors import IndexUnavailable

Answer: TypeAlias = Mapping[str, Any]

THROTTLED: Final = 429
NOT_FOUND: Final = 404
CONFLICT: Final = 409

_ADVICE: Final = {
    "index_asleep": "the collection sleeps and is being woken; it answers in half a minute",
    "index_full": "the search engine's disk is full and it takes no writes; give it room",
    "index_garbled": "the search engine's answer can't be read; see what stands between it and here",
    "index_mapping": "the search index has another form than this release gives it; rebuild the index",
    "index_missing": "the search index is gone; rebuild it",
    "index_partial": "a part of the search index did not answer; try again",
    "index_red": "the search index has parts that no node serves; see to the search engine",
    "index_refused": "the search engine refuses these credentials or this request; see its access policy",
    "index_throttled": "the search engine takes no more for the moment; try again",
    "index_timeout": "the search engine took too long; try again",
    "index_unreachable": "the search engine can't be reached; see its address and whether it runs",
}
_BY_TYPE: Final = {
    "cluster_block_exception": "index_full",
    "es_rejected_execution_exception": "index_throttled",
    "index_not_found_exception": "index_missing",
    "no_shard_available_action_exception": "index_red",
    "opensearch_rejected_execution_exception": "index_throttled",
    "rejected_execution_exception": "index_throttled",
    "search_phase_execution_exception": "index_red",
    "unavailable_shards_exception": "index_red",
}
_BY_STATUS: Final = {
    400: "index_mapping",
    401: "index_refused",
    403: "index_refused",
    NOT_FOUND: "index_missing",
    408: "index_timeout",
    THROTTLED: "index_throttled",
    504: "index_timeout",
}
_SERVER_ERROR: Final = 500


def unavailable(reason: str, detail: str = "") -> IndexUnavailable:
    """The error for a reason; `detail`: a word of the server's, never a text."""
    return IndexUnavailable(reason, _ADVICE[reason] + (f" ({detail})" if detail else ""))


def translated(error: OpenSearchException) -> IndexUnavailable:
    """The error for what the client raised."""
    if isinstance(error, ConnectionTimeout):  # connecting too slowly is no such: then it is unreachable
        return unavailable("index_timeout")
    if isinstance(error, SerializationError) or isinstance(getattr(error, "info", None), UnicodeDecodeError):
        return unavailable("index_garbled")
    if isinstance(error, NoConnection) or not isinstance(error, TransportError):
        return unavailable("index_unreachable", type(getattr(error, "info", error)).__name__)
    return of_status(_number(error.status_code), str(error.error))


def own(error: OpenSearchException) -> IndexUnavailable | None:
    """What one of us raised and the client wrapped: there is no login to send a request with."""
    return error.info if isinstance(error, NoConnection) and isinstance(error.info, IndexUnavailable) else None


def of_status(status: int, kind: str = "") -> IndexUnavailable:
    """The error for an answer's status and the type of error that it names."""
    word = kind if kind.replace("_", "").isalnum() else ""
    detail = f"{status} {word}".strip()
    if kind == "search_phase_execution_exception" and status < _SERVER_ERROR:
        kind = ""  # every shard found the request wrong, or was busy: the status says which
    reason = _BY_TYPE.get(kind) or _BY_STATUS.get(status)
    return unavailable(reason or ("index_unreachable" if status >= _SERVER_ERROR else "index_refused"), detail)


@contextmanager
def readable() -> Iterator[None]:
    """IndexUnavailable ``index_garbled`` when what is read within has another shape than an answer has."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise unavailable("index_garbled", type(error).__name__) from error


def require_whole(answer: Answer) -> None:
    """Raise `IndexUnavailable` for an answer of a search that is an error, came too late or lacks a shard's part."""
    fault = lacking(answer)
    if fault is not None:
        raise fault


def lacking(answer: Answer) -> IndexUnavailable | None:
    """Why a part is missing in the answer of a search; None when it is whole.

    Raises:
        IndexUnavailable: It is an error and has no part at all.
    """
    if "error" in answer:
        error = answer["error"]
        kind = error.get("type", "") if isinstance(error, Mapping) else ""
        raise of_status(_number(answer.get("status")), str(kind))
    if answer.get("timed_out"):
        return unavailable("index_timeout")
    shards = answer.get("_shards", {})
    if shards.get("failed"):
        kinds = {str(each.get("reason", {}).get("type", "")) for each in shards.get("failures", ())}
        is_busy = bool(kinds) and all(_BY_TYPE.get(kind) == "index_throttled" for kind in kinds)
        told = f"{shards['failed']} of {shards.get('total')} shards"
        return unavailable("index_throttled" if is_busy else "index_partial", told)
    return None


def _number(status: object) -> int:
    return status if isinstance(status, int) else _SERVER_ERROR
