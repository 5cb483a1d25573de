"""InitProducerId without a transactional id: a producer id that nobody has had (98-01)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse

from .context import BrokerContext
from .handler import Handler


async def handle(request: InitProducerIdRequest, context: BrokerContext) -> InitProducerIdResponse:
    """An id from this broker's block; a new block comes through the metadata log."""
    if request.transactional_id == "":
        return _refused(ErrorCode.INVALID_REQUEST)
    if request.transactional_id is not None:
        # Transactions come with their coordinator. Every client takes this code as final, while
        # the retriable ones would keep it asking for ever.
        return _refused(ErrorCode.UNSUPPORTED_VERSION)
    if (request.producer_id < 0) != (request.producer_epoch < 0):
        return _refused(ErrorCode.INVALID_REQUEST)
    producer_id = await context.node.new_producer_id()
    return InitProducerIdResponse(producer_id=producer_id, producer_epoch=0)


def _refused(code: ErrorCode) -> InitProducerIdResponse:
    return InitProducerIdResponse(error_code=int(code), producer_id=-1, producer_epoch=-1)


HANDLER = Handler(InitProducerIdRequest, (0, 5), handle)
