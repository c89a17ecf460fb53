"""What saves and updates share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field

from palimpsest.api.wire.fields import Name, Request
from palimpsest.domain.source import Trust
from palimpsest.usecases.requests import SourceClaim

_MOST_IMPORTANT = 10.0

VersionNumber: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=999_999_999)]
Importance: TypeAlias = Annotated[float, Field(strict=True, ge=0, le=_MOST_IMPORTANT, allow_inf_nan=False)]


class SourceRequest(Request):
    """Where a statement comes from. `trust` can lower what the agent and the key allow, never raise it."""

    agent: Name = "api"
    session: Name | None = None
    channel: Name | None = None
    trust: Trust | None = None

    def to_claim(self) -> SourceClaim:
        """The same for the core."""
        return SourceClaim(self.agent, self.session, self.channel, self.trust)
