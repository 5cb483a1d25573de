"""The part of the admin that is about access control entries."""

from __future__ import annotations

from collections.abc import Sequence

from ..wire.cluster import Cluster
from . import acls as acl_calls
from .acl_values import AclBinding, AclBindingFilter


class AclAdmin:
    """Says who may do what."""

    _cluster: Cluster

    async def create_acls(self, acls: Sequence[AclBinding]) -> None:
        """Give or deny rights; entries that are there already stay as they are.

        Raises:
            BrokerError: an entry is refused (INVALID_REQUEST), the cluster has no authorizer
                (SECURITY_DISABLED), or this client may not do that.
        """
        await acl_calls.create_acls(self._cluster, acls)

    async def describe_acls(self, acl_filter: AclBindingFilter | None = None) -> list[AclBinding]:
        """The entries that a filter finds, or all.

        Raises:
            BrokerError: the cluster has no authorizer, or this client may not do that.
        """
        return await acl_calls.describe_acls(self._cluster, acl_filter or AclBindingFilter())

    async def delete_acls(self, acl_filters: Sequence[AclBindingFilter]) -> list[list[AclBinding]]:
        """Remove the entries that these filters find; what each of them found.

        Raises:
            BrokerError: the cluster has no authorizer, or this client may not do that.
        """
        return await acl_calls.delete_acls(self._cluster, acl_filters)
