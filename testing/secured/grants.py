"""What the application user of a secured cluster may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from barnabas.client import (
    AclBinding,
    AclOperation,
    AclPatternType,
    AclPermission,
    AclResourceType,
    Admin,
)

from .client_files import python_options
from .folder import ADMIN, APPLICATION

if TYPE_CHECKING:
    from .folder import SecurityFolder

PREFIX: Final = "app-"
"""Topics, groups and transactional ids whose names begin so are the application user's own."""

_KINDS: Final = (AclResourceType.TOPIC, AclResourceType.GROUP, AclResourceType.TRANSACTIONAL_ID)


async def grant(folder: SecurityFolder) -> None:
    """Let the application user do everything with what has its prefix; once for each cluster.

    Raises ClientError: the cluster takes no entries now.
    """
    if folder.has_granted:
        return
    entries = [
        AclBinding(
            kind,
            PREFIX,
            f"User:{APPLICATION}",
            AclOperation.ALL,
            AclPermission.ALLOW,
            AclPatternType.PREFIXED,
            "*",
        )
        for kind in _KINDS
    ]
    async with Admin(**python_options(folder.access_of(ADMIN))) as admin:
        await admin.create_acls(entries)
    folder.note_granted()
