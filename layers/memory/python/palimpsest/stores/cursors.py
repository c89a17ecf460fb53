"""Opaque cursors, bound to the query and to the key that asked."""

from __future__ import annotations

import base64
import binascii
import hmac
from dataclasses import dataclass

from palimpsest.domain.errors import CursorRefused
from palimpsest.stores.deployment import Deployment


@dataclass(frozen=True, slots=True)
class Cursors:
    """Seals a place in a list so that only the same query by the same key can go on from it."""

    deployment: Deployment

    def seal(self, place: str, *bound_to: str) -> str:
        """The cursor for `place`; `bound_to` names the query and the key."""
        sealed = self.deployment.mac("cursor", place, *bound_to) + place
        return base64.urlsafe_b64encode(sealed.encode()).decode().rstrip("=")

    def open(self, cursor: str, *bound_to: str) -> str:
        """The place in `cursor`; CursorRefused unless `seal` made it for the same query and key."""
        try:
            sealed = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
        except (ValueError, binascii.Error) as error:
            raise CursorRefused from error
        mac, place = sealed[:32], sealed[32:]
        if not hmac.compare_digest(mac.encode(), self.deployment.mac("cursor", place, *bound_to).encode()):
            raise CursorRefused
        return place
