"""ElectLeaders: preferred leaders, or unclean ones, of some partitions or of all (966-05).

Versions: 1 chooses the kind of election; before, preferred leaders were meant. What is named twice
is told twice, and held once.
"""

from __future__ import annotations

from collections.abc import Iterable

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.elect_leaders_request import ElectLeadersRequest
from barnabas.protocol.messages.elect_leaders_response import (
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
)

from ..core.cluster.partition_commands import PREFERRED, Elected, ElectLeaders
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(request: ElectLeadersRequest, context: NodeContext) -> ElectLeadersResponse:
    """Answer for each partition; if all are meant, for those that needed an election."""
    context.rights.require(Operation.ALTER, CLUSTER)
    if request.topic_partitions == []:
        return ElectLeadersResponse()  # whatever kind of election it names, as Kafka
    election = request.election_type if context.api_version > 0 else PREFERRED
    answers: list[Elected] = await context.node.metadata.submit(
        ElectLeaders(election, _wanted(request))
    )
    return ElectLeadersResponse(replica_election_results=_results(request, answers))


def refuse(request: ElectLeadersRequest, code: int, message: str | None) -> ElectLeadersResponse:
    """An error for the whole request stands on each partition that is named, too."""
    wanted = _wanted(request) or ()
    answers = [Elected(topic, number, ErrorCode(code), message) for topic, number in wanted]
    results = _results(request, answers)
    return ElectLeadersResponse(error_code=code, replica_election_results=results)


def _wanted(request: ElectLeadersRequest) -> tuple[tuple[str, int], ...] | None:
    if request.topic_partitions is None:
        return None
    return tuple(
        (topic.topic, number) for topic in request.topic_partitions for number in topic.partitions
    )


def _results(
    request: ElectLeadersRequest, answers: Iterable[Elected]
) -> list[ReplicaElectionResult]:
    """In the form of the request; if all partitions were meant, topics with something to tell."""
    told: dict[str, dict[int, PartitionResult]] = {}
    for answer in answers:
        told.setdefault(answer.topic, {})[answer.partition] = PartitionResult(
            partition_id=answer.partition,
            error_code=answer.code,
            error_message=answer.message,
        )
    if request.topic_partitions is None:
        return [_topic(name, list(rows.values())) for name, rows in told.items()]
    return [
        _topic(topic.topic, [told[topic.topic][number] for number in topic.partitions])
        for topic in request.topic_partitions
    ]


def _topic(name: str, rows: list[PartitionResult]) -> ReplicaElectionResult:
    return ReplicaElectionResult(topic=name, partition_result=rows)


def _things(request: ElectLeadersRequest) -> int:
    """Partitions."""
    return sum(len(topic.partitions) for topic in request.topic_partitions or ())


HANDLER = Handler(
    ElectLeadersRequest,
    (0, 2),
    handle,
    refuse=refuse,
    forwarded=Forwarded(things=_things),
    error_code_since=1,
)
