"""The work queue and the owner's secret in an account, by real clients that talk to a server on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from palimpsest.adapters.aws.clients import client
from palimpsest.adapters.aws.secrets import SecretsManagerSecret
from palimpsest.adapters.aws.sqs import SqsQueue
from palimpsest.domain.errors import QueueUnavailable, SecretUnavailable
from palimpsest.ports.work_queue import Job, Work, read
from tests.support.scripted_server import ScriptedServer, scripted_server

KEY = "an-owner-key-of-the-tests-0123456789abc"
URL = "http://127.0.0.1/000000000000/work"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as server:
        yield server


@pytest.fixture
def aws(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    return lambda service: client(service, endpoint=server.url)


def queue(aws: Callable[[str], Any]) -> SqsQueue:
    return SqsQueue(URL, aws("sqs").send_message)


def secret(aws: Callable[[str], Any]) -> SecretsManagerSecret:
    return SecretsManagerSecret("owner", aws("secretsmanager").get_secret_value)


def test_a_message_is_sent_as_what_the_worker_reads() -> None:
    sent: list[dict[str, object]] = []
    work = Work(Job.BUILD_INDEX, "01KJMA0JE10000000000000000")
    body = '{"v":1,"job":"build_index","subject":"01KJMA0JE10000000000000000"}'

    SqsQueue(URL, lambda **request: sent.append(request)).send(work, after=timedelta(hours=1))

    assert sent == [{"QueueUrl": URL, "MessageBody": body, "DelaySeconds": 900}]
    assert read(body) == work


@pytest.mark.parametrize(
    ("status", "kind", "told"),
    [
        (400, "com.amazonaws.sqs#QueueDoesNotExist", "QueueDoesNotExist"),
        (403, "AccessDeniedException", "AccessDenied"),
        (500, "InternalFailure", "InternalFailure"),
    ],
)
def test_a_queue_that_refuses_is_told_as_such(
    server: ScriptedServer, aws: Callable[[str], Any], status: int, kind: str, told: str
) -> None:
    server.will_answer({"__type": kind, "message": "words of the service"}, status)

    with pytest.raises(QueueUnavailable) as refused:
        queue(aws).send(Work(Job.EMBED_PENDING))

    assert told in str(refused.value)


def test_a_function_without_a_queue_says_so_when_it_would_send() -> None:
    with pytest.raises(QueueUnavailable, match="PALIMPSEST_QUEUE_URL"):
        SqsQueue(None).send(Work(Job.EMBED_PENDING))


def test_a_queue_that_can_not_be_reached_is_told_as_such(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, aws: Callable[[str], Any]
) -> None:
    gone = client("sqs", endpoint="http://127.0.0.1:9")

    with pytest.raises(QueueUnavailable, match="can't be reached"):
        SqsQueue(URL, gone.send_message).send(Work(Job.EMBED_PENDING))


def test_the_secret_is_the_key_that_it_holds(server: ScriptedServer, aws: Callable[[str], Any]) -> None:
    server.will_answer({"ARN": "arn", "Name": "owner", "SecretString": f" {KEY}\n"})

    assert secret(aws).read() == KEY
    assert server.asked[0].body == {"SecretId": "owner"}


@pytest.mark.parametrize(
    ("status", "answer", "told"),
    [
        (400, {"__type": "ResourceNotFoundException", "Message": "secret words"}, "ResourceNotFoundException"),
        (400, {"__type": "AccessDeniedException", "Message": "secret words"}, "AccessDeniedException"),
        (400, {"__type": "InvalidRequestException", "Message": "it is marked for deletion"}, "InvalidRequest"),
        (500, {"__type": "InternalServiceError"}, "InternalServiceError"),
        (200, {"SecretString": "short"}, "holds no key"),
        (200, {"SecretString": ""}, "holds no key"),
        (200, {"SecretString": "ą" * 40}, "holds no key"),
        (200, {"SecretBinary": "aGVsbG8="}, "holds no key"),
        (200, {}, "holds no key"),
    ],
)
def test_a_secret_that_gives_no_key_says_why_and_shows_nothing(
    server: ScriptedServer, aws: Callable[[str], Any], status: int, answer: dict[str, str], told: str
) -> None:
    server.will_answer(answer, status)

    with pytest.raises(SecretUnavailable) as refused:
        secret(aws).read()

    assert told in str(refused.value)
    assert "secret words" not in str(refused.value)
    assert "other keys work" in str(refused.value)
