"""Failures as they may be logged: their type and place, never their message, which may hold somebody's text."""

from __future__ import annotations

import traceback
from pathlib import Path


def described(error: BaseException) -> str:
    """Such as ``KeyError at recall.py:31``; the causes follow after ``<-``."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    cause = error.__cause__
    return f"{type(error).__name__}{place}" + (f" <- {described(cause)}" if cause is not None else "")
