"""The part of the admin that is about users of SCRAM."""

from __future__ import annotations

from collections.abc import Sequence

from ..wire.cluster import Cluster
from . import users as calls
from .user_values import ScramAlteration


class UserAdmin:
    """Looks at who can log in by SCRAM, and changes it."""

    _cluster: Cluster

    async def describe_user_scram_credentials(
        self, users: Sequence[str] | None = None
    ) -> dict[str, dict[str, int]]:
        """Iterations by mechanism, by user: of these users, or of all that there are.

        Raises:
            ResourceNotFoundError: one of them has no credential.
            DuplicateResourceError: one is named twice.
        """
        return await calls.describe_user_scram_credentials(self._cluster, users)

    async def alter_user_scram_credentials(self, alterations: Sequence[ScramAlteration]) -> None:
        """Set passwords of users, or take credentials away; one change of each user at a time.

        Raises:
            DuplicateResourceError: two changes of one user.
            ResourceNotFoundError: there is nothing to take away.
            UnacceptableCredentialError: iterations out of bounds, or no name.
            ConfigurationError: an empty password, or a mechanism that is none; nothing was sent.
        """
        await calls.alter_user_scram_credentials(self._cluster, alterations)
