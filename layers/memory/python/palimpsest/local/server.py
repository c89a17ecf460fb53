"""One machine: the server process from its first line to its last."""

from __future__ import annotations

import logging
import os
import shlex
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from types import FrameType
from typing import TextIO

import uvicorn

from palimpsest import __version__, bootstrap
from palimpsest.bootstrap import Machine
from palimpsest.domain.errors import IndexUnavailable, PalimpsestError
from palimpsest.local import data_folder, listening
from palimpsest.local.asgi import Gateway, HttpFunction
from palimpsest.local.background import Background
from palimpsest.local.exits import Exit, Refusal
from palimpsest.local.failures import described
from palimpsest.local.listening import Address
from palimpsest.local.manifest import Manifest, Trigger, functions_folder, load_handler, read_manifests
from palimpsest.local.uploading import UploadDoor
from palimpsest.settings import SettingError, Settings

_SWITCH_SECONDS = 0.0005
_GRACE_SECONDS = 10
_KEEP_ALIVE_SECONDS = 75
_LESSER_KEY = (
    "PALIMPSEST_KEY is a key that this memory gave out, and no valid owner's key: nobody could come in as the owner; "
    "unset it to serve, or choose another one"
)
_LOG = logging.getLogger(__name__)


def serve(settings: Settings, out: TextIO, *, is_sigterm_forwarded: bool = False) -> Exit:
    """Serve until SIGTERM or SIGINT; a second one ends the process at once.

    Args:
        is_sigterm_forwarded: The parent forwards SIGTERM, as make does. One for the whole group comes twice then, so
            the second is no order to end at once; the third is.

    Raises:
        Refusal: It can't start; the message says what to do.
    """
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    if settings.store != "embedded":
        raise Refusal(Exit.USAGE, "one machine keeps its memory in its own files: unset PALIMPSEST_STORE")
    address = listening.resolve(settings.host, settings.port)
    if not address.is_private and settings.key is None:
        advice = "choose an owner key and set PALIMPSEST_KEY, or unset PALIMPSEST_HOST"
        raise Refusal(Exit.OPEN_NETWORK, f"other machines could reach {settings.host}: {advice}")
    with data_folder.held(settings.data_dir) as ended_in_order, closing(listening.bind(address)) as bound:
        _ensure_key(settings, out)
        machine = _opened(settings)
        if not machine.is_owners(settings.key):
            _close(machine)
            raise Refusal(Exit.USAGE, _LESSER_KEY)
        try:
            ending = _Ending(spare_sigterms=int(is_sigterm_forwarded))
            background = Background(machine, read_manifests(functions_folder()), rechecks_index=not ended_in_order)
            return _run(background, bound, address, ending, lambda url: _greet(settings, url, out))
        finally:
            out.flush()


def _ensure_key(settings: Settings, out: TextIO) -> None:
    if settings.key is None and settings.kept_key() is None:
        key = data_folder.make_key(settings.key_file, epoch_milliseconds=int(time.time() * 1000))
        if out.isatty():
            out.write(f"made an owner key, shown this once and kept in {settings.key_file}:\n{key}\n")
        else:
            out.write(f"made an owner key; it is kept in {settings.key_file}\n")
        out.flush()


def _opened(settings: Settings) -> Machine:
    try:
        machine = bootstrap.local_machine()
        machine.sweep_indexes()
        _prepare_index(machine)
        if machine.apply_ledger(may_begin=settings.ledger_dir is None):
            _LOG.warning("the ledger of erased ids was gone, so a new one began: what was erased may be back")
    except PalimpsestError as error:
        raise Refusal(Exit.STORE, str(error)) from error
    except SettingError as error:
        raise Refusal(Exit.USAGE, str(error)) from error
    return machine


def _prepare_index(machine: Machine) -> None:
    try:
        machine.prepare_index()
    except IndexUnavailable as error:
        _LOG.warning("the search index can't be used, recall will say so: %s", described(error))


def _run(
    background: Background, bound: socket.socket, address: Address, ending: _Ending, greet: Callable[[str], None]
) -> Exit:
    sys.setswitchinterval(_SWITCH_SECONDS)
    pool = ThreadPoolExecutor(bootstrap.settings().threads, thread_name_prefix="handler")
    gateway = Gateway(
        _http_functions(background.manifests),
        pool,
        now=lambda: datetime.now(UTC),
        monotonic=time.monotonic,
        uploads=UploadDoor(lambda: background.machine.wired.service.upload_document, pool),
        answering=background.machine.table.precedence.answering,
    )

    def started() -> None:
        background.start()
        greet(address.url(bound.getsockname()[1]))

    server = _Server(_configured(gateway), started, ending)
    try:
        bound.listen(server.config.backlog)
    except OSError as error:
        raise listening.refusal(address, error) from error
    for number in (signal.SIGTERM, signal.SIGINT):  # uvicorn hands them back when it has ended and we have not
        signal.signal(number, server.handle_exit)
    server.run(sockets=[bound])
    pool.shutdown(wait=False, cancel_futures=True)
    if not background.stop() or gateway.calls:
        os._exit(Exit.OK)  # what still runs would hold the process; what it acknowledged is on the disk
    _close(background.machine)
    return Exit.OK


def _close(machine: Machine) -> None:
    try:
        machine.close()
    except PalimpsestError as error:
        _LOG.warning("the table was not tidied up, which loses nothing: %s", described(error))


def _http_functions(manifests: Sequence[Manifest]) -> list[HttpFunction]:
    return [HttpFunction(each, load_handler(each)) for each in manifests if each.trigger is Trigger.HTTP]


@dataclass
class _Ending:
    """Counts the signals that end this process: the first one gracefully, a later one at once.

    Attributes:
        spare_sigterms: So many that come after the first are echoes of it.
    """

    spare_sigterms: int
    has_begun: bool = False

    def hear(self, number: int) -> None:
        if not self.has_begun:
            self.has_begun = True
        elif number == signal.SIGTERM and self.spare_sigterms > 0:
            self.spare_sigterms -= 1
        else:
            os._exit(128 + number)


class _Server(uvicorn.Server):
    """Says when it accepts connections, and leaves the process's exit code to us."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None], ending: _Ending) -> None:
        super().__init__(config)
        self._started = started
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._started()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._ending.hear(sig)
        self.should_exit = True


def _configured(gateway: Gateway) -> uvicorn.Config:
    return uvicorn.Config(
        gateway,
        http="h11",  # also where a faster parser happens to be installed: what is tested is what runs
        ws="none",
        loop="asyncio",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )


def _greet(settings: Settings, url: str, out: TextIO) -> None:
    is_given = settings.key is not None
    key = "$PALIMPSEST_KEY" if is_given else f"$(cat {shlex.quote(str(settings.key_file))})"
    call = f"curl -s {url}/memory/save -H 'content-type: application/json' -H \"authorization: Bearer {key}\""
    lines = (
        f"Palimpsest {__version__} is at {url}",
        f"data  {settings.data_dir}",
        f"key   {'PALIMPSEST_KEY' if is_given else settings.key_file}",
        f'try   {call} -d \'{{"content": "My first memory"}}\'',
    )
    out.write("\n".join(lines) + "\n")
    out.flush()
