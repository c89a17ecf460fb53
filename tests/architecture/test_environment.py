"""The environment is read in one place, and importing a module defines things and does nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tests.architecture import tree

SETTINGS = "layers/memory/python/palimpsest/settings.py"


def test_only_settings_reads_the_environment() -> None:
    readers = {
        module.path for module in tree.runtime() if module.path != SETTINGS and _reads_environment(module.syntax)
    }

    assert readers == set()


def test_importing_a_module_only_defines_things() -> None:
    script = Path(__file__).with_name("import_everything.py")

    done = subprocess.run([sys.executable, script, tree.ROOT], capture_output=True, text=True, timeout=120, check=False)

    assert done.stdout.splitlines() == [], done.stderr
    assert done.returncode == 0, done.stderr


def _reads_environment(syntax: ast.Module) -> bool:
    return any(
        (isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb"))
        or (isinstance(node, ast.alias) and node.name in ("environ", "getenv", "environb"))
        for node in ast.walk(syntax)
    )
