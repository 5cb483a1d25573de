"""InitProducerId: a producer id that nobody has had (98-01), or the one of a transactional id.

Versions: 3 the producer says what it has (KIP-360), 4 PRODUCER_FENCED.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse

from ..core.coordination.machine import Outcome, Producer
from ..core.coordination.transactions.initialising import Given, check_timeout, initialise
from ..core.coordination.transactions.transaction_machine import TransactionMachine
from ..core.security.resources import CLUSTER, Operation, ResourceType, transactional_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.transactional import check_transactional_id, told_in

FENCED_SINCE: Final = 4


async def handle(request: InitProducerIdRequest, context: BrokerContext) -> InitProducerIdResponse:
    """Without transactional id from this broker's block, else from the id's coordinator."""
    try:
        given = await _given(request, context)
    except KafkaError as error:
        return _refused(error.code, context)
    if given.error is not ErrorCode.NONE:
        return _refused(given.error, context)
    return InitProducerIdResponse(
        producer_id=given.producer.producer_id, producer_epoch=given.producer.epoch
    )


async def _given(request: InitProducerIdRequest, context: BrokerContext) -> Given:
    node, rights = context.node, context.rights
    if request.transactional_id is not None:
        rights.require(Operation.WRITE, transactional_resource(request.transactional_id))
    elif not rights.may(Operation.IDEMPOTENT_WRITE, CLUSTER, is_audited=False) and (
        not rights.may_on_any(Operation.WRITE, ResourceType.TOPIC)
    ):
        rights.require(Operation.IDEMPOTENT_WRITE, CLUSTER)
    if (request.producer_id == -1) != (request.producer_epoch == -1):
        raise KafkaError(ErrorCode.INVALID_REQUEST)
    transactional_id = request.transactional_id
    if transactional_id is None:
        return Given(Producer(await node.new_producer_id(), 0))
    check_transactional_id(transactional_id)
    check_timeout(request.transaction_timeout_ms, node.config.transaction_max_timeout_ms)
    expected = None
    if request.producer_id != -1:
        expected = Producer(request.producer_id, request.producer_epoch)
    await node.transactions.have_producer_id()
    decide = partial(_decide, transactional_id, request.transaction_timeout_ms, expected)
    return await node.transactions.write(transactional_id, decide)


def _decide(
    transactional_id: str, timeout_ms: int, expected: Producer | None, machine: TransactionMachine
) -> Outcome[Given]:
    return initialise(machine.transactions, transactional_id, timeout_ms, expected)


def _refused(code: ErrorCode, context: BrokerContext) -> InitProducerIdResponse:
    told = told_in(code, context.api_version, FENCED_SINCE)
    return InitProducerIdResponse(error_code=int(told), producer_id=-1, producer_epoch=-1)


HANDLER = Handler(InitProducerIdRequest, (0, 5), handle)
