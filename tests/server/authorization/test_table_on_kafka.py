"""The table of what is authorised, walked on Apache Kafka and on a node of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.authorization import rows
from kit.kafka_jars import KafkaJars

from .kafka_place import KafkaPlace, kafka_place
from .walk import Walk, values_of, version_of
from .walking import EVERYTHING, Guarded, LockedDoor, guarded
from .world import build

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

DIFFERENT = {
    "DescribeUserScramCredentials@c.2 v0 denied": "Kafka's controllers answer -1 to everybody",
    "FindCoordinator.3 v6 allowed": "share groups are not there: 42",
    "IncrementalAlterConfigs.2 v1 allowed": "a broker that runs keeps its log.cleaner.threads: 42",
    "AlterPartition@c.1 v3 allowed": "no partition at all, by no broker: 77 here, nothing there",
}
"""Steps whose answers may differ; none of them is a refusal for want of a right."""


async def walked(place: Guarded | KafkaPlace) -> Walk:
    """All rows that we serve, asked there."""
    await place.grant(*EVERYTHING)
    topic_id = await build(place.client)
    await place.revoke_all()
    walk = Walk(place, values_of(topic_id))
    for row in rows():
        version = version_of(row)
        if version is not None:
            await walk.visit(row, version)
    return walk


async def test_the_same_answer_in_each_row(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """ACL-18, ACL-19, FWD-08: the same user of PLAIN, without the right and with it."""
    (tmp_path / "kafka").mkdir()
    async with guarded(tmp_path / "ours", LockedDoor("SASL_PLAINTEXT", "PLAIN")) as node:
        ours = await walked(node)
    async with kafka_place(kafka_jars, tmp_path / "kafka") as place:
        theirs = await walked(place)
    assert not theirs.faults, "\n".join(theirs.faults)
    assert len(ours.answers) > 200
    different = {
        step: f"{step}\n  ours:  {found}\n  Kafka: {theirs.answers.get(step)}"
        for step, found in ours.answers.items()
        if found != theirs.answers.get(step)
    }
    assert set(different) == set(DIFFERENT), "\n".join(different.values())
