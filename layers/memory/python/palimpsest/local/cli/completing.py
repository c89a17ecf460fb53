"""Shell completion, generated from the parser."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from dataclasses import dataclass

from palimpsest.local.cli.session import Session, Verb
from palimpsest.local.exits import Exit

SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True, slots=True)
class Option:
    """An option, and the words that may follow it; `takes_value` also without any."""

    name: str
    help: str
    takes_value: bool
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """What may follow the words in `path`: options, and further words with what they mean."""

    path: tuple[str, ...]
    options: tuple[Option, ...]
    words: tuple[tuple[str, str], ...]


def commands(parser: ArgumentParser, path: tuple[str, ...] = ()) -> Iterator[Command]:
    """Every command of a parser, the parser itself first."""
    below = [action for action in parser._actions if isinstance(action, _SubParsersAction)]
    words = [(choice.dest, choice.help or "") for action in below for choice in action._choices_actions]
    words += [(word, "") for action in parser._actions if not action.option_strings for word in _plain(action.choices)]
    options = [
        Option(name, action.help or "", action.nargs != 0, tuple(_plain(action.choices)))
        for action in parser._actions
        for name in action.option_strings
        if name.startswith("--")
    ]
    yield Command(path, tuple(options), tuple(words))
    for action in below:
        for name, child in action.choices.items():
            yield from commands(child, (*path, name))


def script(shell: str, parser: ArgumentParser) -> str:
    """What the shell has to read so that it completes the command line."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](list(commands(parser)))


def _plain(choices: object) -> list[str]:
    return [choice for choice in choices if isinstance(choice, str)] if isinstance(choices, tuple) else []


def _bash(all_commands: list[Command]) -> str:
    return f"""\
# palimpsest, completion for bash: source this, or put it into ~/.local/share/bash-completion/completions/palimpsest
_palimpsest() {{
    local path="" words="" word
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$path/$word" in
            {_paths(all_commands)}) path="$path/$word" ;;
        esac
    done
{_cases(all_commands, "${COMP_WORDS[COMP_CWORD-1]}")}
    COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _palimpsest palimpsest
"""


def _zsh(all_commands: list[Command]) -> str:
    return f"""\
#compdef palimpsest
# palimpsest, completion for zsh: put it as _palimpsest into a folder of $fpath
_palimpsest() {{
    local path_so_far="" words_now="" word
    for word in "${{(@)words[2,CURRENT-1]}}"; do
        case "$path_so_far/$word" in
            ({_paths(all_commands)}) path_so_far="$path_so_far/$word" ;;
        esac
    done
{_cases(all_commands, "${words[CURRENT-1]}").replace("$path", "$path_so_far").replace("words=", "words_now=")}
    if [[ -n "$words_now" ]]; then compadd -- ${{=words_now}}; else _files; fi
}}
compdef _palimpsest palimpsest
"""


def _paths(all_commands: list[Command]) -> str:
    return "|".join("/" + "/".join(command.path) for command in all_commands if command.path)


def _cases(all_commands: list[Command], previous: str) -> str:
    lines = [f'    case "$path {previous}" in']
    for command in all_commands:
        path = "".join(f"/{word}" for word in command.path)
        lines += [
            f'        "{path} {option.name}") words="{" ".join(option.choices)}" ;;'
            for option in command.options
            if option.takes_value
        ]
        words = [word for word, _ in command.words] + [option.name for option in command.options]
        lines.append(f'        "{path} "*) words="{" ".join(words)}" ;;')
    return "\n".join([*lines, "    esac"])


def _fish(all_commands: list[Command]) -> str:
    lines = ["# palimpsest, completion for fish: put it into ~/.config/fish/completions/palimpsest.fish"]
    for command in all_commands:
        here = _fish_condition(command, [word for word, _ in command.words])
        lines += [f"complete -c palimpsest -f {here} -a {word} -d {_quoted(help_)}" for word, help_ in command.words]
        for option in command.options:
            follow = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else " -r" * option.takes_value
            condition = _fish_condition(command, [])
            lines.append(f"complete -c palimpsest {condition} -l {option.name[2:]}{follow} -d {_quoted(option.help)}")
    return "\n".join([*lines, ""])


def _fish_condition(command: Command, words: list[str]) -> str:
    seen = [f"__fish_seen_subcommand_from {word}" for word in command.path] or ["true"]
    seen += [f"not __fish_seen_subcommand_from {' '.join(words)}"] if words else []
    return f"-n {_quoted('; and '.join(seen))}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def _complete(session: Session) -> Exit:
    from palimpsest.local.cli.parser import build_parser  # it lists this verb

    session.screen.out.write(script(session.arguments.shell, build_parser()))
    return Exit.OK


VERBS = (Verb("completion", "print the completion for a shell", _complete, _arguments),)
