"""Makes the search index equal to the beliefs that the table's stream names."""

from __future__ import annotations

from typing import Any

from palimpsest import bootstrap
from palimpsest.ports.table import Key


def lambda_handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """Index what the records announce; those that could not be indexed are named, so that they come again."""
    changes = [record["dynamodb"] for record in event["Records"] if record["eventName"] != "REMOVE"]
    rows = {change["SequenceNumber"]: Key(change["Keys"]["pk"]["S"], change["Keys"]["sk"]["S"]) for change in changes}
    failed = set(bootstrap.index_changes()(list(rows.values())))
    return {"batchItemFailures": [{"itemIdentifier": number} for number, key in rows.items() if key in failed]}
