"""The work queue in the cloud: Amazon SQS."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from palimpsest.adapters.aws.clients import client
from palimpsest.domain.errors import QueueUnavailable
from palimpsest.ports.work_queue import Work, written

_ATTEMPTS: Final = 3  # a message that is sent twice does no harm
_LONGEST_SECONDS: Final = 900

Send = Callable[..., object]
"""`send_message` of a client of SQS."""


class SqsQueue:
    """The `WorkQueue` port over one standard queue.

    Args:
        url: Of the queue; None for a function that has no business with it, and may not send.
        send: Sends one message; made at the first use from the environment when None.
    """

    def __init__(self, url: str | None, send: Send | None = None) -> None:
        self._url = url
        self._send = send

    def send(self, work: Work, *, after: timedelta = timedelta(0)) -> None:
        """One message; sent again up to twice when no answer came."""
        if self._url is None:
            raise QueueUnavailable("this function knows no work queue (PALIMPSEST_QUEUE_URL); a plan asks for the work")
        seconds = min(max(0, int(after.total_seconds())), _LONGEST_SECONDS)
        try:
            self._sender()(QueueUrl=self._url, MessageBody=written(work), DelaySeconds=seconds)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            raise QueueUnavailable(
                f"the work queue did not take a message ({code}); it is asked again later"
            ) from error
        except BotoCoreError as error:
            raise QueueUnavailable("the work queue can't be reached; it is asked again later") from error

    def _sender(self) -> Send:
        if self._send is None:
            send: Send = client("sqs", attempts=_ATTEMPTS).send_message
            self._send = send
        return self._send
