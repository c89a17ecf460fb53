"""The command line as argparse sees it."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter

from palimpsest import __version__
from palimpsest.local.cli import (
    adding,
    benching,
    completing,
    conflicts,
    entities,
    erasing,
    figures,
    graphing,
    keys,
    library,
    lineage,
    operating,
    rating,
    reading,
    running,
    spaces,
    supplying,
    vocabulary,
    writing,
)
from palimpsest.local.cli.session import Verb
from palimpsest.local.exits import MEANINGS

VERBS = (
    writing.VERBS
    + running.VERBS
    + erasing.VERBS
    + reading.VERBS
    + supplying.VERBS
    + rating.VERBS
    + lineage.VERBS
    + adding.VERBS
    + library.VERBS
    + vocabulary.VERBS
    + entities.VERBS
    + graphing.VERBS
    + conflicts.VERBS
    + spaces.VERBS
    + keys.VERBS
    + figures.VERBS
    + operating.VERBS
    + benching.VERBS
    + completing.VERBS
)

DESCRIPTION = "A long-term memory for AI agents that never overwrites."
_ENDING = """\
Without options it talks to the server of this machine and uses the key in its data folder.
PALIMPSEST_URL and PALIMPSEST_KEY name another server and key.

exit codes:
"""


def build_parser() -> ArgumentParser:
    """The whole command line; what was parsed has the `Verb` as ``verb``."""
    parser = ArgumentParser(
        prog="palimpsest",
        description=DESCRIPTION,
        epilog=_ENDING + _codes(),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"palimpsest {__version__}")
    add_global_options(parser)
    parser.set_defaults(url=None, key=None, space=None, json=False, timeout=60.0)
    _add_verbs(parser, VERBS, "command")
    return parser


def add_global_options(parser: ArgumentParser) -> None:
    """What may stand before or after a verb."""
    parser.add_argument("--url", default=SUPPRESS, metavar="URL", help="the server; the one of this machine by default")
    parser.add_argument(
        "--key",
        default=SUPPRESS,
        metavar="KEY",
        help="the key; other users of this machine see it in the process list, so prefer PALIMPSEST_KEY",
    )
    parser.add_argument("--space", default=SUPPRESS, metavar="NAME", help="the space; the key's own by default")
    parser.add_argument("--json", action="store_true", default=SUPPRESS, help="print the answer as one line of JSON")
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=SUPPRESS,
        metavar="SECONDS",
        help="wait so long for an answer; 60 by default",
    )


def _add_verbs(parser: ArgumentParser, verbs: tuple[Verb, ...], title: str, *, is_required: bool = True) -> None:
    choices = parser.add_subparsers(title="commands", metavar=title, required=is_required)
    for verb in verbs:
        below = choices.add_parser(verb.name, help=verb.help, description=f"{verb.help[0].upper()}{verb.help[1:]}.")
        if verb.parts:
            meant = [each for each in verb.parts if each.name == verb.bare]
            _add_verbs(below, verb.parts, "part", is_required=not meant)
            if meant:
                add_global_options(below)
                below.set_defaults(verb=meant[0])
            continue
        if verb.arguments is not None:
            verb.arguments(below)
        add_global_options(below.add_argument_group("everywhere"))  # type: ignore[arg-type]  # a group adds alike
        below.set_defaults(verb=verb)


def _codes() -> str:
    return "\n".join(f"  {int(code):<3}  {meaning}" for code, meaning in MEANINGS.items())


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= 3600.0:
        raise ArgumentTypeError(f"{text!r} is no number of seconds up to 3600")
    return seconds
