"""Requests by one or several clients at once, each timed."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from harness.api import Answer, Json
from harness.server import Server


@dataclass(frozen=True, slots=True)
class Request:
    """One POST."""

    path: str
    body: Json


def drive(server: Server, requests: Sequence[Request], clients: int) -> list[Answer]:
    """The answers, in order; each client has a connection and sends its share one after the other."""
    shares = [range(client, len(requests), clients) for client in range(clients)]

    def run(share: range) -> list[tuple[int, Answer]]:
        api = server.api()
        try:
            return [(i, api.post(requests[i].path, requests[i].body)) for i in share]
        finally:
            api.close()

    with ThreadPoolExecutor(clients) as threads:
        done = dict(pair for pairs in threads.map(run, shares) for pair in pairs)
    return [done[i] for i in range(len(requests))]


def recalls(space: str, questions: Sequence[str]) -> list[Request]:
    """One recall of the usual ten for each question."""
    return [Request("/memory/recall", {"query": question, "space": space}) for question in questions]


def saves(space: str, texts: Sequence[str]) -> list[Request]:
    """One save for each text."""
    return [Request("/memory/save", {"content": text, "space": space}) for text in texts]
