"""Whether a JoinGroup may be heard, and what its sender brings along."""

from __future__ import annotations

import uuid
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.join_group_request import JoinGroupRequest

from ....config.broker import BrokerConfig
from ....ports import Env
from .classic_group import ClassicGroup
from .member import Client, Member, Terms
from .states import GroupState

_IDS_BEFOREHAND_SINCE: Final = 4
"""From this version on a dynamic member must come back with an id (KIP-394)."""

PROTOCOLS_MAX: Final = 1_000
"""Ways of assigning that one member may offer; clients offer a few, and each of them costs."""

ID_CHARACTERS_MAX: Final = 255
"""Of a client id or instance id, in the member id that is made of it."""


def check_join(request: JoinGroupRequest, config: BrokerConfig) -> None:
    """Raise KafkaError for what is wrong whatever the group is like, in this order (GRP-01)."""
    if not request.group_id:
        raise KafkaError(ErrorCode.INVALID_GROUP_ID)
    if len(request.protocols) > PROTOCOLS_MAX:
        raise KafkaError(
            ErrorCode.INCONSISTENT_GROUP_PROTOCOL,
            f"{len(request.protocols)} protocols, at most {PROTOCOLS_MAX}",
        )
    low, high = config.group_min_session_timeout_ms, config.group_max_session_timeout_ms
    if not low <= request.session_timeout_ms <= high:
        raise KafkaError(ErrorCode.INVALID_SESSION_TIMEOUT)


def terms_of(request: JoinGroupRequest, client: Client) -> Terms:
    """What the member brings along; without a rebalance timeout the session's counts (GRP-10)."""
    rebalance_ms = request.rebalance_timeout_ms
    return Terms(
        client.client_id,
        f"/{client.client_host}",
        rebalance_ms
        if client.api_version > 0 and rebalance_ms >= 0
        else request.session_timeout_ms,
        request.session_timeout_ms,
        {one.name: one.metadata for one in request.protocols},
    )


def needs_id(request: JoinGroupRequest, client: Client) -> bool:
    """Whether the member is given an id first, and must come back with it (GRP-05)."""
    is_new = not request.member_id and request.group_instance_id is None
    return is_new and client.api_version >= _IDS_BEFOREHAND_SINCE


def new_member_id(request: JoinGroupRequest, client: Client, env: Env) -> str:
    """An id for a member: its instance id or client id, and a number that nobody has (GRP-05)."""
    instance_id = request.group_instance_id
    prefix = client.client_id if instance_id is None else instance_id
    bits = env.random.getrandbits(128)
    return f"{prefix[:ID_CHARACTERS_MAX]}-{uuid.UUID(int=bits, version=4)}"


def check_protocols(group: ClassicGroup | None, protocol_type: str, terms: Terms) -> None:
    """Raise KafkaError 23 if the member has no protocol in common with the group (GRP-04)."""
    if group is None or group.state is GroupState.EMPTY:
        fits = bool(protocol_type) and bool(terms.protocols)
    else:
        fits = protocol_type == group.protocol_type
        fits = fits and group.roster.shared.fit(terms.protocols, len(group.roster))
    if not fits:
        raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)


def has_room(group: ClassicGroup, request: JoinGroupRequest, terms: Terms, size_max: int) -> bool:
    """Whether the group takes the one who joins, known or not (GRP-03).

    A static member that comes back is a known one. While members join, those who wait are
    counted, since it is they who will be the next generation.
    """
    roster = group.roster
    member = roster.get(request.member_id)
    if member is None and request.group_instance_id is not None and not request.member_id:
        member = roster.get(roster.static_id(request.group_instance_id) or "")
    if not roster.has_room_for(_weight_of(request, terms), member):
        return False
    if group.state is GroupState.EMPTY:
        return True
    if group.state is GroupState.PREPARING:
        is_waiting = member is not None and member.joining is not None
        return is_waiting or roster.joining_count < size_max
    return member is not None or len(roster) < size_max


def _weight_of(request: JoinGroupRequest, terms: Terms) -> int:
    """What the one who joins will weigh; an id that it is given yet is short."""
    return Member(request.member_id, request.group_instance_id, terms).weight
