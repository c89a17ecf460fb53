"""Language models on Bedrock, by its Converse call, as a `LanguageModel`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from palimpsest.adapters.aws.bedrock_errors import asked
from palimpsest.adapters.aws.bedrock_ids import model_behind
from palimpsest.adapters.aws.clients import CONNECT_SECONDS, client
from palimpsest.adapters.models.model_answers import counted, cut_short, declined, object_in
from palimpsest.domain.errors import ModelAnswerUnusable
from palimpsest.ports.language_model import Answer, Json, Question, Tokens

Converse: TypeAlias = Callable[..., Mapping[str, Any]]
"""`converse` of a client of Bedrock's runtime."""

_WAITS: Final = (0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 15.0, 30.0, 60.0)
"""Seconds. A client has one time-out for all its calls, so there is a client for each of these."""

_BY_TOOL: Final = ("amazon.", "meta.", "cohere.", "ai21.")
"""Families that have no structured output: the schema is that of a tool which they must use."""

_COUNTED_IN: Final = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
_CUT: Final = ("max_tokens", "model_context_window_exceeded")
_DECLINED: Final = ("content_filtered", "guardrail_intervened")


class BedrockConverse:
    """One model, or one inference profile.

    Args:
        model: Its id, as Bedrock calls it.
        effort: How much the model thinks, as Bedrock takes it; None leaves it to the model.
        make: Makes the call of a client that waits so many seconds; from the environment when None.
    """

    def __init__(
        self, model: str, *, effort: str | None = None, make: Callable[[float], Converse] | None = None
    ) -> None:
        self._model = model
        self._effort = effort
        self._converse = cache(make or _made)
        self._is_by_tool = model_behind(model).startswith(_BY_TOOL)

    @property
    def name(self) -> str:
        return f"bedrock:{self._model}"

    def ask(self, question: Question) -> Answer:
        """The answer, in the form that the schema asks for."""
        told = self._call(question)
        tokens = counted(told.get("usage"), _COUNTED_IN, ("outputTokens",))
        _require_whole(told, tokens)
        try:
            blocks = told["output"]["message"]["content"]
            content = _used(blocks) if self._is_by_tool else None
            if content is None:
                content = object_in("".join(block["text"] for block in blocks if "text" in block), tokens)
        except (LookupError, TypeError) as error:
            raise ModelAnswerUnusable("Bedrock's answer has no message", tokens) from error
        return Answer(content, tokens, self._model)

    def _call(self, question: Question) -> Mapping[str, Any]:
        seconds = question.within.total_seconds()
        return asked(lambda: self._converse(_wait(seconds))(**self._request(question)), seconds)

    def _request(self, question: Question) -> Mapping[str, object]:
        request: dict[str, object] = {
            "modelId": self._model,
            "system": [{"text": question.system}],
            "messages": [{"role": "user", "content": [{"text": question.user}]}],
            "inferenceConfig": {"maxTokens": question.max_output_tokens},
        }
        output: dict[str, object] = {"effort": self._effort} if self._effort else {}
        shape = question.shape
        if self._is_by_tool:
            tool = {"name": shape.name, "description": "Gives the answer.", "inputSchema": {"json": shape.schema}}
            request["toolConfig"] = {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": shape.name}}}
        else:
            schema = {"name": shape.name, "schema": json.dumps(shape.schema)}
            output["textFormat"] = {"type": "json_schema", "structure": {"jsonSchema": schema}}
        return request | ({"outputConfig": output} if output else {})


def _made(seconds: float) -> Converse:
    converse: Converse = client("bedrock-runtime", read_seconds=seconds).converse
    return converse


def _wait(seconds: float) -> float:
    """The longest wait that, after connecting, ends in time."""
    left = seconds - CONNECT_SECONDS
    return max((each for each in _WAITS if each <= left), default=_WAITS[0])


def _require_whole(told: Mapping[str, Any], tokens: Tokens | None) -> None:
    reason = told.get("stopReason")
    if reason in _CUT:
        raise cut_short(tokens)
    if reason in _DECLINED:
        raise declined(tokens)


def _used(blocks: list[Mapping[str, Any]]) -> Mapping[str, Json] | None:
    """What the tool was used with; None when it was not."""
    given = next((block["toolUse"]["input"] for block in blocks if "toolUse" in block), None)
    return given if isinstance(given, dict) else None
