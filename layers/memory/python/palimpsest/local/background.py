"""What runs beside the requests on one machine: pumps, schedules, chores, and the model's warm-up."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from palimpsest.bootstrap import Machine
from palimpsest.local.courier import Courier
from palimpsest.local.failures import described
from palimpsest.local.lambda_events import context_of
from palimpsest.local.manifest import LambdaHandler, Manifest, Trigger, load_handler
from palimpsest.local.pump import Pump
from palimpsest.local.scheduler import Chore, Scheduler

_STOP_SECONDS = 5.0
_SECONDS = {"plan": 3.0}
"""Of schedules that run more often here, where a look into the table costs nothing."""
_LOG = logging.getLogger(__name__)


class Background:
    """The threads of one machine. `rechecks_index`: the last server was cut off, so the index may lack a little."""

    def __init__(self, machine: Machine, manifests: Sequence[Manifest], *, rechecks_index: bool) -> None:
        self.machine = machine
        self.manifests = manifests
        self._rechecks_index = rechecks_index
        pumps = [
            Pump(machine.table.stream_reader(each.name), each, load_handler(each), monotonic=time.monotonic)
            for each in manifests
            if each.trigger is Trigger.STREAM
        ]
        gives_way = machine.table.precedence.work_in_background
        couriers = [
            Courier(machine.queues[each.queue], each, load_handler(each), monotonic=time.monotonic, begun=gives_way)
            for each in manifests
            if each.trigger is Trigger.QUEUE
        ]
        machine.given_up.extend(map(_counter, pumps))
        machine.given_up.extend(map(_counter, couriers))
        timed = [scheduled(each, load_handler(each)) for each in manifests if each.trigger is Trigger.SCHEDULE]
        chores = Scheduler([*_chores(machine), *timed], monotonic=time.monotonic)
        self._parts: tuple[Pump | Courier | Scheduler, ...] = (*pumps, *couriers, chores)
        self._warming = threading.Thread(target=self._warm_up, name="warm-up", daemon=True)

    def start(self) -> None:
        """Begin all of it; returns at once."""
        self.machine.resume()
        self._warming.start()
        for each in self._parts:
            each.start()

    def stop(self) -> bool:
        """End all of it; False when something still runs after some seconds."""
        ends = time.monotonic() + _STOP_SECONDS
        for each in self._parts:
            each.ask_to_stop()
        self._warming.join(_STOP_SECONDS)
        return (
            all(each.stop(max(0.0, ends - time.monotonic())) for each in self._parts) and not self._warming.is_alive()
        )

    def _warm_up(self) -> None:
        try:
            self.machine.warm_up()
        except Exception as error:  # noqa: BLE001 - without it the first request waits or is degraded, and says so
            _LOG.warning("the embedding model did not load: %s", described(error))
        if not self._rechecks_index:
            return
        try:
            self.machine.recheck_index()
        except Exception as error:  # noqa: BLE001 - the index may lack something, the table never does
            _LOG.warning("the last entries of the search index were not checked: %s", described(error))


def _counter(part: Pump | Courier) -> Callable[[], int]:
    return lambda: part.given_up


def _chores(machine: Machine) -> list[Chore]:
    def expire() -> bool:
        machine.table.expire(int(time.time()))
        return False

    def checkpoint() -> bool:
        machine.table.checkpoint()
        return False

    return [Chore("expire", expire, 600.0), Chore("checkpoint", checkpoint, 60.0)]


def scheduled(manifest: Manifest, handler: LambdaHandler) -> Chore:
    """A function that EventBridge would call."""

    def call() -> bool:
        handler(_schedule_event(manifest), context_of(manifest, str(uuid.uuid4()), time.monotonic))
        return False

    return Chore(manifest.name, call, _SECONDS.get(manifest.name, float(manifest.every_seconds or 0)))


def _schedule_event(manifest: Manifest) -> dict[str, Any]:
    return {
        "version": "0",
        "id": str(uuid.uuid4()),
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": "000000000000",
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "region": "local",
        "resources": [f"arn:aws:events:local:000000000000:rule/palimpsest-{manifest.name}"],
        "detail": {},
    }
