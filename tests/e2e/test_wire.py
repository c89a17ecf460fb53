"""What no well-behaved client sends, over a bare socket."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.support.server_process import OWNER_KEY, ServerProcess

LIMIT = 4 * 1024 * 1024
HEADERS = {"authorization": f"Bearer {OWNER_KEY}", "content-type": "application/json"}


def answer(server: ServerProcess, data: bytes) -> bytes:
    """All that comes back for these bytes until the server closes the connection."""
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as raw:
        raw.sendall(data)
        received = b""
        while part := raw.recv(65536):
            received += part
    return received


def test_a_body_over_the_limit_is_told_so(server: ServerProcess) -> None:
    with closing(server.connection()) as connection:
        connection.request("POST", "/memory/save", b"x" * (LIMIT + 1), HEADERS)
        response = connection.getresponse()
        problem = json.loads(response.read())

    assert (response.status, problem["status"]) == (413, 413)
    assert response.getheader("content-type") == "application/problem+json"
    assert problem["request_id"] == response.getheader("x-request-id")


def test_a_chunked_body_over_the_limit_is_told_so(server: ServerProcess) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(6):
            yield b"x" * 1024 * 1024

    with closing(server.connection()) as connection:
        connection.request("POST", "/memory/save", chunks(), HEADERS, encode_chunked=True)
        response = connection.getresponse()
        problem = json.loads(response.read())

    assert (response.status, problem["title"]) == (413, "The request is too large")


def test_a_chunked_body_within_the_limit_is_read(server: ServerProcess) -> None:
    with closing(server.connection()) as connection:
        body = iter([b'{"query": ', b'"in two pieces"}'])
        connection.request("POST", "/memory/recall", body, HEADERS, encode_chunked=True)
        response = connection.getresponse()
        response.read()

    assert response.status == 200


def test_whoever_asks_first_is_told_before_sending_too_much(server: ServerProcess) -> None:
    head = f"POST /memory/save HTTP/1.1\r\nhost: x\r\ncontent-length: {2 * LIMIT}\r\nexpect: 100-continue\r\n\r\n"

    received = answer(server, head.encode())

    assert received.startswith(b"HTTP/1.1 413 ")


def test_what_is_no_http_is_refused_and_the_server_goes_on(server: ServerProcess) -> None:
    assert answer(server, b"\x16\x03\x01\x02\x00garbage\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    assert server.get("/health", None)["status"] == "ok"


def test_a_client_that_hangs_up_in_the_middle_harms_nobody(server: ServerProcess) -> None:
    parts = urlsplit(server.url)
    for _ in range(20):
        with socket.create_connection((parts.hostname, parts.port), timeout=20) as raw:
            raw.sendall(b"POST /memory/save HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{")

    assert server.get("/status")["version"]


def test_paths_arrive_decoded_and_versions_may_be_encoded(server: ServerProcess) -> None:
    saved = server.post("/memory/save", {"content": "a path of its own", "space": "wire"})["memory"]

    assert server.get(f"/memory/{saved['root_id']}%401")["id"] == saved["id"]
    assert server.get(f"/memory/{saved['root_id']}@1")["id"] == saved["id"]


@pytest.mark.parametrize("path", ["/health", "/docs", "/memory/list", "/memory/save", "/nowhere"])
def test_a_head_request_is_answered_like_a_get_without_the_body(server: ServerProcess, path: str) -> None:
    with closing(server.connection()) as connection:
        told = [_told(connection, method, path) for method in ("GET", "HEAD", "GET")]

    assert told[1] == (*told[0][:3], b"")
    assert told[2][0] == told[0][0]  # a body after the head would have been read as this answer


def _told(connection: HTTPConnection, method: str, path: str) -> tuple[int, str | None, str | None, bytes]:
    connection.request(method, path, headers=HEADERS)
    with connection.getresponse() as response:
        return response.status, response.getheader("content-type"), response.getheader("allow"), response.read()


def test_one_connection_serves_many_requests(server: ServerProcess) -> None:
    with closing(server.connection()) as connection:
        for _ in range(3):
            connection.request("GET", "/health")
            response = connection.getresponse()
            assert (response.status, json.loads(response.read())["status"]) == (200, "ok")


def test_an_answer_on_a_kept_connection_does_not_wait_for_an_acknowledgement(server: ServerProcess) -> None:
    """The kernel holds back the second packet of an answer for 40 ms unless TCP_NODELAY is set."""
    took = []
    with closing(server.connection()) as connection:
        for _ in range(20):
            began = time.perf_counter()
            connection.request("GET", "/health")
            connection.getresponse().read()
            took.append(time.perf_counter() - began)

    assert min(took) < 0.030
