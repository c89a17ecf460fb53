"""What the edge does beside validating: retries, limits, threads, failures, other origins."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import NoReturn

import pytest

from palimpsest.api.app import LambdaHandler, http_handler
from palimpsest.api.catalog import route_table
from palimpsest.api.options import EdgeOptions
from palimpsest.api.surface import Route
from palimpsest.domain.errors import TableThrottled, TableUnavailable
from palimpsest.usecases.service import Service
from tests.functions.calling import call, event
from tests.functions.seeds import DONE, ERASURE, FINDING, MARTA, RITUAL, RUNBOOK, TEA, UPLOAD


@pytest.fixture
def handler(fresh: Service) -> LambdaHandler:
    return http_handler(lambda: fresh)


def test_a_retry_with_the_same_idempotency_key_is_answered_like_the_first_request(handler: LambdaHandler) -> None:
    headers = {"idempotency-key": "retry-1"}

    first = call(handler, "POST", "/memory/save", {"content": "paid 20 EUR", "tags": []}, headers=headers)
    again = call(handler, "POST", "/v1/memory/save", '{"tags":[],"content":"paid 20 EUR"}', headers=headers)
    other = call(handler, "POST", "/memory/save", {"content": "paid 30 EUR", "tags": []}, headers=headers)

    assert (first.status, again.status, other.status) == (201, 201, 422)
    assert again.json["memory"] == first.json["memory"]
    assert other.json["errors"][0]["loc"] == ["header", "idempotency-key"]


def test_a_retried_update_makes_one_version(handler: LambdaHandler) -> None:
    headers = {"idempotency-key": "retry-2"}

    for _ in range(3):
        answer = call(handler, "POST", f"/memory/{TEA}/update", {"content": "Marta prefers water"}, headers=headers)
        assert answer.json["memory"]["version"] == 3

    assert len(call(handler, "GET", f"/memory/{TEA}/history").json["versions"]) == 3


def test_a_request_of_4_mb_and_a_byte_is_too_large(handler: LambdaHandler) -> None:
    padding = " " * (4 * 1024 * 1024 - len('{"content": ""}') + 1)

    answer = call(handler, "POST", "/memory/save", f'{{"content": ""{padding}}}')

    assert (answer.status, answer.json["type"]) == (413, "/docs/errors#too-large")


def test_without_a_key_nobody_learns_whether_a_body_is_too_large(handler: LambdaHandler) -> None:
    assert call(handler, "POST", "/memory/save", "x" * 5_000_000, key=None).status == 401


def test_10_000_tags_are_refused_without_repeating_them(handler: LambdaHandler) -> None:
    answer = call(handler, "POST", "/memory/save", {"content": "x", "tags": ["tagged"] * 10_000})

    assert answer.status == 422
    assert "tagged" not in answer.text


def test_metadata_comes_back_as_it_was_sent(handler: LambdaHandler) -> None:
    metadata = {"n": 2**70, "digits": int("9" * 4_000), "f": 0.1, "deep": [{"a": [None, True, "ż"]}]}

    answer = call(handler, "POST", "/memory/save", {"content": "x", "metadata": metadata})

    assert answer.json["memory"]["metadata"] == metadata


def test_calls_from_many_threads_are_not_mixed_up(handler: LambdaHandler) -> None:
    begin = threading.Barrier(8)

    def visit(worker: int) -> list[tuple[str, str]]:
        begin.wait()
        seen = []
        for turn in range(12):
            text, mark = f"note {turn} of worker {worker}", f"request-{worker}-{turn}"
            answer = call(handler, "POST", "/memory/save", {"content": text}, request_id=mark)
            seen.append((answer.json["memory"]["content"], answer.headers["x-request-id"]))
        return seen

    with ThreadPoolExecutor(8) as pool:
        visits = list(pool.map(visit, range(8)))

    expected = [[(f"note {t} of worker {w}", f"request-{w}-{t}") for t in range(12)] for w in range(8)]
    assert visits == expected


@contextmanager
def failing(error: Exception) -> Iterator[LambdaHandler]:
    def service() -> NoReturn:
        raise error

    yield http_handler(service)


def test_an_unforeseen_failure_is_a_bare_500_and_neither_answer_nor_log_repeats_a_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with failing(ValueError("the words of somebody")) as handler:
        answer = call(handler, "POST", "/memory/save", {"content": "the words of somebody"})

    log = capsys.readouterr()
    lines = [json.loads(line) for line in log.out.splitlines()]
    assert (answer.status, answer.json["request_id"]) == (500, "request-1")
    assert [(line["level"], line["message"]) for line in lines] == [
        ("ERROR", "request failed"),
        ("INFO", "request answered"),
    ]
    assert lines[0]["error"] == "ValueError"
    assert "somebody" not in answer.text + log.out + log.err


@pytest.mark.parametrize("error", [TableThrottled(3), TableUnavailable("the disk is full; make room")])
def test_a_table_that_can_not_answer_is_503_with_retry_after(error: Exception) -> None:
    with failing(error) as handler:
        answer = call(handler, "GET", "/memory/list")

    assert (answer.status, answer.json["detail"]) == (503, str(error))
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("path", ["/health", "/openapi.json", "/docs", "/docs/errors", "/v1/health"])
def test_what_needs_no_key_needs_no_table_either(path: str) -> None:
    with failing(TableUnavailable("there is no table")) as handler:
        assert call(handler, "GET", path, key=None).status == 200


CONFLICT = "cfl_6528aafddabbc5e6e824e843953fef12"
"""Of the two seeds that contradict each other; events/api names it, too."""


def there(template: str) -> str:
    """The path of something that the seeds hold."""
    names = {
        "conflicts": CONFLICT,
        "documents": RUNBOOK,
        "entities": MARTA,
        "erasures": ERASURE,
        "findings": FINDING,
        "runs": DONE,
        "schema": RITUAL,
        "uploads": UPLOAD,
        "memory": TEA,
    }
    kind = next((kind for kind in names if f"/{kind}/{{id}}" in template), "memory")
    return template.replace("{id}", names[kind]).replace("{name}", "default")


@pytest.mark.parametrize(
    "route", [each for each in route_table().routes if each.method == "GET"], ids=lambda route: route.template
)
def test_each_get_route_answers_head_with_the_same_head_and_no_body(handler: LambdaHandler, route: Route) -> None:
    path = there(route.template)

    got = call(handler, "GET", path)
    head = call(handler, "HEAD", path)

    assert (head.status, head.headers, head.text) == (got.status, got.headers, "")
    assert got.status == 200


def test_health_tells_nothing_but_that_it_runs_and_the_version(handler: LambdaHandler) -> None:
    assert call(handler, "GET", "/health", key=None).json.keys() == {"status", "version"}


def test_the_page_of_routes_calls_no_other_host_and_runs_no_script(handler: LambdaHandler) -> None:
    page = call(handler, "GET", "/docs", key=None)

    assert "<script" not in page.text
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")


def test_without_docs_the_pages_are_not_there(fresh: Service) -> None:
    handler = http_handler(lambda: fresh, lambda: EdgeOptions(are_docs_served=False))

    assert call(handler, "GET", "/openapi.json").status == 404
    assert call(handler, "GET", "/docs", key=None).status == 401


def test_pages_of_allowed_origins_may_call_and_others_may_not(fresh: Service) -> None:
    handler = http_handler(lambda: fresh, lambda: EdgeOptions(cors_origins=("https://console.example",)))
    asking = {"access-control-request-method": "POST"}

    allowed = call(
        handler, "OPTIONS", "/memory/save", key=None, headers={"origin": "https://console.example", **asking}
    )
    refused = call(handler, "OPTIONS", "/memory/save", key=None, headers={"origin": "https://evil.example", **asking})
    answered = call(handler, "GET", "/memory/list", headers={"origin": "https://console.example"})
    without_key = call(handler, "GET", "/memory/list", key=None, headers={"origin": "https://console.example"})

    assert (allowed.status, refused.status, answered.status, without_key.status) == (204, 401, 200, 401)
    assert allowed.headers["access-control-allow-methods"] == "POST"
    assert "access-control-allow-origin" not in refused.headers
    assert {told.headers["access-control-allow-origin"] for told in (allowed, answered, without_key)} == {
        "https://console.example"
    }


def test_what_lies_in_another_space_looks_like_what_is_not_there(handler: LambdaHandler) -> None:
    secret = call(handler, "POST", "/keys", {"role": "writer", "spaces": ["team-x"]}).json["secret"]
    body = {"content": "x"}

    for method, rest, sent in (("GET", "", None), ("POST", "/update", body), ("POST", "/forget", None)):
        foreign = call(handler, method, f"/memory/{TEA}{rest}", sent, key=secret)
        unknown = call(handler, method, f"/memory/mem_{'0' * 26}{rest}", sent, key=secret)
        assert (foreign.status, foreign.json) == (unknown.status, unknown.json)


def test_a_handler_answers_in_another_thread_than_the_one_that_made_it(fresh: Service, executor: Executor) -> None:
    handler = http_handler(lambda: fresh)

    answers = executor.map(lambda _: handler(event("GET", "/status"), None)["statusCode"], range(8))

    assert set(answers) == {200}
