"""docs/cli.md, as the parser has it: ``python -m tests.support.cli_page > docs/cli.md``."""

from __future__ import annotations

import sys
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator

from palimpsest.local.cli.parser import build_parser
from palimpsest.local.exits import MEANINGS

_HEAD = """\
# The command line

`palimpsest` is a client of the HTTP API; `palimpsest serve` is the server of one machine. On that machine no option is
needed: the address and the key come from the settings and the data folder. For another server set `PALIMPSEST_URL` and
`PALIMPSEST_KEY`. The key in the data folder is never sent to another machine.
In a checkout it is `.venv/bin/palimpsest` after the first `make serve`. `PALIMPSEST_PORT` says on which port of this
machine the server is, for `serve` and for the client.

```sh
palimpsest save "Marta prefers tea in the morning" --type preference --tag marta
palimpsest recall "what does Marta drink?"
git log -1 --format=%B | palimpsest save - --type episode
palimpsest recall "deploys" --json | jq '.results[].memory.content'
palimpsest completion bash > ~/.local/share/bash-completion/completions/palimpsest
```

On a terminal answers are tables and wrapped text that fit its width; elsewhere each row is one line. `--json` prints
the API's answer as one line of JSON; `list --all` and `save --lines` print one for each page or batch. Errors go to the
standard error. Control characters in what was stored are replaced in tables and text, and come as they are with
`--json`. There is no colour where `NO_COLOR` is set.

Most answers of a list are pages: `--cursor` goes on where one ended, with the same filters.

"""


def page() -> str:
    """The whole page."""
    parser = build_parser()
    verbs = "\n".join(_command(parser, ()))
    codes = "\n".join(f"| {int(code)} | {meaning} |" for code, meaning in MEANINGS.items())
    everywhere = _table(action for action in parser._actions if action.option_strings)
    return (
        f"{_HEAD}## Exit codes\n\n| code | meaning |\n|---|---|\n{codes}\n\n"
        f"## Options of every command\n\nBefore or after the command.\n\n{everywhere}\n{verbs}"
    )


def _command(parser: ArgumentParser, path: tuple[str, ...]) -> Iterator[str]:
    below = [action for action in parser._actions if isinstance(action, _SubParsersAction)]
    if path:
        yield f"## {' '.join(path)}\n\n{parser.description}\n"
        own = [action for action in parser._actions if action not in below and not _is_general(action)]
        if own:
            yield _table(own)
    for choices in below:
        for name, child in choices.choices.items():
            yield from _command(child, (*path, name))


def _is_general(action: Action) -> bool:
    return bool({"--help", "--url", "--key", "--space", "--json", "--timeout"} & set(action.option_strings))


def _table(actions: Iterator[Action] | list[Action]) -> str:
    rows = [f"| {_name(action)} | {action.help} |" for action in actions]
    return "\n".join(["| argument | meaning |", "|---|---|", *rows, ""])


def _name(action: Action) -> str:
    words = "\\|".join(map(str, action.choices)) if action.choices else action.metavar
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`" + (f": {words}" if action.choices else "")
    option = action.option_strings[-1]
    return f"`{option}`" if action.nargs == 0 else f"`{option}` {words or action.dest.upper()}"


if __name__ == "__main__":
    sys.stdout.write(page())
