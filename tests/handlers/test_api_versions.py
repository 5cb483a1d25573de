"""ApiVersions over the wire."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from kit.broker import running
from kit.transactional import at_level

from barnabas.broker.server.served_apis import OF_BROKERS, OF_CONTROLLERS
from barnabas.broker.serving.handler import Handler
from barnabas.protocol.compiler.names import snake_case
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest

from .nodes import serving

HANDLERS = Path(__file__).resolve().parent.parent.parent / "broker" / "handlers"


def request(name: str = "raw", version: str = "1.0") -> ApiVersionsRequest:
    return ApiVersionsRequest(client_software_name=name, client_software_version=version)


@pytest.mark.parametrize("version", range(5))
async def test_every_version(tmp_path: Path, version: int) -> None:
    """ENV-10: the ranges that the handler files declare, in every version of the question."""
    async with running(tmp_path) as bench, bench.connect() as client:
        answer = await client.ask(request(), version)
        assert answer.error_code == 0
        ranges = {row.api_key: (row.min_version, row.max_version) for row in answer.api_keys}
        assert ranges[18] == (0, 4)
        assert ranges[1] == (4, 18)
        assert ranges[0][0] == 0  # ENV-10
        assert set(ranges) == set(OF_BROKERS)


@pytest.mark.parametrize("version", [5, 99, 32767])
async def test_unknown_version(tmp_path: Path, version: int) -> None:
    """ENV-03, peers §7 case 1: version 0, error 35, the range of ApiVersions, header version 0."""
    async with running(tmp_path) as bench, bench.connect() as client:
        frame = bytearray(client.frame(request(), 4))
        frame[6:8] = version.to_bytes(2, "big")
        client.writer.write(bytes(frame))
        answer = await client.receive(18, 0)
        assert answer.error_code == 35
        assert [(row.api_key, row.max_version) for row in answer.api_keys] == [(18, 4)]
        assert (await client.ask(request(), 4)).error_code == 0


@pytest.mark.parametrize("name", ["", "-x", "x-", "a b", "ä", "x" * 10 + "\n"])
async def test_ill_formed_software_name(tmp_path: Path, name: str) -> None:
    """ENV-04: INVALID_REQUEST(42), and the connection goes on."""
    async with running(tmp_path) as bench, bench.connect() as client:
        assert (await client.ask(request(name=name), 3)).error_code == 42
        assert (await client.ask(request(version=name), 4)).error_code == 42
        assert (await client.ask(request(), 3)).error_code == 0


@pytest.mark.parametrize("level", [1, 2])
async def test_which_transactions_clients_may_use(tmp_path: Path, level: int) -> None:
    """Producers go by the finalised level; the versions are the same at any (KIP-890)."""
    with at_level(level):
        async with serving(tmp_path) as (_, client):
            answer = await client.ask(request(), 4)
            ranges = {row.api_key: row.max_version for row in answer.api_keys}
            assert (ranges[0], ranges[26], ranges[28]) == (13, 5, 5)
            told = {row.name: row.max_version_level for row in answer.finalized_features}
            assert told["transaction.version"] == level
            known = {row.name: row.max_version for row in answer.supported_features}
            assert known["transaction.version"] == 2


def test_no_handler_serves_versions_that_its_schema_lacks() -> None:
    """Goal: what is served, and what is told, can be decoded."""
    handlers: list[Handler[Any]] = [*OF_BROKERS.values(), *OF_CONTROLLERS.values()]
    for handler in handlers:
        assert handler.api.min_version <= handler.first <= handler.last <= handler.api.max_version
        assert handler.advertised[0] <= handler.first
        assert handler.advertised[1] <= handler.last


def test_controllers_serve_what_the_schemas_say() -> None:
    """Goal: an API whose schema names the listeners of controllers is in their table too."""
    named = {key for key, one in OF_BROKERS.items() if "controller" in one.api.listeners}
    assert named == set(OF_BROKERS) & set(OF_CONTROLLERS)


def test_every_handler_file_is_in_a_table() -> None:
    """Goal: a file, or the `handler.py` of a folder, that declares a handler is served, and has the
    name of its API."""
    for folder, table in ((HANDLERS, OF_BROKERS), (HANDLERS / "controller", OF_CONTROLLERS)):
        declared = {
            path.parent.name if path.name == "handler.py" else path.stem
            for path in (*folder.glob("*.py"), *folder.glob("*/handler.py"))
            if re.search(r"^HANDLER = ", path.read_text(), re.MULTILINE)
        }
        assert declared
        names = {snake_case(handler.api.name) for handler in table.values()}
        assert declared <= names
        if table is OF_BROKERS:
            assert declared == names
