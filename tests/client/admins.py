"""Admin clients over fake brokers, and what these answer to them."""

from __future__ import annotations

from typing import Any

from barnabas.client import (
    Admin,
    AdminConfig,
)
from barnabas.protocol.message import Message
from barnabas.protocol.messages import describe_quorum_response as quorum

from .fake_cluster import FakeCluster, FakeNode


def admin_of(cluster: FakeCluster) -> Admin:
    return Admin(
        AdminConfig(bootstrap_servers=cluster.bootstrap, retry_backoff_ms=1, reconnect_backoff_ms=1)
    )


DIRECTORY = bytes(range(16))


def answering(cluster: FakeCluster, key: int, versions: tuple[int, int], *answers: Message) -> None:
    """Serve one more API: these answers in turn, the last one for ever."""
    cluster.served[key] = versions
    left = list(answers)

    def script(node: FakeNode, request: Any) -> Any:
        if key != request.API_KEY:
            return None
        return left.pop(0) if len(left) > 1 else left[0]

    cluster.script = script


def quorum_of_two(leader_id: int = 1) -> quorum.DescribeQuorumResponse:
    voters = [
        quorum.ReplicaState(
            replica_id=1,
            replica_directory_id=DIRECTORY,
            log_end_offset=50,
            last_fetch_timestamp=9_000,
            last_caught_up_timestamp=9_000,
        ),
        quorum.ReplicaState(replica_id=2, log_end_offset=47, last_fetch_timestamp=8_900),
    ]
    partition = quorum.PartitionData(
        leader_id=leader_id,
        leader_epoch=7,
        high_watermark=48,
        current_voters=voters,
        observers=[quorum.ReplicaState(replica_id=3, log_end_offset=40)],
    )
    node = quorum.Node(
        node_id=1, listeners=[quorum.Listener(name="CONTROLLER", host="h", port=9093)]
    )
    return quorum.DescribeQuorumResponse(
        topics=[quorum.TopicData(topic_name="__cluster_metadata", partitions=[partition])],
        nodes=[node],
    )
