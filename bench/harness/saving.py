"""Memories into a space, and the wait until recall needs nothing but the index."""

from __future__ import annotations

import time
from collections.abc import Sequence

from harness.api import Api, Json
from harness.server import Server

_BATCH = 25
_WAIT_SECONDS, _POLL_SECONDS = 900.0, 0.2


class NotSettled(Exception):
    """The server still embeds or indexes after a quarter of an hour."""


def save_all(server: Server, space: str, drafts: Sequence[Json]) -> list[str]:
    """The root id that each draft is kept under, in order; drafts of the same text share one.

    Returns when all of them have their vectors and are in the index.
    """
    api = server.api()
    roots: list[str] = []
    for at in range(0, len(drafts), _BATCH):
        sent = [draft | {"space": space, "judge": "off"} for draft in drafts[at : at + _BATCH]]
        results = api.post("/memory/batch", {"memories": sent}).document["results"]
        roots += [result["memory"]["root_id"] for result in results]
    _wait_until_settled(server, api, space)
    api.close()
    return roots


def _wait_until_settled(server: Server, owner: Api, space: str) -> None:
    """The status tells the lag of its caller's own space, so a key is made whose own space this is."""
    wanted = {"role": "reader", "default_space": space, "label": "benchmark"}
    made = owner.post("/keys", wanted).document
    reader = Api(server.url, made["secret"])
    deadline = time.monotonic() + _WAIT_SECONDS
    while not _is_settled(reader.get("/status").document["index"]):
        if time.monotonic() > deadline:
            raise NotSettled
        time.sleep(_POLL_SECONDS)
    reader.close()


def _is_settled(index: Json) -> bool:
    return (index["state"], index["pending_embeddings"], index["lag_seconds"]) == ("ready", 0, 0)
