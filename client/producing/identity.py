"""The producer id of idempotent batches: asked for once, and again when it is used up (KIP-98)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse

from ..config import ProducerConfig
from ..errors import ClientClosedError, ClientError, error_of
from ..wire.cluster import Cluster
from .batch import ProducerBatch
from .numbering import FailWaiting, Versions
from .partition_queue import PartitionQueue

log = logging.getLogger("barnabas.client")

INIT_VERSION_MAX = 5
"""Version 6 is about transactions in two phases."""


class ProducerIdentity:
    """Gives each partition queue a producer id and epoch; asks a broker for them when needed."""

    def __init__(self, cluster: Cluster, config: ProducerConfig) -> None:
        self.transactional_id: str | None = None
        self.gives_up = False
        self.versions = Versions()
        self._cluster = cluster
        self._config = config
        self._when_given: Callable[[], None] = _nothing
        self._when_refused: FailWaiting = _nothing
        self._current: tuple[int, int] | None = None
        self._asking: asyncio.Task[None] | None = None

    def attach(self, when_given: Callable[[], None], fail_waiting: FailWaiting) -> None:
        """The sender to tell when there is a producer id, or that there will be none."""
        self._when_given, self._when_refused = when_given, fail_waiting

    def admits(self, queue: PartitionQueue) -> bool:
        """Whether the queue's next batch may be sent now; a producer id is asked for if missing."""
        return not queue.needs_identity() or self.give(queue)

    def sending(self) -> None:
        """Nothing depends on it."""

    def acknowledged(self) -> None:
        """Nothing depends on it."""

    def failed(self, batch: ProducerBatch, error: Exception) -> None:
        """Other batches are sent all the same."""

    def give(self, queue: PartitionQueue) -> bool:
        """Give a queue its producer id and epoch; False while a broker is being asked for one."""
        if self._current is not None and self._current[0] == queue.producer_id:
            self._current = None  # this queue has used up all epochs of the current id
        if self._current is None:
            if self._asking is None:
                self._asking = asyncio.get_running_loop().create_task(self._ask())
            return False
        queue.set_identity(*self._current)
        return True

    def renew(self) -> None:
        """The broker no longer accepts the current producer id."""
        self._current = None

    async def _ask(self) -> None:
        try:
            timeout_s = self._config.delivery_timeout_ms / 1000
            self._current = await self._cluster.retrying(
                self._attempt, "asking for a producer id", timeout_s
            )
        except ClientClosedError:
            return
        except ClientError as error:
            log.error("no producer id: %s", error)
            self._when_refused(error)
        finally:
            self._asking = None
        self._when_given()

    async def _attempt(self) -> tuple[int, int]:
        connection = await self._cluster.any_connection()
        response = await connection.call(
            InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=60_000),
            InitProducerIdResponse,
            timeout_s=self._cluster.request_timeout_s,
            at_most=INIT_VERSION_MAX,
        )
        if response.error_code != ErrorCode.NONE:
            raise error_of(response.error_code, "asking for a producer id")
        return response.producer_id, response.producer_epoch

    async def close(self) -> None:
        """Stop asking."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)


def _nothing(error: Exception | None = None) -> None:
    """What is called before a sender is attached."""
