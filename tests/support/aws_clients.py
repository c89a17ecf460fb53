"""Clients of AWS's services at an emulator's address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

import boto3

from tests.contract.table.ministack import REGION

CREDENTIALS = {"AWS_ACCESS_KEY_ID": "000000000000", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": REGION}
"""What a process needs beside the address; the emulator takes such a key's id as the account's number."""


@contextmanager
def clients(endpoint: str) -> Iterator[Callable[[str], Any]]:
    """Gives the client of a service by its name, made at its first use and closed with the context."""
    make: Callable[..., Any] = boto3.client  # its overloads want the service spelled out
    with ExitStack() as stack:

        @cache
        def client(service: str) -> Any:
            made = make(
                service,
                endpoint_url=endpoint,
                region_name=REGION,
                aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
                aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
            )
            stack.callback(made.close)
            return made

        yield client
