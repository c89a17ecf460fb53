"""Name and password of a server from a secret, by a real client that talks to a server on loopback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from palimpsest.adapters.aws.clients import client
from palimpsest.adapters.aws.opensearch_cluster import Cluster
from palimpsest.adapters.aws.opensearch_secret import SecretLogin
from palimpsest.domain.errors import IndexUnavailable
from tests.support.scripted_server import ScriptedServer
from tests.unit.opensearch_index.conftest import EMPTY

PASSWORD = "secret words"


@pytest.fixture
def get(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    getter: Callable[..., Any] = client("secretsmanager", endpoint=server.url).get_secret_value
    return getter


def test_what_the_secret_holds_goes_as_basic_authentication_and_is_read_once(
    server: ScriptedServer, get: Callable[..., Any]
) -> None:
    server.will_answer({"SecretString": '{"username": "one", "password": "word", "engine": "any"}'})
    server.will_answer(EMPTY)
    server.will_answer(EMPTY)
    cluster = Cluster(server.url, login=SecretLogin("search", get), read_seconds=10)

    for _ in range(2):
        cluster.search("any", {"size": 0})
    cluster.close()

    assert server.asked[0].body == {"SecretId": "search"}
    assert [asked.headers["authorization"] for asked in server.asked[1:]] == ["Basic b25lOndvcmQ="] * 2


def test_a_password_that_was_replaced_is_sent_after_five_minutes(
    server: ScriptedServer, get: Callable[..., Any]
) -> None:
    seconds = [0.0, 299.0, 300.0]
    server.will_answer({"SecretString": '{"username": "one", "password": "word"}'})
    server.will_answer({"SecretString": '{"username": "one", "password": "other"}'})
    login = SecretLogin("search", get, monotonic=lambda: seconds.pop(0))

    headers = [login("GET", "/", None)["authorization"] for _ in range(3)]

    assert headers == ["Basic b25lOndvcmQ=", "Basic b25lOndvcmQ=", "Basic b25lOm90aGVy"]


@pytest.mark.parametrize(
    ("status", "answer", "told"),
    [
        (400, {"__type": "ResourceNotFoundException", "Message": PASSWORD}, "ResourceNotFoundException"),
        (200, {"SecretString": PASSWORD}, "no object with username and password"),
        (200, {"SecretString": f'{{"password": "{PASSWORD}"}}'}, "no object with username and password"),
        (200, {"SecretString": f'["{PASSWORD}"]'}, "no object with username and password"),
        (200, {}, "no object with username and password"),
    ],
)
def test_a_secret_that_gives_no_login_says_why_and_shows_nothing(
    server: ScriptedServer, get: Callable[..., Any], status: int, answer: dict[str, str], told: str
) -> None:
    server.will_answer(answer, status)
    cluster = Cluster(server.url, login=SecretLogin("search", get), read_seconds=10)

    with pytest.raises(IndexUnavailable) as refused:
        cluster.search("any", {"size": 0})
    cluster.close()

    assert refused.value.reason == "index_refused"
    assert told in str(refused.value)
    assert PASSWORD not in str(refused.value)


def test_a_secret_that_can_not_be_asked_for_is_told(get: Callable[..., Any]) -> None:
    gone = client("secretsmanager", endpoint="http://127.0.0.1:9").get_secret_value

    with pytest.raises(IndexUnavailable, match="can't be reached"):
        SecretLogin("search", gone)("GET", "/", None)
