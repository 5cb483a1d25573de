"""A node that leaves finds out whether anybody is left who could decide: by refused connections."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.broker.server.lifecycle.voters_left import VotersLeft
from barnabas.broker.storage.files import real_env
from barnabas.testing.cluster_layout import free_ports

from .servers import controllers

OWN_ID = 1
Address = tuple[str, int]


def looking_for(voters: Sequence[int], addresses: dict[int, Address]) -> VotersLeft:
    """As node 1 of a quorum with these voters."""
    raft: Any = SimpleNamespace(
        replica_key=SimpleNamespace(node_id=OWN_ID),
        voters=SimpleNamespace(members=[SimpleNamespace(voter_id=one) for one in voters]),
        address_of=addresses.get,
    )
    return VotersLeft(raft, real_env().clock)


@pytest.mark.parametrize(
    ("voters", "is_gone"),
    [
        ((OWN_ID, 2), False),  # 2 lives
        ((OWN_ID, 3), True),  # two voters decide together or not at all
        ((OWN_ID, 2, 3), False),  # this node and 2
        ((OWN_ID, 3, 4), True),
        ((2, 3, 4), True),  # this node has no vote
        ((OWN_ID, 5), False),  # where 5 is, nobody knows: that proves nothing
        ((OWN_ID,), False),
    ],
)
async def test_who_refuses_connections_is_gone(voters: tuple[int, ...], *, is_gone: bool) -> None:
    """595-03: decisions take a majority of the voters; 2 listens, 3 and 4 do not run."""
    async with controllers() as (living,):
        addresses = {2: living.address}
        for gone in (3, 4):
            addresses[gone] = ("127.0.0.1", free_ports(1)[0])
        assert await looking_for(voters, addresses).is_majority_gone() is is_gone
