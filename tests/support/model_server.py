"""Providers of language models on loopback: the protocols of OpenAI, Anthropic and Bedrock, with answers by script.

It takes only requests that the real service would take, and misbehaves when a test says so.
"""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import unquote

KEY = "sk-a-key-of-the-tests"
MODEL = "a-model"
TOOL_MODEL = "amazon.a-model-v1:0"
TEXT_MODEL = "anthropic.a-model-v1:0"
DRIP_SECONDS = 0.02


@dataclass(frozen=True)
class Says:
    """A good answer. `text` in place of the object: what the model wrote, whatever it is.

    Attributes:
        reason: Why the model stopped, in OpenAI's words: ``stop``, ``length`` or ``content_filter``.
        tokens: Input and output; None: it does not count.
        thinks: A thought goes before.
    """

    content: Any = None
    text: str | None = None
    reason: str = "stop"
    tokens: tuple[int, int] | None = (120, 30)
    thinks: bool = False

    @property
    def written(self) -> str:
        return json.dumps(self.content) if self.text is None else self.text


@dataclass(frozen=True)
class Refuses:
    """No answer but a status. `name` is that of the service's error."""

    status: int
    name: str = "error"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sends:
    """A body as it stands."""

    body: bytes


@dataclass(frozen=True)
class Stalls:
    """No answer until the test is over."""


@dataclass(frozen=True)
class Drips:
    """A good answer, a byte at a time."""


@dataclass(frozen=True)
class HangsUp:
    """Half an answer, and the end of the connection."""


Mood: TypeAlias = Says | Refuses | Sends | Stalls | Drips | HangsUp
Reply: TypeAlias = tuple[int, Mapping[str, str], bytes]


@dataclass(frozen=True)
class Asked:
    """One question as it came, whatever the protocol. `request`: the body."""

    system: str
    user: str
    schema: Mapping[str, Any]
    max_tokens: int
    request: Mapping[str, Any]


@dataclass
class ModelService:
    """Answers each question with the next of its moods; the last one stays.

    Attributes:
        url: Without a path.
        before: Called when a question came, before it is answered.
    """

    url: str
    moods: list[Mood] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    before: Callable[[Asked], object] = lambda _: None
    over: threading.Event = field(default_factory=threading.Event)

    def answer(self, headers: Mapping[str, str], path: str, body: bytes) -> tuple[Mood, Reply]:
        """The mood, and status, headers and body for one request."""
        request = json.loads(body)
        protocol: _OpenAI | _Anthropic | _Bedrock
        if path == "/v1/chat/completions":
            protocol = _OpenAI(request, headers)
        elif path == "/v1/messages":
            protocol = _Anthropic(request, headers)
        elif path.startswith("/model/") and path.endswith("/converse"):
            protocol = _Bedrock(request, headers, unquote(path.split("/")[2]))
        else:
            return Says(), (404, {}, b"{}")
        if fault := protocol.fault():
            return Says(), protocol.refusal(*fault)
        asked = protocol.asked()
        self.asked.append(asked)
        mood = self.moods.pop(0) if len(self.moods) > 1 else self.moods[0]
        self.before(asked)
        if isinstance(mood, Stalls):
            self.over.wait()
        if isinstance(mood, Refuses):
            status, named, told = protocol.refusal(mood.status, mood.name)
            return mood, (status, {**named, **mood.headers}, told)
        if isinstance(mood, Sends):
            return mood, (200, {}, mood.body)
        says = mood if isinstance(mood, Says) else Says({"said": "yes"})
        return mood, (200, {}, json.dumps(protocol.reply(says)).encode())


class _OpenAI:
    def __init__(self, request: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.request, self.headers = request, headers

    def fault(self) -> tuple[int, str] | None:
        if self.headers.get("authorization") != f"Bearer {KEY}":
            return 401, "invalid_api_key"
        if self.request["model"] != MODEL:
            return 404, "model_not_found"
        form = self.request["response_format"]
        is_good = form["type"] == "json_schema" and form["json_schema"]["strict"] and _is_strict(self._schema())
        return None if is_good else (400, "invalid_request_error")

    def asked(self) -> Asked:
        system, user = self.request["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        return Asked(system["content"], user["content"], self._schema(), self.request["max_tokens"], self.request)

    def refusal(self, status: int, name: str) -> Reply:
        told = {"error": {"message": "words of the service", "type": name, "code": name}}
        return status, {}, json.dumps(told).encode()

    def reply(self, says: Says) -> Mapping[str, Any]:
        message = {"role": "assistant", "content": says.written, "refusal": None}
        told: dict[str, Any] = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": f"{MODEL}-2026-11-01",
            "choices": [{"index": 0, "message": message, "finish_reason": says.reason}],
        }
        if says.tokens:
            total = sum(says.tokens)
            told["usage"] = {
                "prompt_tokens": says.tokens[0],
                "completion_tokens": says.tokens[1],
                "total_tokens": total,
            }
        return told

    def _schema(self) -> Mapping[str, Any]:
        schema: Mapping[str, Any] = self.request["response_format"]["json_schema"]["schema"]
        return schema


class _Anthropic:
    def __init__(self, request: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.request, self.headers = request, headers

    def fault(self) -> tuple[int, str] | None:
        if self.headers.get("x-api-key") != KEY:
            return 401, "authentication_error"
        if self.request["model"] != MODEL:
            return 404, "not_found_error"
        form = self.request["output_config"]["format"]
        is_good = self.headers.get("anthropic-version") == "2023-06-01" and form["type"] == "json_schema"
        return None if is_good and _is_strict(form["schema"]) else (400, "invalid_request_error")

    def asked(self) -> Asked:
        (user,) = self.request["messages"]
        assert user["role"] == "user"
        schema = self.request["output_config"]["format"]["schema"]
        return Asked(self.request["system"], user["content"], schema, self.request["max_tokens"], self.request)

    def refusal(self, status: int, name: str) -> Reply:
        told = {"type": "error", "error": {"type": name, "message": "words of the service"}, "request_id": "req_1"}
        return status, {}, json.dumps(told).encode()

    def reply(self, says: Says) -> Mapping[str, Any]:
        reason = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}[says.reason]
        thought = [{"type": "thinking", "thinking": "{", "signature": "x"}] if says.thinks else []
        told: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": f"{MODEL}-20261101",
            "content": [*thought, {"type": "text", "text": says.written}],
            "stop_reason": reason,
        }
        if says.tokens:
            told["usage"] = {
                "input_tokens": says.tokens[0] - 20,
                "cache_creation_input_tokens": None,
                "cache_read_input_tokens": 20,
                "output_tokens": says.tokens[1],
            }
        return told


class _Bedrock:
    def __init__(self, request: Mapping[str, Any], headers: Mapping[str, str], model: str) -> None:
        self.request, self.headers, self.model = request, headers, model

    @property
    def is_by_tool(self) -> bool:
        return "toolConfig" in self.request

    def fault(self) -> tuple[int, str] | None:
        if not self.headers.get("authorization", "").startswith("AWS4-HMAC-SHA256"):
            return 403, "AccessDeniedException"
        if self.model not in (TOOL_MODEL, TEXT_MODEL):
            return 404, "ResourceNotFoundException"
        has_both = self.is_by_tool and "textFormat" in self.request.get("outputConfig", {})
        if has_both or self.is_by_tool != (self.model == TOOL_MODEL):
            return 400, "ValidationException"
        return None if _is_strict(self._schema()) else (400, "ValidationException")

    def asked(self) -> Asked:
        (system,), (user,) = self.request["system"], self.request["messages"]
        assert user["role"] == "user"
        most = self.request["inferenceConfig"]["maxTokens"]
        return Asked(system["text"], user["content"][0]["text"], self._schema(), most, self.request)

    def refusal(self, status: int, name: str) -> Reply:
        return status, {"x-amzn-errortype": f"{name}:"}, b'{"message": "words of the service"}'

    def reply(self, says: Says) -> Mapping[str, Any]:
        reason = {"stop": "end_turn", "length": "max_tokens", "content_filter": "content_filtered"}[says.reason]
        content: list[Any] = [{"reasoningContent": {"reasoningText": {"text": "{"}}}] if says.thinks else []
        if self.is_by_tool and says.text is None:
            (tool,) = self.request["toolConfig"]["tools"]
            name = tool["toolSpec"]["name"]
            assert self.request["toolConfig"]["toolChoice"] == {"tool": {"name": name}}
            reason = "tool_use" if reason == "end_turn" else reason
            content.append({"toolUse": {"toolUseId": "t1", "name": name, "input": says.content}})
        else:
            content.append({"text": says.written})
        told: dict[str, Any] = {
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": reason,
            "metrics": {"latencyMs": 5},
        }
        if says.tokens:
            inputs, outputs = says.tokens
            told["usage"] = {"inputTokens": inputs, "outputTokens": outputs, "totalTokens": inputs + outputs}
        return told

    def _schema(self) -> Mapping[str, Any]:
        if self.is_by_tool:
            (tool,) = self.request["toolConfig"]["tools"]
            schema: Mapping[str, Any] = tool["toolSpec"]["inputSchema"]["json"]
            return schema
        told: Mapping[str, Any] = json.loads(
            self.request["outputConfig"]["textFormat"]["structure"]["jsonSchema"]["schema"]
        )
        return told


def _is_strict(schema: Mapping[str, Any]) -> bool:
    """What providers take: closed objects whose members are all required, without limits on lengths and numbers."""
    kind = schema.get("type")
    if schema.keys() & {"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "pattern"}:
        return False
    if kind == "object":
        members = schema["properties"]
        is_closed = schema.get("additionalProperties") is False and set(schema["required"]) == members.keys()
        return is_closed and all(map(_is_strict, members.values()))
    return kind != "array" or _is_strict(schema["items"])


@contextmanager
def model_service(*moods: Mood) -> Iterator[ModelService]:
    """A server for the time of a `with`."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            mood, (status, told, answer) = service.answer(headers, self.path, body)
            self.send_response_only(status)  # without a date of its own
            for name, value in ({"content-type": "application/json"} | dict(told)).items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            with suppress(OSError):  # the client has stopped waiting
                self._write(mood, answer)
            self.close_connection = isinstance(mood, HangsUp | Drips)

        def _write(self, mood: Mood, answer: bytes) -> None:
            if isinstance(mood, Drips):
                for byte in answer:
                    if service.over.wait(DRIP_SECONDS):
                        return
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                return
            self.wfile.write(answer[: len(answer) // 2] if isinstance(mood, HangsUp) else answer)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        service = ModelService(
            f"http://127.0.0.1:{listening.server_address[1]}", list(moods) or [Says({"said": "yes"})]
        )
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield service
        service.over.set()
        listening.shutdown()
        thread.join()
