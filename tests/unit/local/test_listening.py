"""Where a server listens, who reaches it there, and what a schedule's event looks like."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from palimpsest.local import listening
from palimpsest.local.background import scheduled
from palimpsest.local.exits import Exit, Refusal
from palimpsest.local.manifest import Manifest, Trigger


@pytest.mark.parametrize(
    ("host", "is_private", "place"),
    [
        ("127.0.0.1", True, "127.0.0.1"),
        ("127.0.0.53", True, "127.0.0.53"),
        ("::1", True, "[::1]"),
        ("0.0.0.0", False, "127.0.0.1"),  # noqa: S104 - that is the point
        ("::", False, "[::1]"),
        ("192.0.2.1", False, "192.0.2.1"),
    ],
)
def test_an_address_says_who_reaches_it_and_how(host: str, is_private: bool, place: str) -> None:
    address = listening.resolve(host, 8377)

    assert (address.is_private, address.url(8377)) == (is_private, f"http://{place}:8377")


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        listening.bind(listening.resolve("192.0.2.1", 0))

    assert refused.value.code == Exit.PORT
    assert "PALIMPSEST_HOST" in str(refused.value)


def test_a_bound_socket_refuses_until_it_listens() -> None:
    bound = listening.bind(listening.resolve("127.0.0.1", 0))

    with bound, socket.socket() as client, pytest.raises(ConnectionRefusedError):
        client.connect(bound.getsockname())


def test_a_scheduled_function_gets_the_event_of_a_rule() -> None:
    told: list[dict[str, Any]] = []
    manifest = Manifest(
        folder=Path("decay"),
        name="decay",
        description="a test's",
        trigger=Trigger.SCHEDULE,
        timeout_seconds=60,
        memory_mb=128,
        grants=(),
        layers=(),
        every_seconds=300,
    )

    chore = scheduled(manifest, lambda event, context: told.append(event))

    assert (chore.name, chore.every_seconds, chore.run()) == ("decay", 300.0, False)
    (event,) = told
    assert (event["source"], event["detail-type"]) == ("aws.events", "Scheduled Event")
    assert event["resources"] == ["arn:aws:events:local:000000000000:rule/palimpsest-decay"]
