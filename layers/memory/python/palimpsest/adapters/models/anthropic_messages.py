"""Anthropic's Messages API, as a `LanguageModel`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from palimpsest.adapters.models.model_answers import counted, cut_short, declined, object_in
from palimpsest.adapters.models.model_server import Key, ModelServer
from palimpsest.domain.errors import ModelAnswerUnusable
from palimpsest.ports.language_model import Answer, Question, Tokens

URL: Final = "https://api.anthropic.com/v1"
_VERSION: Final = "2023-06-01"
_COUNTED_IN: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_CUT: Final = ("max_tokens", "model_context_window_exceeded")


class AnthropicMessages:
    """A model behind `url`, which ends in ``/v1``.

    Args:
        effort: How much the model thinks, as the API takes it; None leaves it to the model.

    Raises:
        ValueError: The address is none of ``http`` or ``https``.
    """

    def __init__(self, model: str, key: Key, url: str = URL, *, effort: str | None = None) -> None:
        self._model = model
        self._effort = effort
        self._server = ModelServer(
            url.rstrip("/") + "/messages", key, lambda secret: {"x-api-key": secret, "anthropic-version": _VERSION}
        )

    @property
    def name(self) -> str:
        return f"anthropic:{self._model}"

    def ask(self, question: Question) -> Answer:
        """The answer, in the form that the schema asks for."""
        told: Mapping[str, Any] = self._server.post(self._request(question), question.within)
        tokens = counted(told.get("usage"), _COUNTED_IN, ("output_tokens",))
        content = object_in(_said(told, tokens), tokens)
        return Answer(content, tokens, str(told.get("model") or self._model))

    def close(self) -> None:
        """Give the connections back."""
        self._server.close()

    def _request(self, question: Question) -> Mapping[str, object]:
        # Not by a tool that it must use: models that always think refuse to be forced to one.
        form: dict[str, object] = {"format": {"type": "json_schema", "schema": question.shape.schema}}
        return {
            "model": self._model,
            "max_tokens": question.max_output_tokens,
            "system": question.system,
            "messages": [{"role": "user", "content": question.user}],
            "output_config": form | ({"effort": self._effort} if self._effort else {}),
        }


def _said(told: Mapping[str, Any], tokens: Tokens | None) -> str:
    """The texts of an answer; what the model thought is left out."""
    reason = told.get("stop_reason")
    if reason in _CUT:
        raise cut_short(tokens)
    if reason == "refusal":
        raise declined(tokens)
    try:
        texts = [block["text"] for block in told["content"] if block["type"] == "text"]
        return "".join(texts)
    except (LookupError, TypeError) as error:
        raise ModelAnswerUnusable("the model server's answer has no text", tokens) from error
