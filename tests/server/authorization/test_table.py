"""Each row of the table of what is authorised, asked without the right and with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.authorization import (
    REFUSALS,
    Row,
    request_of,
    rows,
    shape_of,
)

from barnabas.broker.server.served_apis import OF_BROKERS, OF_CONTROLLERS
from barnabas.protocol.errors import EncodeError

from .walk import Walk, values_of, version_of
from .walking import EVERYTHING, Door, LockedDoor, guarded
from .world import TOPICS, build

NOT_SERVED = {
    *("CreateDelegationToken", "RenewDelegationToken", "ExpireDelegationToken"),
    "DescribeDelegationToken",
    *("GetTelemetrySubscriptions", "PushTelemetry", "ShareGroupHeartbeat", "ShareFetch"),
    *("ShareAcknowledge", "ShareGroupDescribe", "InitializeShareGroupState"),
    *("ReadShareGroupState", "WriteShareGroupState", "DeleteShareGroupState"),
    *("ReadShareGroupStateSummary", "DescribeShareGroupOffsets", "AlterShareGroupOffsets"),
    *("DeleteShareGroupOffsets", "StreamsGroupHeartbeat", "StreamsGroupDescribe"),
}
"""APIs of the table that may be served one day; who serves one takes it out of here."""

NOT_YET = {"InitProducerId.4"}
"""Rows about versions that are not served."""


DIFFERENT = {"DescribeUserScramCredentials@c.2"}
"""Kafka's controllers list it and answer -1 to everybody; ours answer as brokers do."""


def test_what_is_not_walked() -> None:
    """ACL-19: every row is walked but those of APIs and versions that are not served."""
    left_out = {row.id for row in rows() if version_of(row) is None}
    assert len(rows()) == 179
    unserved = {row.id for row in rows() if row.api in NOT_SERVED}
    assert left_out == unserved | NOT_YET, "what is served is walked: take it out of the list"


@pytest.mark.slow
@pytest.mark.parametrize(
    "door",
    [Door(), LockedDoor("SASL_PLAINTEXT", "SCRAM-SHA-256"), LockedDoor("SASL_SSL", "PLAIN")],
    ids=["open", "SASL_PLAINTEXT", "SASL_SSL"],
)
async def test_the_table_is_obeyed(tmp_path: Path, door: Door) -> None:
    """ACL-18, ACL-19, FWD-08, ATK-35, ATK-36, ATK-39: each row as Kafka 4.3.1 answers it; with
    principals of logins as with those of nobody."""
    async with guarded(tmp_path, door) as node:
        await node.grant(*EVERYTHING)
        topic_id = await build(node.client)
        await node.revoke_all()
        walk = Walk(node, values_of(topic_id))
        for row in rows():
            version = version_of(row)
            if version is not None and row.id not in DIFFERENT:
                await walk.visit(row, version)
        assert not walk.faults, "\n".join(walk.faults)
        assert set(TOPICS) <= set(node.node.image.topics_by_name)


WITHOUT_CODE = {
    *(("DescribeLogDirs.1", version) for version in (1, 2)),
    *(("Fetch@c.5", version) for version in (4, 5, 6)),
}
"""Versions whose answers have no place for the error: they are empty."""

OF_ANOTHER_FORM = {
    ("SyncGroup.1", 5),  # a body without protocol type and name is 23 before anything else
    *((f"Produce.{number}", 13) for number in (1, 4)),  # topics by id, which are unknown
    *((f"DeleteTopics{which}", 6) for which in (".1", ".2", ".4", "@c.5")),  # names elsewhere
}
"""Versions in which the body of the row asks something else."""


@pytest.mark.slow
async def test_every_version_can_say_no(tmp_path: Path) -> None:
    """ACL-18, ACL-19: a refusal has its place in each version of an answer."""
    faults = []
    asked = 0
    async with guarded(tmp_path) as node:
        await node.grant(*EVERYTHING)
        topic_id = await build(node.client)
        await node.revoke_all()
        values = values_of(topic_id) | {"$D": "walk.d"}
        for row, version in every_version():
            assert row.probe is not None
            request = request_of(f"{row.api}Request", row.probe.body, values)
            try:
                request.encode(version)
            except EncodeError:
                continue  # the version has no such field
            client = node.controller if row.is_controller else node.client
            answer = await client.ask(request, version)
            asked += 1
            codes = {code for found in shape_of(answer).values() for code in found}
            if not codes & REFUSALS and (row.id, version) not in WITHOUT_CODE | OF_ANOTHER_FORM:
                faults.append(f"{row.id} v{version}: {codes}")
    assert not faults, "\n".join(faults)
    assert asked > 150


def every_version() -> Iterator[tuple[Row, int]]:
    """Rows that refuse somebody without any right, and the versions in which they are served."""
    for row in rows():
        handler = (OF_CONTROLLERS if row.is_controller else OF_BROKERS).get(row.key)
        probe, denied = row.probe, row.denied
        if handler is None or probe is None or denied is None or probe.oneway or probe.given:
            continue
        codes = {one for path, found in denied.items() if path[0] != "#" for one in found}
        if codes & REFUSALS:
            for version in range(max(row.first, handler.first), min(row.last, handler.last) + 1):
                yield row, version
