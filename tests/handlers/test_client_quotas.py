"""AlterClientQuotas and DescribeClientQuotas over the wire; answers are Kafka 4.3.1's."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from .nodes import serving
from .quotas import alter, describe, entry, limit

EXACT, DEFAULT, ANY = range(3)


@pytest.mark.parametrize("version", [0, 1])
async def test_quotas_are_altered_and_described(tmp_path: Path, version: int) -> None:
    """QTA-04, QTA-05: each entity has its own answer, one that was named twice too."""
    async with serving(tmp_path) as (_, client):
        rows = await alter(
            client,
            entry({"user": "a"}, producer_byte_rate=1000, request_percentage=0.5),
            entry({"user": "b"}, bytes=1),
            entry({"user": "a", "client-id": None}, consumer_byte_rate=5),
            entry({"ip": None}, connection_creation_rate=3),
            entry({"user": "d"}, request_percentage=1),
            entry({"user": "d"}, request_percentage=2),
            version=version,
        )
        assert [row.error_code for row in rows] == [0, 42, 0, 0, 42]
        assert rows[1].error_message == "Invalid configuration key bytes"
        assert rows[4].error_message.startswith("Ignoring duplicate entity")
        assert [part.entity_type for part in rows[2].entity] == ["client-id", "user"]
        found = await describe(client, version=version)
        assert found == [
            ({"user": "a"}, {"producer_byte_rate": 1000, "request_percentage": 0.5}),
            ({"client-id": None, "user": "a"}, {"consumer_byte_rate": 5}),
            ({"ip": None}, {"connection_creation_rate": 3}),
        ]
        rows = await alter(client, entry({"user": "a"}, producer_byte_rate=None), version=version)
        assert rows[0].error_code == 0
        assert await describe(client, ("user", EXACT, "a"), strict=True, version=version) == [
            ({"user": "a"}, {"request_percentage": 0.5})
        ]


async def test_filters(tmp_path: Path) -> None:
    """QTA-05: what each match type finds, and what strict leaves out."""
    async with serving(tmp_path) as (_, client):
        await limit(client, {"user": "a"}, request_percentage=1)
        await limit(client, {"user": None}, request_percentage=2)
        await limit(client, {"user": "a", "client-id": "c"}, request_percentage=3)
        await limit(client, {"client-id": "c"}, request_percentage=4)

        async def found(*components: tuple[str, int, str | None], strict: bool = False) -> set[int]:
            rows = await describe(client, *components, strict=strict)
            return {int(limits["request_percentage"]) for _, limits in rows}

        assert await found() == {1, 2, 3, 4}
        assert await found(strict=True) == set()
        assert await found(("user", ANY, None)) == {1, 2, 3}
        assert await found(("user", ANY, None), strict=True) == {1, 2}
        assert await found(("user", EXACT, "a")) == {1, 3}
        assert await found(("user", DEFAULT, None)) == {2}
        assert await found(("client-id", EXACT, "c"), ("user", ANY, None)) == {3}
        assert await found(("user", EXACT, "")) == set()
        assert await found(("ip", ANY, None)) == set()


REFUSED: list[tuple[list[tuple[str, int, str | None]], int, str]] = [
    ([("user", EXACT, None)], 42, "set match string to null"),
    ([("user", DEFAULT, "x")], 42, "MATCH_TYPE_DEFAULT"),
    ([("user", ANY, "x")], 42, "MATCH_TYPE_SPECIFIED"),
    ([("user", 7, None)], 42, "Unknown match type 7"),
    ([("user", ANY, None), ("user", ANY, None)], 42, "more than once"),
    ([("ip", ANY, None), ("user", ANY, None)], 42, "IP filter component"),
    ([("", ANY, None)], 42, "empty entity type"),
    ([("group", 9, None)], 35, "Unsupported entity type group"),
]


async def test_filters_that_make_no_sense(tmp_path: Path) -> None:
    """QTA-05: the error is of the whole answer, which then has no list."""
    async with serving(tmp_path) as (_, client):
        for components, code, words in REFUSED:
            answered = await describe(client, *components)
            assert answered[0] == code
            assert words in answered[1]


async def test_quotas_survive_a_restart(tmp_path: Path) -> None:
    """QTA-06: they are in the metadata log."""
    async with serving(tmp_path) as (_, client):
        await limit(client, {"user": "a"}, request_percentage=1)
    async with serving(tmp_path) as (_, client):
        assert await describe(client) == [({"user": "a"}, {"request_percentage": 1})]


async def test_limits_that_are_no_numbers(tmp_path: Path) -> None:
    """ATK-41: NaN, Infinity, minus zero and what no integer holds: 42, and nothing is stored."""
    async with serving(tmp_path) as (_, client):
        for value in (float("nan"), float("inf"), float("-inf"), -0.0, 0.0, -1.0):
            for key in ("producer_byte_rate", "request_percentage", "controller_mutation_rate"):
                (row,) = await alter(client, entry({"user": "a"}, **{key: value}))
                assert row.error_code == 42, (key, value)
        (row,) = await alter(client, entry({"user": "a"}, producer_byte_rate=1e300))
        assert row.error_code == 42
        assert await describe(client) == []


async def test_addresses_that_are_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ATK-42: 42, without asking anybody what address a name has."""

    def resolve(*_: object, **__: object) -> None:
        raise AssertionError("a name is looked up")

    async with serving(tmp_path) as (_, client):
        for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
            monkeypatch.setattr(socket, name, resolve)
        for text in ("localhost", "slow.example.com", "10.0.0.0/8", "10.0.0", "0x7f.1", ""):
            (row,) = await alter(client, entry({"ip": text}, connection_creation_rate=5))
            assert row.error_code == 42, text
        monkeypatch.undo()
        assert await describe(client) == []
