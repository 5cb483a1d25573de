"""ListTransactions: the transactional ids whose coordinator this broker is (TXN-24).

Version 1 brought the filter of durations. Version 2 filters by a pattern of ids (KIP-1152).
"""

from __future__ import annotations

import asyncio
from functools import partial

from barnabas.protocol.errors import KafkaError
from barnabas.protocol.messages.list_transactions_request import ListTransactionsRequest
from barnabas.protocol.messages.list_transactions_response import (
    ListTransactionsResponse,
    TransactionState,
)

from ..core.coordination.groups.consumer.topic_pattern import TopicPattern
from ..core.coordination.transactions.telling import STATES_BY_NAME, Wanted, listed
from ..core.coordination.transactions.transaction import Transaction
from ..core.coordination.transactions.transaction_machine import TransactionMachine
from ..core.security.resources import Operation, transactional_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import SLICE


async def handle(
    request: ListTransactionsRequest, context: BrokerContext
) -> ListTransactionsResponse:
    """What is committed in the shards that are here; 14 while one of them is loading."""
    names = request.state_filters
    response = ListTransactionsResponse(
        unknown_state_filters=[name for name in names if name not in STATES_BY_NAME]
    )
    states = frozenset(STATES_BY_NAME[name] for name in names if name in STATES_BY_NAME)
    wanted = Wanted(
        states if names else None,
        frozenset(request.producer_id_filters) or None,
        request.duration_filter,
    )
    try:
        pattern = _pattern(request)
        shards = await context.node.transactions.read_all(partial(_look, wanted))
    except KafkaError as error:
        response.error_code = int(error.code)
        return response
    for number, (transactional_id, found) in enumerate(
        (one for shard in shards for one in shard), 1
    ):
        if number % SLICE == 0:
            await asyncio.sleep(0)
        if not context.rights.may(
            Operation.DESCRIBE, transactional_resource(transactional_id), is_audited=False
        ):
            continue
        if pattern is None or pattern.matches(transactional_id):
            response.transaction_states.append(
                TransactionState(
                    transactional_id=transactional_id,
                    producer_id=found.producer_id,
                    transaction_state=found.state.shown,
                )
            )
    return response


def _pattern(request: ListTransactionsRequest) -> TopicPattern | None:
    """Raises KafkaError 128 for what RE2 does not read."""
    text = request.transactional_id_pattern
    return TopicPattern(text) if text else None


def _look(
    wanted: Wanted, machine: TransactionMachine, offset: int
) -> list[tuple[str, Transaction]]:
    return list(listed(machine.transactions, wanted, offset))


HANDLER = Handler(ListTransactionsRequest, (0, 2), handle)
