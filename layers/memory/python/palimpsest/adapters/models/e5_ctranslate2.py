"""multilingual-e5-small in CTranslate2: the fast engine, where its package has a wheel."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from palimpsest.adapters.models.e5_model_folder import ConversionFailed, prepared_folder
from palimpsest.adapters.models.e5_weights import Weights
from palimpsest.ports.embedder import Vector

if TYPE_CHECKING:
    import ctranslate2


class NotAvailable(Exception):
    """CTranslate2 can't run the model here; the message says why."""


def open_states(weights: Weights, cache: Path, *, workers: int) -> CTranslate2States:
    """The engine over the model in `cache`, which is made from `weights` if it is not there.

    Raises:
        NotAvailable: The package is missing, or the model can't be made or opened.
    """
    try:
        import ctranslate2
    except (ImportError, OSError) as error:
        raise NotAvailable(f"the package ctranslate2 can't be used: {error}") from error
    try:
        states = CTranslate2States(prepared_folder(weights.path, cache, ctranslate2.__version__), workers=workers)
        states([[weights.tokens.begin, weights.tokens.end]])
    except (ConversionFailed, RuntimeError, ValueError) as error:
        raise NotAvailable(str(error)) from error
    return states


class CTranslate2States:
    """The engine over a converted model in `folder`, with `workers` threads of its own.

    A child after ``fork`` has none of those threads, so it opens the model again when it first needs it.
    """

    def __init__(self, folder: Path, *, workers: int) -> None:
        self._folder = folder
        self._workers = workers
        self._opening = threading.Lock()
        self._encoder: ctranslate2.Encoder | None = self._open()
        this = weakref.WeakMethod(self._forget_parent)
        os.register_at_fork(after_in_child=lambda: (method := this()) and method())

    def __call__(self, windows: Sequence[Sequence[int]]) -> list[Vector]:
        """The last layer's state of each token, for each window of tokens: (tokens, width)."""
        encoder = self._encoder or self._open_again()
        output = encoder.forward_batch([list(window) for window in windows])
        states = np.asarray(output.last_hidden_state)
        return [states[i, : len(window)] for i, window in enumerate(windows)]

    def _open(self) -> ctranslate2.Encoder:
        import ctranslate2

        return ctranslate2.Encoder(
            str(self._folder), device="cpu", compute_type="int8", inter_threads=self._workers, intra_threads=1
        )

    def _open_again(self) -> ctranslate2.Encoder:
        with self._opening:
            if self._encoder is None:
                self._encoder = self._open()
            return self._encoder

    def _forget_parent(self) -> None:
        # To destroy the parent's encoder would wait forever for threads that are not here, so it must never be.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._encoder))
        self._encoder = None
        self._opening = threading.Lock()
