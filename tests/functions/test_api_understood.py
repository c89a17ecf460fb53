"""What a recall tells of how it read the query, by way of the whole handler."""

from __future__ import annotations

from typing import Any

import pytest

from palimpsest.api.app import LambdaHandler, http_handler
from palimpsest.usecases.service import Service
from tests.functions.calling import call

WEDNESDAY = "2025-06-11T12:00:00Z"


@pytest.fixture
def handler(unchanged: Service) -> LambdaHandler:
    return http_handler(lambda: unchanged)


def understood(handler: LambdaHandler, query: str, **more: Any) -> dict[str, Any]:
    answer = call(handler, "POST", "/memory/recall", {"query": query, "dry_run": True, **more})
    told: dict[str, Any] = answer.json["understood"]
    return told


@pytest.mark.parametrize(
    "query", ["what did we do last Friday", "co robiliśmy w zeszły piątek", "CO ROBILISMY W ZESZLY PIATEK"]
)
def test_dates_are_understood_in_two_languages(handler: LambdaHandler, query: str) -> None:
    told = understood(handler, query, now=WEDNESDAY)

    assert (told["class"], told["date_from"], told["date_to"]) == (
        "temporal",
        "2025-06-06T00:00:00.000Z",
        "2025-06-06T23:59:59.999Z",
    )


def test_dates_are_those_of_the_zone_in_which_it_is_asked(handler: LambdaHandler) -> None:
    told = understood(handler, "what did I say today?", now="2025-06-10T22:30:00Z", tz="Europe/Warsaw")

    assert (told["date_from"], told["date_to"]) == ("2025-06-10T22:00:00.000Z", "2025-06-11T21:59:59.999Z")


def test_an_open_end_is_null_and_so_is_what_is_not_asked_for(handler: LambdaHandler) -> None:
    since, before, none = (
        understood(handler, query, now=WEDNESDAY) for query in ("since March 2025", "przed marcem 2025", "why")
    )

    assert (since["date_from"], since["date_to"]) == ("2025-03-01T00:00:00.000Z", None)
    assert (before["date_from"], before["date_to"]) == (None, "2025-02-28T23:59:59.999Z")
    assert (none["class"], none["date_from"], none["date_to"]) == ("complex", None, None)


def test_the_dates_of_the_request_put_those_of_the_query_aside(handler: LambdaHandler) -> None:
    told = understood(handler, "what did we do last Friday", now=WEDNESDAY, date_from="2024-01-01")

    assert (told["date_from"], told["date_to"]) == ("2024-01-01T00:00:00.000Z", None)


@pytest.mark.parametrize("zone", ["Middle-earth/Bree", "Europe", "/etc/localtime", "../UTC", ""])
def test_a_zone_that_is_not_known_is_refused(handler: LambdaHandler, zone: str) -> None:
    answer = call(handler, "POST", "/memory/recall", {"query": "tea", "tz": zone})

    assert answer.status == 422
    assert [each["loc"] for each in answer.json["errors"]] == [["body", "tz"]]
