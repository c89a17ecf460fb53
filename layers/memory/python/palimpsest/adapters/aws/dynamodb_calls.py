"""Calls to DynamoDB that are tried again when that is safe, a little later each time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from palimpsest.adapters.aws.dynamodb_errors import judge
from palimpsest.domain.errors import TableThrottled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Part = TypeVar("Part")


def dynamodb_client(region: str | None = None, endpoint: str | None = None) -> DynamoDBClient:
    """A client that never tries again by itself: `Calls` knows better what may be repeated."""
    config = Config(
        connect_timeout=1,
        read_timeout=3,
        retries={"total_max_attempts": 1},
        max_pool_connections=32,
        tcp_keepalive=True,
    )
    return boto3.client("dynamodb", region_name=region, endpoint_url=endpoint, config=config)


@dataclass(frozen=True, slots=True)
class Backoff:
    """When to try again, and when to give up. Full jitter: each pause is random, from nothing to a bound that doubles.

    Attributes:
        attempts: At most so many, the first included.
        give_up_seconds: No attempt begins later than so long after the first.
    """

    attempts: int = 8
    first_seconds: float = 0.025
    longest_seconds: float = 1.0
    give_up_seconds: float = 10.0
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random

    def tries(self) -> Iterator[bool]:
        """For each attempt whether it is the last one; pauses between them."""
        deadline = time.monotonic() + self.give_up_seconds
        for attempt in range(1, self.attempts + 1):
            is_last = attempt == self.attempts or time.monotonic() > deadline
            yield is_last
            if is_last:
                return
            self.sleep(self.chance() * min(self.longest_seconds, self.first_seconds * 2 ** (attempt - 1)))


@dataclass(frozen=True, slots=True)
class Calls:
    """Sends requests, and says what went wrong in the domain's words."""

    backoff: Backoff

    def send(
        self, operation: Callable[..., Mapping[str, Any]], request: Mapping[str, Any], *, repeatable: bool = True
    ) -> Mapping[str, Any]:
        """The answer, after as many attempts as it takes.

        Args:
            operation: A method of the client.
            request: Its arguments.
            repeatable: Whether doing it twice is harmless, so that it may be sent again when its answer was lost.

        Raises:
            TableError: What the last attempt came to.
            RequestRefused: DynamoDB has no such request.
        """
        for is_last in self.backoff.tries():
            try:
                return operation(**request)
            except (ClientError, BotoCoreError) as error:
                verdict = judge(error)
                if is_last or not verdict.allows(repeatable=repeatable):
                    raise verdict.error from error
        raise TableThrottled  # no attempt was allowed

    def send_all(self, send: Callable[[list[Part]], list[Part]], parts: list[Part]) -> None:
        """Send what is left over until nothing is.

        Args:
            send: Sends some and gives back those that were not done.
            parts: What to begin with.

        Raises:
            TableThrottled: A whole series of attempts did nothing more.
        """
        while True:
            before = len(parts)
            for _ in self.backoff.tries():
                parts = send(parts)
                if not parts:
                    return
            if len(parts) == before:
                raise TableThrottled
