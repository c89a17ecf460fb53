"""Which documents of an entry a sweep deletes."""

from __future__ import annotations

from collections.abc import Sequence

from palimpsest.adapters.aws.opensearch_cluster import Json
from palimpsest.adapters.aws.opensearch_documents import GONE, MAIN
from palimpsest.adapters.aws.opensearch_hits import newest_of


def useless(held: Sequence[Json], gone_as_of: int | None) -> list[Json]:
    """Of one entry's documents those that no search lets count, now or later.

    A passage without its main document, or newer than that, may have shown before it, so it stays. Of doubles the one
    stays that searches let count.

    Args:
        held: The documents that show.
        gone_as_of: The revision whose head says that the entry has no place; None when it has one.
    """
    if gone_as_of is not None:
        return [hit for hit in held if hit["_source"]["revision"] <= gone_as_of]
    main = newest_of(held)
    if main is None:
        return []
    newest = main["_source"]["revision"]
    kept = {MAIN, GONE}
    found = []
    for hit in sorted(held, key=lambda each: str(each["_id"])):
        revision, passage = hit["_source"]["revision"], hit["_source"]["passage"]
        if revision < newest or (revision == newest and passage in kept and hit["_id"] != main["_id"]):
            found.append(hit)
        elif revision == newest:
            kept.add(passage)
    return found
