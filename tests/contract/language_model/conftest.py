"""The three ways to a language model, each with a real client, before one server that speaks their protocols."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

import pytest

from palimpsest.adapters.aws.bedrock_converse import BedrockConverse, Converse
from palimpsest.adapters.aws.clients import client
from palimpsest.adapters.models.anthropic_messages import AnthropicMessages
from palimpsest.adapters.models.openai_chat import OpenAIChat
from palimpsest.ports.language_model import LanguageModel, Question, Shape
from tests.support.model_server import KEY, MODEL, TEXT_MODEL, TOOL_MODEL, ModelService, Says, model_service

SHAPE = Shape(
    "reply",
    {
        "type": "object",
        "properties": {"said": {"type": "string", "enum": ["yes", "no"]}},
        "required": ["said"],
        "additionalProperties": False,
    },
)
PROVIDERS = ("openai", "anthropic", "bedrock-tool", "bedrock-text")


def question(seconds: float = 5.0) -> Question:
    return Question("You are a judge.", "Is tea hot? Zażółć.", SHAPE, 200, timedelta(seconds=seconds))


@dataclass(frozen=True)
class Provider:
    """One way to the server."""

    name: str
    service: ModelService
    make: Callable[..., LanguageModel]

    def model(self, *, model: str | None = None, effort: str | None = None) -> LanguageModel:
        return self.make(model=model, effort=effort)


@cache
def _bedrock_client(url: str, seconds: float) -> Converse:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "test")
        patch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
        converse: Converse = client("bedrock-runtime", endpoint=url, read_seconds=seconds).converse
    return converse


def provider_of(name: str, service: ModelService) -> Provider:
    url = f"{service.url}/v1"

    def make(*, model: str | None, effort: str | None) -> LanguageModel:
        if name == "openai":
            return OpenAIChat(model or MODEL, lambda: KEY, url, effort=effort)
        if name == "anthropic":
            return AnthropicMessages(model or MODEL, lambda: KEY, url, effort=effort)
        own = TOOL_MODEL if name == "bedrock-tool" else TEXT_MODEL
        return BedrockConverse(model or own, effort=effort, make=lambda seconds: _bedrock_client(service.url, seconds))

    return Provider(name, service, make)


@pytest.fixture(scope="session")
def server() -> Iterator[ModelService]:
    with model_service() as service:
        yield service


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest, server: ModelService) -> Provider:
    server.moods[:] = [Says({"said": "yes"})]
    server.asked.clear()
    return provider_of(request.param, server)
