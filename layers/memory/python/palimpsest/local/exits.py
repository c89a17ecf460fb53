"""How the command line ends: exit codes that scripts can rely on."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes; `MEANINGS` says what each stands for."""

    OK = 0
    UNEXPECTED = 1
    USAGE = 2
    UNREACHABLE = 3
    UNAUTHORISED = 4
    NOT_FOUND = 5
    CONFLICT = 6
    REFUSED = 7
    BUSY = 8
    WAITS = 9
    PORT = 10
    DATA_FOLDER = 11
    SECOND_SERVER = 12
    OPEN_NETWORK = 13
    STORE = 14
    INTERRUPTED = 130


MEANINGS: dict[Exit, str] = {
    Exit.OK: "done",
    Exit.UNEXPECTED: "something unforeseen went wrong, here or in the server",
    Exit.USAGE: "the command line or a setting can't mean anything",
    Exit.UNREACHABLE: "no server answers at the URL, or not in time",
    Exit.UNAUTHORISED: "there is no key, a wrong one, or one that may not do this",
    Exit.NOT_FOUND: "there is no such memory or key that the key may see",
    Exit.CONFLICT: "the state of things does not allow it, or another writer was faster",
    Exit.REFUSED: "the server refuses what was sent, or can't read it",
    Exit.BUSY: "the server can't do it now; try again later",
    Exit.WAITS: "nothing is changed yet: the run waits for the approval of an owner",
    Exit.PORT: "`serve`: the address or the port can't be used",
    Exit.DATA_FOLDER: "`serve`: the data folder can't be used",
    Exit.SECOND_SERVER: "`serve`: another server uses the data folder",
    Exit.OPEN_NETWORK: "`serve`: other machines could reach it, and the key was not chosen by you",
    Exit.STORE: "`serve`: what is stored in the data folder can't be opened",
    Exit.INTERRUPTED: "interrupted from the keyboard",
}


class Refusal(Exception):
    """A command can't be done; ``str()`` is one line for a person.

    Attributes:
        code: What the process ends with.
    """

    def __init__(self, code: Exit, message: str) -> None:
        super().__init__(message)
        self.code = code
