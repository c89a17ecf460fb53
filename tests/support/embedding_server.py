"""A server on loopback that speaks OpenAI's protocol for embeddings, and misbehaves when a test says so."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.support.hashing_embedder import HashingEmbedder

KEY = "sk-a-key-of-the-tests"


@dataclass
class EmbeddingService:
    """What the server does and what it saw.

    Attributes:
        url: Its address, up to ``/v1``.
        status: Sent in place of vectors when it is not 200.
        raw: Sent as the body in place of vectors when there is any.
        stalls: Answers only when the test is over.
        hangs_up: Closes the connection in the middle of the answer.
        inputs: The texts of each request.
        connections: How many clients connected.
    """

    url: str
    model: HashingEmbedder
    status: int = 200
    raw: bytes | None = None
    stalls: bool = False
    hangs_up: bool = False
    inputs: list[list[str]] = field(default_factory=list)
    connections: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    def answer(self, headers: Any, path: str, body: bytes) -> tuple[int, bytes]:
        """The status and the body for one request."""
        request = json.loads(body)
        if headers["Authorization"] != f"Bearer {KEY}":
            return 401, b'{"error": {"message": "Incorrect API key provided", "type": "invalid_request_error"}}'
        if path != "/v1/embeddings" or request["model"] != self.model.model.name:
            return 404, b'{"error": {"message": "The model does not exist", "code": "model_not_found"}}'
        if request["encoding_format"] != "float" or not all(request["input"]):
            return 400, b'{"error": {"message": "input can not be an empty string"}}'
        self.inputs.append(request["input"])
        if self.stalls:
            self.over.wait()
        return self.status, self.raw if self.raw is not None else self._vectors(request["input"])

    def _vectors(self, texts: list[str]) -> bytes:
        # Scaled and from last to first: neither the length nor the order of an answer is promised.
        data = [
            {"object": "embedding", "index": i, "embedding": (3 * self.model.query(text)).tolist()}
            for i, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        answer = {"object": "list", "data": data[::-1], "model": self.model.model.name, "usage": usage}
        return json.dumps(answer).encode()


@contextmanager
def embedding_service(model: HashingEmbedder) -> Iterator[EmbeddingService]:
    """A server for the time of a `with`."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            service.connections += 1

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, answer = service.answer(self.headers, self.path, body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            with suppress(ConnectionError):  # the client has stopped waiting
                self.wfile.write(answer[: len(answer) // 2] if service.hangs_up else answer)
            self.close_connection = service.hangs_up

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        service = EmbeddingService(f"http://127.0.0.1:{listening.server_address[1]}/v1", model)
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield service
        service.over.set()
        listening.shutdown()
        thread.join()
