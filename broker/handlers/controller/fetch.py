"""Fetch on a controller's listener: voters and brokers read `__cluster_metadata` (595-05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any  # Any: the quorum's answer, or the wait for it

if TYPE_CHECKING:
    from barnabas.protocol.messages.fetch_request import FetchRequest

    from ..context import RequestContext

VERSIONS = (4, 18)


def handle(request: FetchRequest, context: RequestContext) -> Any:
    """The quorum answers, now or when it has something to tell."""
    return context.node.quorum.handle(request, context)
