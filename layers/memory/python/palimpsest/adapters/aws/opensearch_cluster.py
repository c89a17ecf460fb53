"""The way to one OpenSearch server, domain or collection: two time-outs, one retry, errors in the domain's words."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from opensearchpy import OpenSearch, Urllib3AWSV4SignerAuth
from opensearchpy.exceptions import ConnectionError as NoConnection
from opensearchpy.exceptions import ConnectionTimeout, OpenSearchException
from urllib3.exceptions import ConnectTimeoutError

from palimpsest.adapters.aws import opensearch_errors
from palimpsest.adapters.aws.opensearch_connection import TimedConnection
from palimpsest.adapters.aws.opensearch_errors import lacking, require_whole, unavailable
from palimpsest.adapters.aws.opensearch_secret import SecretLogin
from palimpsest.domain.errors import IndexUnavailable

Json: TypeAlias = dict[str, Any]
Login: TypeAlias = tuple[str, str] | Urllib3AWSV4SignerAuth | SecretLogin | None

SERVERLESS_HOSTS: Final = ".aoss.amazonaws.com"
_POOL: Final = 32
_LOGGERS: Final = ("opensearch", "opensearchpy.trace")
_SLEEPS_AFTER_SECONDS: Final = 600.0
"""A Serverless collection sleeps after ten idle minutes; one that answered since is awake."""
_MAY_BE_SLEEP: Final = frozenset({"index_timeout", "index_red", "index_unreachable"})


class Cluster:
    """Sends requests. Any number of threads may use it.

    Args:
        url: With scheme and port.
        login: Name and password or the secret with them, or a signer.
        read_seconds: How long a search may take.
        write_seconds: How long a bulk of writes or a look that nobody waits for may take; shorter by far than the
            functions that index may run, so that they can tell what is left.
        change_seconds: How long it may take to make or drop an index.
        is_serverless: The collection may sleep; by default its host tells.
    """

    def __init__(
        self,
        url: str,
        *,
        login: Login = None,
        read_seconds: float = 0.7,
        write_seconds: float = 10.0,
        change_seconds: float = 30.0,
        is_serverless: bool | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        for name in _LOGGERS:  # their lines hold bodies, and we tell what went wrong
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._client = OpenSearch(
            [url],
            http_auth=login,
            max_retries=0,
            timeout=write_seconds,
            pool_maxsize=_POOL,
            ssl_show_warn=False,
            connection_class=TimedConnection,
        )
        self.is_serverless = is_sleeper(url) if is_serverless is None else is_serverless
        self.pause = pause
        self._read_seconds = read_seconds
        self._write_seconds = write_seconds
        self._change_seconds = change_seconds
        self._monotonic = monotonic
        self._answered: float | None = None

    def search(self, index: str, *bodies: Json, faults: list[IndexUnavailable] | None = None) -> Sequence[Json]:
        """The answers to some searches in one request, each whole.

        `faults`: when it is given, answers that lack a part are given, too, and why is added to it.
        """
        wait = {"timeout": f"{max(1, round(self._read_seconds * 1000))}ms"}
        if len(bodies) == 1:
            answers = [self._send("POST", f"/{index}/_search", {**bodies[0], **wait}, self._read_seconds)]
        else:
            lines = lines_of(line for body in bodies for line in ({}, {**body, **wait}))
            answers = self._send("POST", f"/{index}/_msearch", lines, self._read_seconds)["responses"]
        found = [fault for answer in answers if (fault := lacking(answer)) is not None]
        if found and faults is None:
            raise found[0]
        (faults if faults is not None else []).extend(found)
        return answers

    def collect(self, index: str, body: Json) -> Json:
        """The answer to a search that nobody waits for; whole."""
        answer: Json = self._send("POST", f"/{index}/_search", body, self._write_seconds)
        require_whole(answer)
        return answer

    def bulk(self, index: str, lines: str) -> Sequence[Json]:
        """The outcome of each action, in their order."""
        answer = self._send("POST", f"/{index}/_bulk", lines, self._write_seconds)
        return [next(iter(item.values())) for item in answer["items"]]

    def call(self, method: str, path: str, body: Json | None = None) -> Json:
        """Any other request."""
        seconds = self._write_seconds if method == "GET" else self._change_seconds
        answer: Json = self._send(method, path, body, seconds)
        return answer

    def require(self, index: str) -> None:
        """IndexUnavailable ``index_missing`` unless the index is there: a write to what is not there would make it."""
        if not self._send("HEAD", f"/{index}", None, self._write_seconds):
            raise unavailable("index_missing")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _send(self, method: str, path: str, body: Json | str | None, seconds: float) -> Any:  # noqa: ANN401 - JSON
        try:
            answer = self._once_more(method, path, body, seconds)
        except OpenSearchException as error:
            failure = opensearch_errors.own(error) or opensearch_errors.translated(error)
            if not isinstance(error, NoConnection):
                self._note(failure)
            raise self._told(failure) from error
        self._answered = self._monotonic()
        return answer

    def _once_more(self, method: str, path: str, body: Json | str | None, seconds: float) -> Any:  # noqa: ANN401 - JSON
        """Sent again at once when the connection broke: one that was kept open may have been closed meanwhile."""
        send = self._client.transport.perform_request
        try:
            return send(method, path, body=body, timeout=seconds)
        except NoConnection as error:
            if isinstance(error, ConnectionTimeout) or isinstance(error.info, ConnectTimeoutError | IndexUnavailable):
                raise  # its time is used up, or there is no login to send it with
            return send(method, path, body=body, timeout=seconds)

    def _note(self, failure: IndexUnavailable) -> None:
        if failure.reason not in _MAY_BE_SLEEP:
            self._answered = self._monotonic()

    def _told(self, failure: IndexUnavailable) -> IndexUnavailable:
        """The failure, or that the collection sleeps when that is what it looks like."""
        since = None if self._answered is None else self._monotonic() - self._answered
        is_awake = since is not None and since < _SLEEPS_AFTER_SECONDS
        if self.is_serverless and not is_awake and failure.reason in _MAY_BE_SLEEP:
            return unavailable("index_asleep")
        return failure


def is_sleeper(url: str) -> bool:
    """Whether the address is that of a Serverless collection."""
    return (urlsplit(url).hostname or "").endswith(SERVERLESS_HOSTS)


def signer(url: str, region: str | None = None) -> Urllib3AWSV4SignerAuth:
    """Signs with the credentials of the process; for a collection or a domain, in the region that its name says.

    Raises:
        IndexUnavailable: ``index_refused`` when there are no credentials or no region.
    """
    from botocore.session import Session

    session = Session()
    credentials = session.get_credentials()
    labels = (urlsplit(url).hostname or "").split(".")
    told = labels[-4] if labels[-2:] == ["amazonaws", "com"] and len(labels) > 4 else None
    region = region or told or session.get_config_variable("region")
    if credentials is None or not region:
        raise unavailable("index_refused", "no AWS credentials" if credentials is None else "no AWS region")
    return Urllib3AWSV4SignerAuth(credentials, region, "aoss" if is_sleeper(url) else "es")


def lines_of(parts: Iterable[Mapping[str, object]]) -> str:
    """Objects as lines, which bulk and several searches at once are sent as."""
    return "".join(json.dumps(part, separators=(",", ":")) + "\n" for part in parts)
