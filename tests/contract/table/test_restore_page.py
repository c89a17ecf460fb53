"""The copy that docs/operate/restore.md describes takes every item along, as it is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

from palimpsest.adapters.aws.dynamodb import DynamoTable
from palimpsest.adapters.aws.dynamodb_schema import create_table_request
from palimpsest.ports.table import Item, Put
from tests.architecture.tree import ROOT
from tests.contract.table.ministack import REGION

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PROGRAM = re.compile(r"^   ```python\n(.*?)^   ```$", re.MULTILINE | re.DOTALL)


def test_the_copy_of_the_page_takes_every_item_along(ministack_client: DynamoDBClient, ministack_endpoint: str) -> None:
    (program,) = PROGRAM.findall((ROOT / "docs/operate/restore.md").read_text("utf-8"))
    names = ["restored-source", "restored-target"]
    for name in names:
        ministack_client.create_table(**create_table_request(name))
    source, target = (DynamoTable(ministack_client, name) for name in names)
    items: list[Item] = [
        {"pk": f"M#{n}", "sk": "H", "_v": 1, "g1pk": "S", "g1sk": f"{n}", "blob": bytes([n]), "tags": ["ł", {"n": n}]}
        for n in range(40)
    ]
    source.write_batch([Put(item) for item in items])

    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), *names],
        env={
            **os.environ,
            "AWS_ENDPOINT_URL": ministack_endpoint,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "PYTHONPATH": str(ROOT / "layers/memory/python"),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert told.stdout == "40 items\n"
    assert sorted(target.scan().items, key=lambda item: int(str(item["g1sk"]))) == items
