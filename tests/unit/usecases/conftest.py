from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import conflicting
from tests.support.conflicting import Towns
from tests.support.installation import Installation, install


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Installation]:
    """An installation whose index hears nothing unless the test rings."""
    installation = install(tmp_path)
    yield installation
    installation.sqlite.close()


@pytest.fixture
def towns(memory: Installation) -> Towns:
    """Two beliefs in conflict: Ola lives in Gdańsk, Ola lives in Kraków."""
    return conflicting.begin(memory)
