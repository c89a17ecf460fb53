"""Any server that answers `POST …/chat/completions` as OpenAI's does, as a `LanguageModel`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from palimpsest.adapters.models.model_answers import counted, cut_short, declined, object_in
from palimpsest.adapters.models.model_server import Key, ModelServer
from palimpsest.domain.errors import ModelAnswerUnusable
from palimpsest.ports.language_model import Answer, Question, Tokens

URL: Final = "https://api.openai.com/v1"
_OWN_HOSTS: Final = re.compile(r"https://[\w.-]+\.(?:openai\.com|openai\.azure\.com)/")


class OpenAIChat:
    """A model behind `url`, which ends in ``/v1``.

    Args:
        effort: How much a reasoning model thinks, as the server takes it; None leaves it to the server.

    Raises:
        ValueError: The address is none of ``http`` or ``https``.
    """

    def __init__(self, model: str, key: Key, url: str = URL, *, effort: str | None = None) -> None:
        self._model = model
        self._effort = effort
        # OpenAI's own models refuse the older name, and servers like theirs may not know the newer one.
        self._limit = "max_completion_tokens" if _OWN_HOSTS.match(url) else "max_tokens"
        endpoint = url.rstrip("/") + "/chat/completions"
        self._server = ModelServer(
            endpoint, key, lambda secret: {"Authorization": f"Bearer {secret}"} if secret else {}
        )

    @property
    def name(self) -> str:
        return f"openai:{self._model}"

    def ask(self, question: Question) -> Answer:
        """The answer, in the form that the schema asks for."""
        told: Mapping[str, Any] = self._server.post(self._request(question), question.within)
        tokens = counted(told.get("usage"), ("prompt_tokens",), ("completion_tokens",))
        content = object_in(_said(told, tokens), tokens)
        return Answer(content, tokens, str(told.get("model") or self._model))

    def close(self) -> None:
        """Give the connections back."""
        self._server.close()

    def _request(self, question: Question) -> Mapping[str, object]:
        shape = {"name": question.shape.name, "schema": question.shape.schema, "strict": True}
        request: dict[str, object] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.user},
            ],
            "response_format": {"type": "json_schema", "json_schema": shape},
            self._limit: question.max_output_tokens,
        }
        return request | ({"reasoning_effort": self._effort} if self._effort else {})


def _said(told: Mapping[str, Any], tokens: Tokens | None) -> str:
    try:
        choice = told["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        said, refusal = message.get("content"), message.get("refusal")
    except (LookupError, TypeError, AttributeError) as error:
        raise ModelAnswerUnusable("the model server's answer has no message", tokens) from error
    if reason == "length":
        raise cut_short(tokens)
    if refusal or reason == "content_filter":
        raise declined(tokens)
    if not isinstance(said, str):
        raise ModelAnswerUnusable("the model's answer has no text", tokens)
    return said
