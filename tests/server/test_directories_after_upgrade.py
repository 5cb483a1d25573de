"""The cluster's features rise while brokers run: their directories become known (KIP-858)."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.broker.core.cluster.record_versions import DIRECTORY_ASSIGNMENT_MIN
from barnabas.broker.server import formatting
from barnabas.client import Admin, FeatureUpdate, NewTopic, Producer

from .two_disks import TwoDisks, failing

PARTITIONS = 4


async def test_brokers_name_their_directories_when_the_metadata_has_a_place_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KIP-858: without a restart each replica's directory is known, and a failed one counts."""
    old = (("metadata.version", DIRECTORY_ASSIGNMENT_MIN - 1),)
    monkeypatch.setattr(formatting, "FINALISED_AT_FIRST", old)
    async with TwoDisks(2, controllers=1, directory=tmp_path) as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            assignments = {number: [1, 2] for number in range(PARTITIONS)}
            await admin.create_topics([NewTopic("t", replica_assignments=assignments)])
            assert not any(broker.log_dirs for broker in cluster.image.brokers.values())
            await admin.update_features({"metadata.version": FeatureUpdate(30)})
        brokers = cluster.image.brokers
        partitions = cluster.image.topics_by_name["t"].partitions
        await cluster.wait_until(
            lambda: all(len(broker.log_dirs) == 2 for broker in brokers.values()), "directories"
        )
        await cluster.wait_until(
            lambda: all(
                partition.directory_of(broker) in brokers[broker].log_dirs
                for partition in partitions.values()
                for broker in (1, 2)
            ),
            "the directory of each replica",
        )
        second, lost = cluster.in_second(1, "t", PARTITIONS)
        assert 0 < len(lost) < PARTITIONS
        with failing(second):
            async with Producer(bootstrap_servers=cluster.bootstrap, acks="all") as producer:
                await (await producer.send("t", b"kept", partition=min(lost)))
            await cluster.wait_until(
                lambda: all(partitions[number].leader == 2 for number in lost), "moved"
            )
        assert len(cluster.image.brokers[1].log_dirs) == 1
