"""A server on loopback that reranks as those of Cohere, Jina and vLLM do, and as Bedrock does: by words in common."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import pytest

from palimpsest.adapters.aws.clients import client

KEY = "a-key-for-reranking"
MODEL = "tiny-rerank"
COHERE, AMAZON = "cohere.rerank-v3-5:0", "amazon.rerank-v1:0"


@dataclass
class RerankService:
    """What the server does and what it saw.

    Attributes:
        error: Answered in place of scores: a status and the name of the exception.
        raw: Sent as the body in place of scores when there is any.
        has_logits: Scores are not between 0 and 1.
        stalls: Answers only when the test is over, or when it lets it.
        requests: The body of each request.
    """

    url: str
    error: tuple[int, str] | None = None
    raw: bytes | None = None
    has_logits: bool = False
    stalls: bool = False
    requests: list[dict[str, Any]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def answer(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body for one request."""
        request = json.loads(body)
        self.requests.append(request)
        if self.stalls:
            self.over.wait(30)
        if self.error:
            return _refusal(*self.error)
        fault = _fault(unquote(path), headers, request)
        if fault is not None:
            return _refusal(*fault)
        if self.raw is not None:
            return 200, {}, self.raw
        common = [len(_words(text) & _words(request["query"])) for text in request["documents"]]
        scores = [float(2 * each - 3) if self.has_logits else each / (1 + each) for each in common]
        ordered = sorted(enumerate(scores), key=lambda scored: -scored[1])
        rows = [{"index": index, "relevance_score": score} for index, score in ordered]
        return 200, {}, json.dumps({"id": "r1", "results": rows}).encode()


def _words(text: str) -> set[str]:
    return set(text.lower().replace(".", " ").replace("?", " ").split())


def _fault(path: str, headers: dict[str, str], request: dict[str, Any]) -> tuple[int, str] | None:
    is_whole = request["top_n"] == len(request["documents"]) and all(request["documents"])
    if path == "/v1/rerank":
        if headers.get("authorization") != f"Bearer {KEY}":
            return 401, "invalid_key"
        return None if request["model"] == MODEL and is_whole else (404, "model_not_found")
    version = {f"/model/{COHERE}/invoke": 2, f"/model/{AMAZON}/invoke": None}
    if path not in version:
        return 404, "ResourceNotFoundException"
    return None if request.get("api_version") == version[path] and is_whole else (400, "ValidationException")


def _refusal(status: int, name: str) -> tuple[int, dict[str, str], bytes]:
    return status, {"x-amzn-errortype": f"{name}:"}, b'{"message": "words of the service"}'


@contextmanager
def rerank_service() -> Iterator[RerankService]:
    """A server for the time of a `with`."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told = {name.lower(): value for name, value in self.headers.items()}
            status, headers, answer = service.answer(self.path, told, body)
            self.send_response(status)
            for name, value in (headers | {"content-type": "application/json"}).items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            with suppress(ConnectionError):  # the client has stopped waiting
                self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        service = RerankService(f"http://127.0.0.1:{listening.server_address[1]}")
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield service
        service.over.set()
        listening.shutdown()
        thread.join()


def invoke(service: RerankService, seconds: float = 5.0) -> Callable[..., Any]:
    """`invoke_model` of a real client that talks to the server."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "test")
        patch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
        made = client("bedrock-runtime", endpoint=service.url, read_seconds=seconds)
    called: Callable[..., Any] = made.invoke_model
    return called


def ranked(scores: Sequence[float]) -> list[int]:
    """The numbers of the texts, best first."""
    return sorted(range(len(scores)), key=lambda number: -scores[number])
