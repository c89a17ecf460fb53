"""The gateway of one machine, called as an ASGI server calls it."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from palimpsest.api.incoming import BODY_LIMIT_BYTES
from palimpsest.local.asgi import Gateway, HttpFunction, Limits, Message
from palimpsest.local.lambda_events import LambdaContext
from palimpsest.local.manifest import LambdaHandler, Manifest, Route, Trigger

NOW = datetime(2026, 11, 29, tzinfo=UTC)
TOO_MUCH = BODY_LIMIT_BYTES + 128 * 1024


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as threads:
        yield threads


def manifest(name: str = "api", *routes: Route, timeout_seconds: int = 5) -> Manifest:
    everything = (Route("ANY", "/", is_greedy=False), Route("ANY", "/", is_greedy=True))
    return Manifest(
        folder=Path(name),
        name=name,
        description="a test's",
        trigger=Trigger.HTTP,
        timeout_seconds=timeout_seconds,
        memory_mb=128,
        grants=(),
        layers=(),
        routes=routes or everything,
    )


def gateway(
    pool: ThreadPoolExecutor, *functions: tuple[Manifest, LambdaHandler], limits: Limits | None = None
) -> Gateway:
    made = [HttpFunction(one, handler) for one, handler in functions]
    return Gateway(made, pool, now=lambda: NOW, monotonic=lambda: 100.0, limits=limits or Limits())


def answering(text: str) -> LambdaHandler:
    return lambda event, context: {"statusCode": 200, "body": text}


def echo(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    said = {"event": event, "left": context.get_remaining_time_in_millis(), "id": context.aws_request_id}
    return {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": json.dumps(said)}


@dataclass
class Exchange:
    """One request to an ASGI application, and what came back."""

    parts: list[bytes] = field(default_factory=lambda: [b""])
    method: str = "GET"
    path: str = "/x"
    headers: dict[str, str] = field(default_factory=dict)
    is_lost: bool = False
    received: int = 0
    sent: list[Message] = field(default_factory=list)

    async def receive(self) -> Message:
        if self.received < len(self.parts):
            part = self.parts[self.received]
            self.received += 1
            more = self.is_lost or self.received < len(self.parts)
            return {"type": "http.request", "body": part, "more_body": more}
        if self.is_lost:
            return {"type": "http.disconnect"}
        await asyncio.Event().wait()  # nothing more ever comes
        raise AssertionError

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def ask(self, app: Gateway) -> Exchange:
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        scope = {"type": "http", "method": self.method, "path": self.path, "query_string": b"", "headers": headers}
        await app(scope, self.receive, self.send)
        return self

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def answer_headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)

    def expect_problem(self, status: int) -> dict[str, Any]:
        problem: dict[str, Any] = json.loads(self.body)
        assert self.answer_headers["content-type"] == "application/problem+json"
        assert set(problem) == {"type", "title", "status", "detail", "request_id"}
        assert problem["request_id"] == self.answer_headers["x-request-id"]
        assert (problem["status"], self.status) == (status, status)
        return problem


def test_a_handler_gets_the_whole_body_and_a_context(pool: ThreadPoolExecutor) -> None:
    app = gateway(pool, (manifest(), echo))

    exchange = asyncio.run(Exchange([b'{"a"', b": 1}"], headers={"content-type": "application/json"}).ask(app))

    said = json.loads(exchange.body)
    assert said["event"]["body"] == '{"a": 1}'
    assert said["left"] == 5000
    assert said["id"] == said["event"]["requestContext"]["requestId"] == exchange.answer_headers["x-request-id"]


def test_the_request_id_of_the_handler_is_kept(pool: ThreadPoolExecutor) -> None:
    app = gateway(pool, (manifest(), lambda event, context: {"statusCode": 204, "headers": {"X-Request-Id": "mine"}}))

    exchange = asyncio.run(Exchange().ask(app))

    assert (exchange.status, exchange.answer_headers["x-request-id"]) == (204, "mine")
    assert exchange.answer_headers["content-length"] == "0"


def test_the_closest_route_wins(pool: ThreadPoolExecutor) -> None:
    app = gateway(
        pool,
        (manifest("api"), answering("api")),
        (
            manifest("mcp", Route("ANY", "/mcp", is_greedy=False), Route("ANY", "/mcp/", is_greedy=True)),
            answering("mcp"),
        ),
        (manifest("post", Route("POST", "/mcp", is_greedy=False)), answering("post")),
    )

    async def ask_all() -> list[bytes]:
        asked = [
            ("GET", "/mcp"),
            ("GET", "/mcp/a/b"),
            ("POST", "/mcp"),
            ("GET", "/mcpx"),
            ("GET", "/"),
            ("GET", "/mcp/"),
        ]
        return [(await Exchange(method=method, path=path).ask(app)).body for method, path in asked]

    assert asyncio.run(ask_all()) == [b"mcp", b"mcp", b"post", b"api", b"api", b"api"]


def test_a_path_that_no_function_takes_is_not_found(pool: ThreadPoolExecutor) -> None:
    app = gateway(pool, (manifest("one", Route("GET", "/one", is_greedy=False)), echo))

    asyncio.run(Exchange(path="/two").ask(app)).expect_problem(404)


def test_a_handler_that_fails_is_a_bare_500_and_its_message_is_not_logged(
    pool: ThreadPoolExecutor, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(event: object, context: object) -> object:
        raise KeyError("somebody's secret")

    exchange = asyncio.run(Exchange().ask(gateway(pool, (manifest(), fail))))

    problem = exchange.expect_problem(500)
    assert "secret" not in exchange.body.decode() + caplog.text
    assert "KeyError at test_gateway.py:" in caplog.text
    assert problem["request_id"] in caplog.text


def test_an_answer_that_is_no_http_is_a_500(pool: ThreadPoolExecutor, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    app = gateway(pool, (manifest(), lambda event, context: {"statusCode": "none"}))

    asyncio.run(Exchange().ask(app)).expect_problem(500)


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_over_the_limit_is_read_to_its_end_and_refused(pool: ThreadPoolExecutor, declared: bool) -> None:
    parts = [b"x" * 65536] * (TOO_MUCH // 65536)
    headers = {"content-length": str(TOO_MUCH)} if declared else {"transfer-encoding": "chunked"}

    exchange = asyncio.run(Exchange(parts, "POST", headers=headers).ask(gateway(pool, (manifest(), echo))))

    exchange.expect_problem(413)
    assert exchange.answer_headers["connection"] == "close"
    assert exchange.received == len(parts)


def test_a_body_at_the_limit_reaches_the_handler(pool: ThreadPoolExecutor) -> None:
    app = gateway(pool, (manifest(), lambda event, context: {"statusCode": 200, "body": str(len(event["body"]))}))

    exchange = asyncio.run(Exchange([b"x" * BODY_LIMIT_BYTES], headers={"content-type": "text/plain"}).ask(app))

    assert exchange.body == str(BODY_LIMIT_BYTES).encode()


def test_an_endless_body_is_cut_off(pool: ThreadPoolExecutor) -> None:
    parts = [b"x" * 1_000_000] * 40

    exchange = asyncio.run(Exchange(parts, "POST").ask(gateway(pool, (manifest(), echo))))

    exchange.expect_problem(413)
    assert exchange.received < 20


def test_whoever_asks_before_sending_too_much_is_told_at_once(pool: ThreadPoolExecutor) -> None:
    headers = {"content-length": str(TOO_MUCH), "expect": "100-continue"}

    exchange = asyncio.run(Exchange(headers=headers).ask(gateway(pool, (manifest(), echo))))

    exchange.expect_problem(413)
    assert exchange.received == 0


def test_a_body_that_does_not_arrive_is_given_up(pool: ThreadPoolExecutor) -> None:
    app = gateway(pool, (manifest(), echo), limits=Limits(body_seconds=0.01))

    asyncio.run(Exchange(parts=[]).ask(app)).expect_problem(400)


def test_a_client_that_goes_away_gets_nothing_and_calls_nothing(pool: ThreadPoolExecutor) -> None:
    called: list[object] = []
    app = gateway(pool, (manifest(), lambda event, context: called.append(event)))

    exchange = asyncio.run(Exchange([b"half"], is_lost=True).ask(app))

    assert (exchange.sent, called) == ([], [])


def test_past_its_calls_the_gateway_says_come_again(pool: ThreadPoolExecutor) -> None:
    entered, release = threading.Semaphore(0), threading.Event()

    def hold(event: object, context: object) -> object:
        entered.release()
        release.wait(5)
        return {"statusCode": 200}

    app = gateway(pool, (manifest(), hold), limits=Limits(calls=2))

    async def crowd() -> list[int]:
        waiting = [asyncio.ensure_future(Exchange().ask(app)) for _ in range(2)]
        await asyncio.to_thread(entered.acquire)
        await asyncio.to_thread(entered.acquire)
        refused = await Exchange().ask(app)
        release.set()
        served = await asyncio.gather(*waiting)
        after = await Exchange().ask(app)
        refused.expect_problem(503)
        assert refused.answer_headers["retry-after"] == "1"
        return [exchange.status for exchange in (*served, after)]

    assert asyncio.run(crowd()) == [200, 200, 200]


def test_a_handler_does_not_hold_up_other_requests(pool: ThreadPoolExecutor) -> None:
    entered, release = threading.Event(), threading.Event()

    def hold(event: dict[str, Any], context: object) -> object:
        if event["rawPath"] == "/slow":
            entered.set()
            release.wait(5)
        return {"statusCode": 200}

    app = gateway(pool, (manifest(), hold))

    async def ask() -> tuple[int, bool]:
        slow = asyncio.ensure_future(Exchange(path="/slow").ask(app))
        await asyncio.to_thread(entered.wait)
        fast = await Exchange(path="/fast").ask(app)
        still_held = not slow.done()
        release.set()
        await slow
        return fast.status, still_held

    assert asyncio.run(ask()) == (200, True)


def test_a_call_past_its_time_is_answered_without_it(pool: ThreadPoolExecutor) -> None:
    release = threading.Event()
    app = gateway(pool, (manifest(timeout_seconds=-1), lambda event, context: release.wait(5)))

    exchange = asyncio.run(Exchange().ask(app))
    release.set()

    exchange.expect_problem(503)
