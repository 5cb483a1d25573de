"""ElectLeaders, UnregisterBroker: over the wire, and over a controller with several brokers."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.broker.core.cluster.partition_commands import AlterPartition, PartitionAlteration
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from barnabas.protocol.messages.unregister_broker_request import UnregisterBrokerRequest

from .controller.asking import Asking
from .nodes import create, serving

PREFERRED, UNCLEAN = range(2)


def named(topic: str, *numbers: int) -> list[TopicPartitions]:
    return [TopicPartitions(topic=topic, partitions=list(numbers))]


async def test_a_node_answers_elections(tmp_path: Path) -> None:
    """What needs none says so; what does not exist as well."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", partitions=2)
        for version in (0, 1, 2):
            request = ElectLeadersRequest(topic_partitions=named("t", 0, 7))
            answer = await client.ask(request, version)
            (topic,) = answer.replica_election_results
            assert topic.topic == "t"
            assert [(one.partition_id, one.error_code) for one in topic.partition_result] == [
                (0, ErrorCode.ELECTION_NOT_NEEDED),
                (7, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
            ]
            everything = await client.ask(ElectLeadersRequest(topic_partitions=None), version)
            assert everything.replica_election_results == []


async def test_the_answer_has_the_form_of_the_request(tmp_path: Path) -> None:
    """Topics and partitions that are named twice are told twice, topics without any as well; a
    kind of election that does not exist is no error where none is to be held."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", partitions=2)
        asked = [*named("t", 0, 0), *named("t"), *named("t", 1)]
        for kind, code in ((PREFERRED, ErrorCode.ELECTION_NOT_NEEDED), (7, 42)):
            answer = await client.ask(
                ElectLeadersRequest(election_type=kind, topic_partitions=asked), 2
            )
            assert [
                [(one.partition_id, one.error_code) for one in topic.partition_result]
                for topic in answer.replica_election_results
            ] == [[(0, code), (0, code)], [], [(1, code)]]
        nowhere = ElectLeadersRequest(election_type=7, topic_partitions=[])
        assert (await client.ask(nowhere, 2)).error_code == 0


@pytest.mark.parametrize("version", [0, 1, 2])
async def test_the_preferred_leader_is_elected(version: int) -> None:
    """The first replica leads again once it is in sync; before, it is not available."""
    asking = Asking(2)
    cluster = asking.cluster
    cluster.fence(1)
    topic_id = cluster.create("t", assignments=((0, (1, 2)),))
    cluster.unfence(1)
    request = ElectLeadersRequest(topic_partitions=named("t", 0))
    answer = await asking.ask(request, version)
    (result,) = answer.replica_election_results[0].partition_result
    assert result.error_code == ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE
    assert result.error_message
    proposal = PartitionAlteration(topic_id, 0, 0, 0, ((2, -1), (1, -1)))
    cluster.do(AlterPartition(2, cluster.epoch(2), (proposal,)))
    answer = await asking.ask(request, version)
    (result,) = answer.replica_election_results[0].partition_result
    assert (result.error_code, result.error_message) == (0, None)
    assert cluster.partition().leader == 1


async def test_an_unclean_election_is_asked_for() -> None:
    """966-05: from version 1 on."""
    asking = Asking(2, elr=False)
    cluster = asking.cluster
    cluster.create("t", assignments=((0, (1, 2)),))
    cluster.fence(1, 2)
    cluster.unfence(1)
    assert cluster.partition().leader == -1
    request = ElectLeadersRequest(election_type=UNCLEAN, topic_partitions=None)
    answer = await asking.ask(request, 2)
    (result,) = answer.replica_election_results[0].partition_result
    assert (result.partition_id, result.error_code, result.error_message) == (0, 0, None)
    assert cluster.partition().leader == 1


async def test_an_election_that_does_not_exist_is_refused() -> None:
    """The error stands on the whole answer, and on each partition that is named."""
    asking = Asking(1)
    asking.cluster.create("t")
    request = ElectLeadersRequest(election_type=9, topic_partitions=named("t", 0))
    answer = await asking.ask(request, 1)
    (result,) = answer.replica_election_results[0].partition_result
    assert answer.error_code == result.error_code == ErrorCode.INVALID_REQUEST
    answer = await asking.ask(ElectLeadersRequest(election_type=9, topic_partitions=None), 1)
    assert (answer.error_code, answer.replica_election_results) == (ErrorCode.INVALID_REQUEST, [])


async def test_a_broker_that_will_not_come_back_is_forgotten() -> None:
    asking = Asking(2)
    asking.cluster.fence(2)
    answer = await asking.ask(UnregisterBrokerRequest(broker_id=2), 0)
    assert (answer.error_code, answer.error_message) == (0, None)
    assert list(asking.cluster.image.brokers) == [1]
    answer = await asking.ask(UnregisterBrokerRequest(broker_id=2), 0)
    assert answer.error_code == ErrorCode.BROKER_ID_NOT_REGISTERED
    assert "Broker ID 2 is not currently registered" in answer.error_message
