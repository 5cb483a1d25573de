"""A walk through the table of what is authorised: each row asked without the right and with it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from kit.authorization import Probe, Row, refusals_in, request_of, shape_of
from kit.raw_batches import batch, record, small_batch
from kit.raw_client import RawClient

from barnabas.broker.server.served_apis import OF_BROKERS, OF_CONTROLLERS
from barnabas.protocol.header import SIZE_BYTES, encode_request
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.unregister_broker_request import UnregisterBrokerRequest

FORWARDED = encode_request(UnregisterBrokerRequest(broker_id=999), 0, 1, "inner")[SIZE_BYTES:]


class Place(Protocol):
    """A node where nobody may do anything, one client, and whoever gives it rights."""

    client: RawClient
    controller: RawClient
    """The same client at the listener of controllers."""

    def connected(self) -> AbstractAsyncContextManager[RawClient]:
        """One more connection of the client."""
        ...

    async def create_topic(self, name: str) -> None:
        """Of one partition; no right is asked for that."""
        ...

    async def grant(self, *grants: str) -> None:
        """Give rights, in the words of the table; they hold when this returns."""
        ...

    async def revoke_all(self) -> None:
        """Take all rights away; they are gone when this returns."""
        ...


def version_of(row: Row) -> int | None:
    """The version to ask in: the probe's, or the newest that is served and asks the same.

    None if the API is not served, or not in a version that has what the row is about.
    """
    handler = (OF_CONTROLLERS if row.is_controller else OF_BROKERS).get(row.key)
    if handler is None or row.probe is None:
        return None
    version = min(row.probe.version, handler.last)
    if version < max(row.first, handler.first):
        return None
    return version if version == row.probe.version or "$TID" not in str(row.probe.body) else None


@dataclass
class Walk:
    """One walk through the table."""

    guarded: Place
    values: dict[str, Any]
    topics_made: int = 0
    faults: list[str] = field(default_factory=list)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Row and stage -> the codes of the answer, by their path."""

    async def visit(self, row: Row, version: int) -> None:
        """Ask without the right, then with it; note what is not as the table says."""
        probe = row.probe
        assert probe is not None
        await self.guarded.grant(*probe.given)
        if "$D" in str(probe.body):
            self.topics_made += 1
            self.values["$D"] = f"walk.d{self.topics_made}"
            await self.guarded.create_topic(self.values["$D"])
        if row.denied is not None:
            await self._stage(row, probe, version, row.denied, is_denied=True)
        if row.allowed is not None:
            await self.guarded.grant(*probe.grant)
            await self._stage(row, probe, version, row.allowed, is_denied=False)
        await self.guarded.revoke_all()

    async def _stage(
        self, row: Row, probe: Probe, version: int, expected: Any, *, is_denied: bool
    ) -> None:
        found = await self._ask(row, probe, version)
        stage = "denied" if is_denied else "allowed"
        self.answers[f"{row.id} v{version} {stage}"] = found
        if is_denied:
            extra = {path: codes for path, codes in found.items() if path not in expected}
            wrong = {path: codes for path, codes in extra.items() if codes != [0]}
            found = {path: found.get(path) for path in expected} | wrong
        elif "silent" not in expected:
            found, expected = refusals_in(found), refusals_in(expected)
        if found != dict(expected):
            self.faults.append(f"{row.id} v{version} {stage}: {found}, should be {expected}")

    async def _ask(self, row: Row, probe: Probe, version: int) -> dict[str, Any]:
        request = request_of(f"{row.api}Request", probe.body, self.values)
        if probe.oneway:
            async with self.guarded.connected() as client:
                client.send(request, version)
                client.send(ApiVersionsRequest(), 0)
                # There is no answer to the first: only the second has one, or the end comes.
                return {"closed": True} if await client.reader.read(1) == b"" else {"silent": True}
        client = self.guarded.controller if row.is_controller else self.guarded.client
        return shape_of(await client.ask(request, version), probe.watch)


def values_of(topic_id: bytes) -> dict[str, Any]:
    """What the words of the bodies that begin with $ stand for."""
    return {
        "$TID": topic_id,
        "$NOID": bytes(15) + b"\x09",
        "$USER": "walk-nobody",
        "$BYTES": b"\0\1",
        "$BATCH": small_batch(),
        "$TXNBATCH": batch(record(), attributes=0x10, producer_id=1, base_sequence=0),
        "$FORWARDED": FORWARDED,
        "$ADDR": b"\x7f\0\0\1",
    }
