"""How many examples a slow test of hypothesis looks at."""

from __future__ import annotations

from hypothesis import settings

_USUAL = 100
"""Of a test that says nothing, in hypothesis' own profile."""


def examples(usual: int) -> int:
    """So many in the usual profile, and in another one more or fewer in proportion, as far as that makes any."""
    most = settings().max_examples
    return max(usual * most // _USUAL, min(usual, most))
