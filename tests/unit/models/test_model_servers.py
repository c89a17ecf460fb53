"""What is a provider's own: addresses, keys, limits, and its ways to say that money is gone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from palimpsest.adapters.aws.bedrock_converse import BedrockConverse
from palimpsest.adapters.aws.secrets import KeptSecret
from palimpsest.adapters.models import anthropic_messages, openai_chat
from palimpsest.adapters.models.anthropic_messages import AnthropicMessages
from palimpsest.adapters.models.openai_chat import OpenAIChat
from palimpsest.domain.errors import ModelFailure, ModelUnavailable, SecretUnavailable
from palimpsest.ports.language_model import Json, LanguageModel, Question, Shape
from tests.support.model_server import KEY, MODEL, ModelService, Refuses, model_service

SCHEMA: dict[str, Json] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
QUESTION = Question("s", "u", Shape("reply", SCHEMA), 10, timedelta(seconds=5))


@pytest.fixture
def service() -> Iterator[ModelService]:
    with model_service() as service:
        yield service


def failure(model: LanguageModel) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as failed:
        model.ask(QUESTION)
    return failed.value


def no_key() -> str:
    raise SecretUnavailable("Secrets Manager can't be reached")


@pytest.mark.parametrize("make", [OpenAIChat, AnthropicMessages])
@pytest.mark.parametrize("key", ["", "a wrong one", "źle", "a\nb", "wrong"])
def test_a_key_that_is_missing_or_wrong_is_refused_and_never_shown(
    service: ModelService, make: type[OpenAIChat | AnthropicMessages], key: str
) -> None:
    failed = failure(make(MODEL, lambda: key, f"{service.url}/v1"))

    assert (failed.reason, failed.may_cost) == (ModelFailure.REFUSED, False)
    assert not key or key not in str(failed)
    assert service.asked == []


@pytest.mark.parametrize("make", [OpenAIChat, AnthropicMessages])
def test_a_key_that_can_not_be_read_is_told(service: ModelService, make: type[OpenAIChat | AnthropicMessages]) -> None:
    failed = failure(make(MODEL, no_key, f"{service.url}/v1"))

    assert failed.reason is ModelFailure.REFUSED
    assert "Secrets Manager" in str(failed)


@pytest.mark.parametrize("name", ["insufficient_quota", "enforced_spend_limit_reached"])
def test_a_limit_of_spending_looks_like_throttling_and_is_not_waited_for(service: ModelService, name: str) -> None:
    service.moods[:] = [Refuses(429, name)]

    assert failure(OpenAIChat(MODEL, lambda: KEY, f"{service.url}/v1")).reason is ModelFailure.REFUSED


@pytest.mark.parametrize("make", [OpenAIChat, AnthropicMessages])
def test_an_overloaded_service_has_not_worked_on_the_question(
    service: ModelService, make: type[OpenAIChat | AnthropicMessages]
) -> None:
    service.moods[:] = [Refuses(529, "overloaded_error")]

    failed = failure(make(MODEL, lambda: KEY, f"{service.url}/v1"))

    assert (failed.reason, failed.may_cost) == (ModelFailure.THROTTLED, False)


def test_openais_own_models_get_the_limit_by_its_newer_name() -> None:
    own, other = OpenAIChat("m", lambda: None), OpenAIChat("m", lambda: None, "http://127.0.0.1:1/v1")

    assert "max_completion_tokens" in own._request(QUESTION)
    assert "max_tokens" in other._request(QUESTION)


def test_providers_are_called_at_their_own_addresses_unless_another_is_given() -> None:
    assert (openai_chat.URL, anthropic_messages.URL) == ("https://api.openai.com/v1", "https://api.anthropic.com/v1")


@pytest.mark.parametrize("make", [OpenAIChat, AnthropicMessages])
def test_an_address_without_http_is_refused(make: type[OpenAIChat | AnthropicMessages]) -> None:
    with pytest.raises(ValueError, match="http"):
        make("m", lambda: None, "models.example")


def test_bedrock_without_a_region_or_credentials_is_told_and_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "none")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    failed = failure(BedrockConverse("amazon.nova-lite-v1:0"))

    assert (failed.reason, failed.may_cost) == (ModelFailure.REFUSED, False)


def test_bedrock_waits_no_longer_than_is_left_and_makes_few_clients() -> None:
    made: list[float] = []

    def make(seconds: float) -> object:
        made.append(seconds)
        raise ValueError("no client in this test")

    model = BedrockConverse("amazon.nova-lite-v1:0", make=make)  # type: ignore[arg-type]  # it never comes to a call
    for seconds in (0.2, 4.0, 3.9, 31.5):
        with pytest.raises(Exception, match="can't be read"):
            model.ask(Question("s", "u", QUESTION.shape, 10, timedelta(seconds=seconds)))

    assert made == [0.5, 3.0, 2.0, 30.0]


def test_a_key_in_a_secret_is_read_once_in_five_minutes() -> None:
    seconds, texts = [0.0, 299.0, 300.0], [" one \n", "two"]
    secret = KeptSecret("model", lambda **_: {"SecretString": texts.pop(0)}, monotonic=lambda: seconds.pop(0))

    assert [secret() for _ in range(3)] == ["one", "one", "two"]
