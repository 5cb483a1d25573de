"""Who pays for changes of topics: the client that asks, wherever it is decided (KIP-599)."""

from __future__ import annotations

from ..core.quotas.mutations import MutationCharge
from ..core.security.principal import USER
from .context import NodeContext


def charge_of(context: NodeContext, *, strict_since: int | None) -> MutationCharge | None:
    """The client of this request; None for the node itself.

    From version `strict_since` of the API on, if any, what is over the quota is refused (QTA-15).
    """
    principal = context.principal
    if principal.kind != USER:
        return None
    is_strict = strict_since is not None and context.api_version >= strict_since
    return MutationCharge(principal.name, context.header.client_id or "", is_strict=is_strict)


def throttle_of(charge: MutationCharge | None) -> int:
    """For how long the client must wait now that it was decided, in ms."""
    return 0 if charge is None else charge.throttle_ms
