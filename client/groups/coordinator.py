"""The broker that coordinates a group: found by any broker, remembered until it is another one."""

from __future__ import annotations

import logging
from typing import TypeVar

from barnabas.protocol.connection.client_end import ResponseClass
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.find_coordinator_response import FindCoordinatorResponse

from ..errors import (
    ConnectionFailedError,
    CoordinatorNotAvailableError,
    GroupsNotSupportedError,
    UnsupportedVersionError,
    error_of,
)
from ..wire.cluster import Cluster
from ..wire.metadata import Node
from ..wire.pool import Lane

log = logging.getLogger("barnabas.client")

A = TypeVar("A")
GROUP_KEY = 0
KEYS_SINCE = 4
"""The version of FindCoordinator from which on it is asked for several groups at once."""
VERSION_MAX = 6


class Coordinator:
    """The coordinator of one group."""

    def __init__(self, cluster: Cluster, group_id: str) -> None:
        self._cluster = cluster
        self.group_id = group_id
        self._node: Node | None = None

    async def node(self) -> Node:
        """The broker, asked for if it is not known: one attempt.

        Raises:
            CoordinatorNotAvailableError: there is none right now (retriable).
            GroupAuthorizationError: this user may not know the group.
            GroupsNotSupportedError: the brokers have no coordinators.
        """
        if self._node is None:
            self._node = await self._find()
            log.debug("group %s: the coordinator is %s", self.group_id, self._node)
        return self._node

    def lost(self) -> None:
        """It is another broker now, or does not answer: ask anew."""
        self._node = None

    async def call(
        self,
        request: Message,
        answer: ResponseClass[A],
        *,
        lane: Lane = Lane.OFFSETS,
        timeout_s: float | None = None,
        at_most: int | None = None,
    ) -> A:
        """One request to the coordinator, one attempt.

        Raises:
            ConnectionFailedError: it did not answer; the next call asks who it is.
            GroupsNotSupportedError: it does not serve this request.
        """
        node = await self.node()
        limit_s = self._cluster.request_timeout_s if timeout_s is None else timeout_s
        try:
            connection = await self._cluster.connection(node, lane)
            return await connection.call(request, answer, timeout_s=limit_s, at_most=at_most)
        except ConnectionFailedError:
            self._forget(node)
            raise
        except UnsupportedVersionError as error:
            raise GroupsNotSupportedError(f"group {self.group_id!r}: {error}") from error

    def _forget(self, node: Node) -> None:
        if self._node is node:
            self._node = None

    async def _find(self) -> Node:
        connection = await self._cluster.any_connection()
        try:
            version = connection.version_of(FindCoordinatorRequest, VERSION_MAX)
        except UnsupportedVersionError as error:
            raise GroupsNotSupportedError(
                f"group {self.group_id!r}: the brokers have no group coordinators: {error}"
            ) from error
        request = FindCoordinatorRequest(key_type=GROUP_KEY)
        if version >= KEYS_SINCE:
            request.coordinator_keys = [self.group_id]
        else:
            request.key = self.group_id
        response = await connection.send(
            request, FindCoordinatorResponse, version, self._cluster.request_timeout_s
        )
        return self._node_of(response)

    def _node_of(self, response: FindCoordinatorResponse) -> Node:
        what = f"the coordinator of group {self.group_id!r}"
        code, message = response.error_code, response.error_message
        node = Node(response.node_id, response.host, response.port)
        for each in response.coordinators:
            if each.key == self.group_id:
                code, message = each.error_code, each.error_message
                node = Node(each.node_id, each.host, each.port)
        if code:
            raise error_of(code, f"{what}: {message}" if message else what)
        if node.node_id < 0 or not node.host:
            raise CoordinatorNotAvailableError(what, ErrorCode.COORDINATOR_NOT_AVAILABLE)
        return node
