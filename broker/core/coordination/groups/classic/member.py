"""A member of a classic group, who asks to become one, and what it is told meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from ...machine import Reply


@dataclass(frozen=True, slots=True)
class Client:
    """Who sent a request."""

    client_id: str
    client_host: str
    """Address of the client, without the slash that Kafka writes before it."""
    api_version: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What a member brings along when it joins; replaced as a whole when it joins again."""

    client_id: str
    client_host: str
    """As it is stored and told, with a slash in front."""
    rebalance_timeout_ms: int
    session_timeout_ms: int
    protocols: Mapping[str, bytes]
    """Name -> metadata, in the order that the member prefers."""

    @property
    def weight(self) -> int:
        """About how many bytes of memory they take."""
        protocols = sum(len(name) + len(data) for name, data in self.protocols.items())
        return protocols + len(self.client_id) + len(self.client_host)

    def has_protocols_of(self, other: Terms) -> bool:
        """Whether names, metadata and order are the same, byte for byte (GRP-08)."""
        return list(self.protocols.items()) == list(other.protocols.items())


class Member:
    """One member: its terms, its assignment, and the answers that it waits for."""

    __slots__ = (
        "assignment",
        "expires_ms",
        "instance_id",
        "is_new",
        "joining",
        "member_id",
        "predecessor",
        "syncing",
        "terms",
        "timer_ms",
    )

    def __init__(self, member_id: str, instance_id: str | None, terms: Terms) -> None:
        self.member_id = member_id
        self.instance_id = instance_id
        """The static member that it is (KIP-345); None for a dynamic one."""
        self.terms = terms
        self.assignment = b""
        self.is_new = False
        """It has had no answer to a JoinGroup yet, so it may expire while it waits (GRP-07)."""
        self.predecessor: Member | None = None
        """Whom it took the place of, until the log says so too (GRP-15)."""
        self.joining: Reply[JoinGroupResponse] | None = None
        self.syncing: Reply[SyncGroupResponse] | None = None
        self.expires_ms = 0.0
        """Monotonic time at which its session ends unless it is heard of."""
        self.timer_ms: float | None = None
        """Monotonic time at which its timer goes off; None: it has none."""

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes; its assignment is the leader's affair."""
        return self.terms.weight + len(self.member_id) + len(self.instance_id or "")

    @property
    def is_static(self) -> bool:
        return self.instance_id is not None

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for an answer, so that nothing else can be heard of it."""
        return self.joining is not None or self.syncing is not None

    @property
    def as_written(self) -> Member:
        """The latest one in its place that the log knows of."""
        found = self
        while found.predecessor is not None:
            found = found.predecessor
        return found

    def metadata(self, protocol: str | None) -> bytes:
        """What it says under a protocol; empty if it does not know it."""
        return b"" if protocol is None else self.terms.protocols.get(protocol, b"")
