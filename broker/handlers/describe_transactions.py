"""DescribeTransactions: transactional ids whose coordinator this broker is (TXN-24)."""

from __future__ import annotations

from collections import defaultdict
from functools import partial

from barnabas.protocol.errors import KafkaError
from barnabas.protocol.messages.describe_transactions_request import DescribeTransactionsRequest
from barnabas.protocol.messages.describe_transactions_response import (
    DescribeTransactionsResponse,
    TopicData,
    TransactionState,
)

from ..core.coordination.transactions.telling import describe
from ..core.coordination.transactions.transaction import Transaction
from ..core.coordination.transactions.transaction_machine import TransactionMachine
from ..core.security.resources import Operation, topic_resource, transactional_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.repeats import Repeats
from ..serving.transactional import check_transactional_id
from ..serving.waiting import Turns


async def handle(
    request: DescribeTransactionsRequest, context: BrokerContext
) -> DescribeTransactionsResponse:
    """Each id has its own code."""
    response, turns, repeats = DescribeTransactionsResponse(), Turns(), Repeats()
    for transactional_id in request.transactional_ids:
        state = await _state(transactional_id, repeats, context)
        response.transaction_states.append(state)
        await turns.after(1 + sum(len(topic.partitions) for topic in state.topics))
    return response


async def _state(
    transactional_id: str, repeats: Repeats, context: BrokerContext
) -> TransactionState:
    try:
        repeats.count(transactional_id)
        context.rights.require(Operation.DESCRIBE, transactional_resource(transactional_id))
        check_transactional_id(transactional_id)
        look = partial(_look, transactional_id)
        found = await context.node.transactions.read(transactional_id, look)
    except KafkaError as error:
        return TransactionState(transactional_id=transactional_id, error_code=int(error.code))
    topics: defaultdict[str, list[int]] = defaultdict(list)
    may_describe: dict[str, bool] = {}
    for topic, partition in sorted(found.partitions):
        if topic not in may_describe:
            may_describe[topic] = context.rights.may(
                Operation.DESCRIBE, topic_resource(topic), is_audited=False
            )
        if not may_describe[topic]:
            continue
        topics[topic].append(partition)
    return TransactionState(
        transactional_id=transactional_id,
        transaction_state=found.state.shown,
        transaction_timeout_ms=found.timeout_ms,
        transaction_start_time_ms=found.started_ms,
        producer_id=found.producer_id,
        producer_epoch=found.epoch,
        topics=[TopicData(topic=name, partitions=indexes) for name, indexes in topics.items()],
    )


def _look(transactional_id: str, machine: TransactionMachine, offset: int) -> Transaction:
    return describe(machine.transactions, transactional_id, offset)


def refuse(
    request: DescribeTransactionsRequest, code: int, message: str | None
) -> DescribeTransactionsResponse:
    """The same error for every id."""
    del message
    return DescribeTransactionsResponse(
        transaction_states=[
            TransactionState(transactional_id=one, error_code=int(code))
            for one in request.transactional_ids
        ]
    )


HANDLER = Handler(DescribeTransactionsRequest, (0, 0), handle, refuse=refuse)
