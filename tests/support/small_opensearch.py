"""An OpenSearch of a few documents in this process: as much of its language as this product speaks, on loopback.

For what happens on the way between both; what the real server does is tested on the real one.
"""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass
class SmallOpenSearch:
    """The indexes by name: their mappings and documents by id, each with its version."""

    url: str = ""
    mappings: dict[str, Json] = field(default_factory=dict)
    documents: dict[str, dict[str, tuple[int, Json]]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, Json]:
        """Status and document."""
        name, _, verb = path.strip("/").partition("/")
        with self.lock:
            if method == "PUT" and not verb:
                self.mappings[name], self.documents[name] = json.loads(body)["mappings"], {}
                return 200, {"acknowledged": True}
            if name not in self.documents:
                return 404, {"status": 404, "error": {"type": "index_not_found_exception"}}
            if method == "DELETE":
                del self.mappings[name], self.documents[name]
                return 200, {"acknowledged": True}
            match verb:
                case "_mapping":
                    return 200, {name: {"mappings": self.mappings[name]}}
                case "_bulk":
                    return 200, {"items": list(self._bulk(name, body))}
                case "_search":
                    return 200, self._search(name, json.loads(body))
                case "_msearch":
                    bodies = [json.loads(line) for line in body.splitlines()][1::2]
                    return 200, {"responses": [self._search(name, each) for each in bodies]}
        return 200, {}

    def _bulk(self, name: str, body: bytes) -> Iterator[Json]:
        held = self.documents[name]
        lines = iter(body.splitlines())
        for line in lines:
            [(word, about)] = json.loads(line).items()
            document = json.loads(next(lines)) if word == "index" else None
            id_, version = about.get("_id", f"made{len(held)}"), about.get("version", 1)
            told = {"_id": id_, "_seq_no": len(held), "status": 200}
            if id_ in held and held[id_][0] > version:
                told |= {"status": 409, "error": {"type": "version_conflict_engine_exception"}}
            elif document is None:
                told["status"] = 200 if held.pop(id_, None) else 404
            else:
                held[id_] = (version, document)
            yield {word: told}

    def _search(self, name: str, body: Json) -> Json:
        query = body["query"]
        scored = [(_score(query, document), id_, document) for id_, (_, document) in self.documents[name].items()]
        found = sorted((-score, id_, document) for score, id_, document in scored if score is not None)
        hits = [{"_id": id_, "_score": -score, "_source": document} for score, id_, document in found[: body["size"]]]
        documents = [document for _, _, document in found]
        figures = {each: _figure(asked, documents) for each, asked in body.get("aggs", {}).items()}
        return {
            "timed_out": False,
            "_shards": {"total": 2, "successful": 2, "failed": 0},
            "hits": {"total": {"value": len(found)}, "hits": hits},
            "aggregations": figures,
        }


def _score(query: Mapping[str, Any], document: Json) -> float | None:
    """How well a document answers; None when it does not."""
    [(kind, asked)] = query.items()
    match kind:
        case "bool":
            return _bool_score(asked, document)
        case "knn":
            nearest = asked["vector"]
            if "vector" not in document or _score(nearest["filter"], document) is None:
                return None
            return -float(sum((a - b) ** 2 for a, b in zip(nearest["vector"], document["vector"], strict=True)))
    [(name, value)] = ((name, value) for name, value in asked.items() if name != "boost")
    held = document.get(name)
    match kind:
        case "term":
            return 1.0 if value == held or (name == "terms" and value in (held or "").split()) else None
        case "terms":
            given = held if isinstance(held, list) else [held]
            return 1.0 if any(each in value for each in given) else None
        case "range":
            is_within = held is not None and value.get("gte", held) <= held <= value.get("lte", held)
            return 1.0 if is_within else None
        case "match":
            words = set(value["query"].split())
            return float(sum(word in words for word in (held or "").split())) or None
    raise AssertionError(f"this server knows no {kind}")


def _bool_score(asked: Mapping[str, Any], document: Json) -> float | None:
    if any(_score(each, document) is None for each in asked.get("filter", ())):
        return None
    if any(_score(each, document) is not None for each in asked.get("must_not", ())):
        return None
    scores = [score for each in asked.get("should", ()) if (score := _score(each, document)) is not None]
    return sum(scores) if len(scores) >= asked.get("minimum_should_match", 0) else None


def _figure(asked: Mapping[str, Any], documents: list[Json]) -> Json:
    if "sum" in asked:
        return {"value": float(sum(each.get(asked["sum"]["field"], 0) for each in documents))}
    filters = asked["filters"]["filters"]
    counts = {each: sum(_score(query, d) is not None for d in documents) for each, query in filters.items()}
    return {"buckets": {each: {"doc_count": count} for each, count in counts.items()}}


@contextmanager
def small_opensearch() -> Iterator[SmallOpenSearch]:
    """An empty one for the time of a `with`."""
    state = SmallOpenSearch()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            status, document = state.answer(self.command, self.path.partition("?")[0], body)
            answered = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answered)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answered)

        do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = answer  # noqa: N815 - the server's names

        def log_message(self, *_: object) -> None:
            pass

        def handle(self) -> None:
            with suppress(ConnectionError):
                super().handle()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        listening.daemon_threads = True
        state.url = f"http://127.0.0.1:{listening.server_address[1]}"
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield state
        listening.shutdown()
        thread.join()
