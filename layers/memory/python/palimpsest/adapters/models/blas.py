"""The threads of numpy's matrix products."""

from __future__ import annotations

import os


def keep_numpy_to_one_thread() -> None:
    """For the first line of a process, before anything imports numpy; what the environment says already stays.

    Requests run in threads of their own. When each product then starts threads too, they wait for one another: on two
    busy cores that made vectors two to five times slower.
    """
    for variable in ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(variable, "1")
