"""Leader epochs of brokers that are too old to be trusted with them."""

from __future__ import annotations

import pytest

from barnabas.client.config import ClientConfig
from barnabas.client.consuming.epochs import ask_epoch_ends
from barnabas.client.errors import UnsupportedVersionError
from barnabas.client.wire.cluster import Cluster

from .consuming import T0
from .fake_cluster import FakeCluster


@pytest.mark.parametrize(("version", "epoch"), [(8, -1), (9, 5)])
async def test_epochs_in_metadata_count_from_kafka_2_4_on(version: int, epoch: int) -> None:
    """KAFKA-9212: before, a broker may say an old epoch, and be believed no newer leader."""
    async with FakeCluster() as cluster:
        cluster.served[3] = (0, version)
        cluster.add_topic("t")
        cluster.partition("t").epoch = 5
        view = Cluster(ClientConfig(bootstrap_servers=cluster.bootstrap))
        await view.start()
        try:
            assert (await view.topic("t")).partitions[0].leader_epoch == epoch
        finally:
            await view.close()


async def test_brokers_before_kafka_2_3_compare_epochs_for_brokers_only() -> None:
    """Goal: they want the rights of a broker for it, so a consumer does not ask."""
    async with FakeCluster() as cluster:
        cluster.served[23] = (0, 2)
        cluster.add_topic("t")
        view = Cluster(ClientConfig(bootstrap_servers=cluster.bootstrap))
        await view.start()
        try:
            with pytest.raises(UnsupportedVersionError, match="for brokers only"):
                await ask_epoch_ends(view, await view.leader(*T0), {T0: 0})
        finally:
            await view.close()
        assert cluster.node.count("OffsetForLeaderEpoch") == 0
