"""Bedrock's runtime as far as an embedding model needs it, on loopback: Titan's protocol with made-up vectors."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import pytest

from palimpsest.adapters.aws.clients import client
from tests.support.hashing_embedder import HashingEmbedder


@dataclass
class BedrockService:
    """What the server does and what it saw.

    Attributes:
        error: Answered in place of vectors: a status and the name of the exception.
        raw: Sent as the body in place of vectors when there is any.
        stalls: Answers only when the test is over.
        requests: The body of each request.
    """

    url: str
    model: HashingEmbedder
    error: tuple[int, str] | None = None
    raw: bytes | None = None
    stalls: bool = False
    requests: list[dict[str, Any]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def answer(self, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body for one request."""
        request = json.loads(body)
        self.requests.append(request)
        if self.stalls:
            self.over.wait()
        if unquote(path) != "/model/amazon.titan-embed-text-v2:0/invoke":
            return _refusal(404, "ResourceNotFoundException")
        if self.error:
            return _refusal(*self.error)
        if not request["inputText"].strip() or len(request["inputText"]) > 50_000:
            return _refusal(400, "ValidationException")
        vector = self.model.query(request["inputText"]).tolist()
        answer = {"embedding": vector, "embeddingsByType": {"float": vector}, "inputTextTokenCount": 3}
        return 200, {}, json.dumps(answer).encode() if self.raw is None else self.raw


def _refusal(status: int, name: str) -> tuple[int, dict[str, str], bytes]:
    return status, {"x-amzn-errortype": f"{name}:"}, b'{"message": "words of the service"}'


@contextmanager
def bedrock_service(dimensions: int) -> Iterator[BedrockService]:
    """A server for the time of a `with`."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, headers, answer = service.answer(self.path, body)
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
        model = HashingEmbedder(dimensions=dimensions)
        service = BedrockService(f"http://127.0.0.1:{listening.server_address[1]}", model)
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield service
        service.over.set()
        listening.shutdown()
        thread.join()


def invoke(service: BedrockService, seconds: float = 5.0) -> Callable[..., Any]:
    """`invoke_model` of a real client that talks to the server."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "test")
        patch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
        made = client("bedrock-runtime", endpoint=service.url, read_seconds=seconds)
    called: Callable[..., Any] = made.invoke_model
    return called
