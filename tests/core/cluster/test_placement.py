"""Placement: striped over racks and brokers, fenced brokers last (Kafka's StripedReplicaPlacer)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.controllers import Cluster

from barnabas.broker.core.cluster.commands import BrokerHeartbeat, StopBroker
from barnabas.broker.core.cluster.placement import place
from barnabas.protocol.errors import KafkaError


def racks(counts: list[int], fenced: int = 0, seed: int = 1) -> Cluster:
    cluster = Cluster(0, seed=seed)
    number = 0
    for rack, count in enumerate(counts):
        for _ in range(count):
            number += 1
            cluster.add(number, rack=f"r{rack}", fenced=number <= fenced)
    return cluster


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=4),
    st.integers(0, 3),
    st.integers(1, 20),
    st.integers(0, 50),
    st.data(),
)
def test_every_assignment_is_sound(
    counts: list[int], fenced: int, partitions: int, seed: int, data: st.DataObject
) -> None:
    """Goal: no broker twice, the first one active, every rack used if there are replicas enough."""
    total = sum(counts)
    cluster = racks(counts, min(fenced, total - 1), seed)
    factor = data.draw(st.integers(1, total))
    assignments = place(list(cluster.image.brokers.values()), partitions, factor, cluster.env)
    assert len(assignments) == partitions
    for replicas in assignments:
        assert len(set(replicas)) == len(replicas) == factor
        assert not cluster.image.brokers[replicas[0]].fenced
        used = Counter(cluster.image.brokers[one].rack for one in replicas)
        if factor >= len(counts):
            assert len(used) == len(counts)


def test_leaders_are_spread() -> None:
    cluster = racks([2, 2, 2])
    assignments = place(list(cluster.image.brokers.values()), 60, 3, cluster.env)
    leaders = Counter(replicas[0] for replicas in assignments)
    assert set(leaders.values()) == {10}
    everywhere = Counter(one for replicas in assignments for one in replicas)
    assert max(everywhere.values()) - min(everywhere.values()) <= 2


def test_fenced_brokers_come_last() -> None:
    cluster = racks([3], fenced=1)
    for replicas in place(list(cluster.image.brokers.values()), 9, 2, cluster.env):
        assert 1 not in replicas


def test_stopping_brokers_come_last_and_cordoned_ones_never() -> None:
    """631-03: one that stops is soon away; a cordoned one takes no new replicas."""
    cluster = racks([4])
    cluster.do(StopBroker(1, cluster.epoch(1)))
    directory = cluster.image.brokers[2].log_dirs[0]
    beat = BrokerHeartbeat(2, cluster.epoch(2), cluster.image.last_offset)
    cluster.do(replace(beat, cordoned_log_dirs=(directory,)))
    brokers = list(cluster.image.brokers.values())
    for replicas in place(brokers, 9, 3, cluster.env):
        assert set(replicas[:2]) == {3, 4}
        assert replicas[2] == 1
    with pytest.raises(KafkaError):
        place(brokers, 1, 4, cluster.env)


@pytest.mark.parametrize("factor", [0, 4])
def test_what_cannot_be_placed(factor: int) -> None:
    cluster = racks([3])
    with pytest.raises(KafkaError):
        place(list(cluster.image.brokers.values()), 1, factor, cluster.env)
