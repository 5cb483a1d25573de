"""EndTxn: a producer commits or aborts (TXN-13).

Versions: 2 PRODUCER_FENCED, 5 the answer has the id and epoch of the next transaction (KIP-890).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from barnabas.protocol.errors import KafkaError
from barnabas.protocol.messages.end_txn_request import EndTxnRequest
from barnabas.protocol.messages.end_txn_response import EndTxnResponse

from ..core.coordination.machine import Outcome, Producer
from ..core.coordination.transactions.ending import end_transaction
from ..core.coordination.transactions.transaction import BEFORE_EPOCH_BUMPS, EPOCH_BUMPS
from ..core.coordination.transactions.transaction_machine import TransactionMachine
from ..core.security.resources import Operation, transactional_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.transactional import check_transactional_id, told_in

FENCED_SINCE: Final = 2
EPOCH_BUMPS_SINCE: Final = 5


async def handle(request: EndTxnRequest, context: BrokerContext) -> EndTxnResponse:
    """Answered when the decision is replicated; markers follow (TXN-20)."""
    version = context.api_version
    context.rights.require(Operation.WRITE, transactional_resource(request.transactional_id))
    try:
        following = await _end(request, context)
    except KafkaError as error:
        code = told_in(error.code, version, FENCED_SINCE)
        return EndTxnResponse(error_code=int(code), producer_id=-1, producer_epoch=-1)
    return EndTxnResponse(producer_id=following.producer_id, producer_epoch=following.epoch)


async def _end(request: EndTxnRequest, context: BrokerContext) -> Producer:
    check_transactional_id(request.transactional_id)
    transactions = context.node.transactions
    client_version = BEFORE_EPOCH_BUMPS
    if context.api_version >= EPOCH_BUMPS_SINCE:
        client_version = EPOCH_BUMPS
    decide = partial(_decide, request, client_version)
    return await transactions.write(request.transactional_id, decide)


def _decide(
    request: EndTxnRequest, client_version: int, machine: TransactionMachine
) -> Outcome[Producer]:
    return end_transaction(
        machine.transactions,
        request.transactional_id,
        Producer(request.producer_id, request.producer_epoch),
        is_commit=request.committed,
        client_version=client_version,
    )


HANDLER = Handler(EndTxnRequest, (0, 5), handle)
