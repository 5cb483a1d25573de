"""ListGroups and DeleteGroups, over the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.raw_client import RawClient

from barnabas.protocol.messages.delete_groups_request import DeleteGroupsRequest
from barnabas.protocol.messages.list_groups_request import ListGroupsRequest

from .groups import commit, fetched, find, loaded
from .nodes import create, serving


async def listed(client: RawClient, version: int = 5, **filters: Any) -> list[tuple[str, ...]]:
    answer = await client.ask(ListGroupsRequest(**filters), version)
    assert answer.error_code == 0
    return sorted(
        (one.group_id, one.protocol_type, one.group_state, one.group_type) for one in answer.groups
    )


@pytest.mark.parametrize("version", range(6))
async def test_groups_are_listed(tmp_path: Path, version: int) -> None:
    """Groups that only have offsets are classic, empty and of no type (GRP-26, GRP-27)."""
    async with serving(tmp_path) as (_, client):
        assert await listed(client, version) == []
        await create(client, "t")
        await find(client)
        for group in ("a", "b", "c", "d"):
            await commit(client, {("t", 0): 1}, group)
        state, kind = "Empty" * (version >= 4), "classic" * (version >= 5)
        assert await listed(client, version) == [(one, "", state, kind) for one in "abcd"]


async def test_filters_are_case_blind(tmp_path: Path) -> None:
    """Blanks do not count; an unknown state or type matches nothing (GRP-27)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t")
        await find(client)
        await commit(client, {("t", 0): 1}, "a")
        assert len(await listed(client, states_filter=[" eMPTY ", "Stable"])) == 1
        assert await listed(client, states_filter=["Stable"]) == []
        assert await listed(client, states_filter=["Nonsense"]) == []
        assert len(await listed(client, types_filter=["Classic"])) == 1
        assert await listed(client, types_filter=["consumer"]) == []
        assert await listed(client, types_filter=["share", "x"]) == []


@pytest.mark.parametrize("version", range(3))
async def test_groups_are_deleted_with_their_offsets(tmp_path: Path, version: int) -> None:
    """69 for unknown ones; a name that comes twice is answered once (OFF-21)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 3)
        await find(client)
        for group in ("a", "b"):
            await commit(client, {("t", index): 1 for index in range(3)}, group)
        request = DeleteGroupsRequest(groups_names=["a", "x", "a"])
        answer = await client.ask(request, version)
        codes = {one.group_id: one.error_code for one in answer.results}
        assert codes == {"a": 0, "x": 69}
        assert len(answer.results) == 2
        assert [one[0] for one in await listed(client)] == ["b"]
        assert await fetched(client, group="a") == {}
        assert len(await fetched(client, group="b")) == 3
    async with serving(tmp_path) as (node, client):
        await loaded(node)
        assert [one[0] for one in await listed(client)] == ["b"]


@pytest.mark.slow
async def test_a_group_of_very_many_offsets_is_deleted(tmp_path: Path) -> None:
    """In several operations (OFF-21)."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", 2500)
        await find(client)
        await commit(client, {("t", index): 1 for index in range(2500)})
        answer = await client.ask(DeleteGroupsRequest(groups_names=["g"]), 2)
        assert answer.results[0].error_code == 0
        assert await listed(client) == []
        assert await fetched(client) == {}
