"""The part of the admin that is about client quotas."""

from __future__ import annotations

from collections.abc import Mapping

from ..wire.cluster import Cluster
from . import quotas as calls
from .quota_values import QuotaEntity


class QuotaAdmin:
    """Looks at limits of users, clients and addresses, and changes them."""

    _cluster: Cluster

    async def describe_client_quotas(
        self, parts: Mapping[str, str | None] | None = None, *, strict: bool = False
    ) -> dict[QuotaEntity, dict[str, float]]:
        """Limits by entity: all, or those with these types (`user`, `client-id`, `ip`) and names;
        None is the default entity, `ANY_NAME` any. With `strict`, without further types.

        Raises:
            InvalidRequestError: types that do not go together.
            UnsupportedVersionError: a type that there is not.
        """
        return await calls.describe_client_quotas(self._cluster, parts or {}, strict)

    async def alter_client_quotas(
        self,
        changes: Mapping[QuotaEntity, Mapping[str, float | None]],
        *,
        validate_only: bool = False,
    ) -> None:
        """Set limits of entities by key, or remove them (None); each entity's all or none.

        Raises:
            InvalidRequestError: an entity, a key or a value that cannot be.
        """
        await calls.alter_client_quotas(self._cluster, changes, validate_only)
