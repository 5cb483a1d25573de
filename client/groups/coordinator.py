"""The broker that coordinates a group or a transactional id: found by any broker, remembered until
it is another one."""

from __future__ import annotations

import enum
import logging
from typing import TypeVar

from barnabas.protocol.connection.client_end import ResponseClass
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.find_coordinator_response import FindCoordinatorResponse

from ..errors import (
    ConfigurationError,
    ConnectionFailedError,
    CoordinatorNotAvailableError,
    GroupsNotSupportedError,
    TransactionsNotSupportedError,
    UnsupportedVersionError,
    error_of,
)
from ..wire.cluster import Cluster
from ..wire.metadata import Node
from ..wire.pool import Lane

log = logging.getLogger("barnabas.client")

A = TypeVar("A")
KEYS_SINCE = 4
"""The version of FindCoordinator from which on it is asked for several keys at once."""
VERSION_MAX = 6


class CoordinatorOf(enum.IntEnum):
    """What a coordinator is asked for by; numbers as on the wire."""

    GROUP = 0
    TRANSACTION = 1

    @property
    def noun(self) -> str:
        """For texts."""
        return "group" if self is CoordinatorOf.GROUP else "transactional id"


class Coordinator:
    """The coordinator of one group, or of one transactional id."""

    def __init__(
        self, cluster: Cluster, key: str, kind: CoordinatorOf = CoordinatorOf.GROUP
    ) -> None:
        self._cluster = cluster
        self._kind = kind
        self.key = key
        self._node: Node | None = None

    def __str__(self) -> str:
        return f"{self._kind.noun} {self.key!r}"

    async def node(self) -> Node:
        """The broker, asked for if it is not known: one attempt.

        Raises:
            CoordinatorNotAvailableError: there is none right now (retriable).
            GroupAuthorizationError, TransactionalIdAuthorizationError: this user may not know.
            GroupsNotSupportedError, TransactionsNotSupportedError: there are no coordinators.
        """
        if self._node is None:
            self._node = await self._find()
            log.debug("%s: the coordinator is %s", self, self._node)
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
        at_least: int = 0,
        at_most: int | None = None,
    ) -> A:
        """One request to the coordinator, one attempt, in a version of these.

        Raises:
            ConnectionFailedError: it did not answer; the next call asks who it is.
            GroupsNotSupportedError, TransactionsNotSupportedError: it does not serve this.
        """
        node = await self.node()
        limit_s = self._cluster.request_timeout_s if timeout_s is None else timeout_s
        try:
            connection = await self._cluster.connection(node, lane)
            version = connection.version_of(request, at_most)
            if version < at_least:
                name = request.NAME.removesuffix("Request")
                raise UnsupportedVersionError(
                    f"{node} serves {name} up to version {version}; {at_least} is needed"
                )
            return await connection.send(request, answer, version, limit_s)
        except ConnectionFailedError:
            self._forget(node)
            raise
        except UnsupportedVersionError as error:
            raise self._unsupported(str(error)) from error

    def _unsupported(self, why: str) -> ConfigurationError:
        if self._kind is CoordinatorOf.TRANSACTION:
            return TransactionsNotSupportedError(f"{self}: {why}")
        return GroupsNotSupportedError(f"{self}: {why}")

    def _forget(self, node: Node) -> None:
        if self._node is node:
            self._node = None

    async def _find(self) -> Node:
        connection = await self._cluster.any_connection()
        try:
            version = connection.version_of(FindCoordinatorRequest, VERSION_MAX)
        except UnsupportedVersionError as error:
            raise self._unsupported(f"the brokers have no coordinators: {error}") from error
        request = FindCoordinatorRequest(key_type=int(self._kind))
        if version >= KEYS_SINCE:
            request.coordinator_keys = [self.key]
        else:
            request.key = self.key
        response = await connection.send(
            request, FindCoordinatorResponse, version, self._cluster.request_timeout_s
        )
        return self._node_of(response)

    def _node_of(self, response: FindCoordinatorResponse) -> Node:
        what = f"the coordinator of {self}"
        code, message = response.error_code, response.error_message
        node = Node(response.node_id, response.host, response.port)
        for each in response.coordinators:
            if each.key == self.key:
                code, message = each.error_code, each.error_message
                node = Node(each.node_id, each.host, each.port)
        if code:
            raise error_of(code, f"{what}: {message}" if message else what)
        if node.node_id < 0 or not node.host:
            raise CoordinatorNotAvailableError(what, ErrorCode.COORDINATOR_NOT_AVAILABLE)
        return node
