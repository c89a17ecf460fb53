"""The list of exceptions is about tests and backends that there are."""

from __future__ import annotations

from pathlib import Path

from tests.contract.table.conftest import BACKENDS
from tests.contract.table.exceptions import DEVIATIONS

FOLDER = Path(__file__).parent


def test_every_exception_names_a_test_or_module_of_the_suite() -> None:
    modules = list(FOLDER.glob("test_*.py"))
    source = "\n".join(module.read_text() for module in modules)

    unknown = [
        deviation.test
        for deviation in DEVIATIONS
        if f"def {deviation.test}(" not in source and deviation.test not in {module.stem for module in modules}
    ]

    assert unknown == []
    assert {deviation.backend for deviation in DEVIATIONS} <= set(BACKENDS)
    assert all(deviation.reason for deviation in DEVIATIONS)
