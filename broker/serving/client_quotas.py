"""What clients of this broker use of their quotas, and for how long they must wait (KIP-13, -124).

Bytes are counted by whoever takes or gives them, time by `dispatch`. A connection whose user or
client id is over a limit is muted: its answer leaves at once with the throttle time, and nothing
more is read from it for that time (KIP-219).

With no quota of a kind its flag is False, and nothing of it is counted (QTA-17).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any, Final, Protocol, TypeVar  # Any: requests and answers of all APIs

from barnabas.protocol.message import Message

from ..core.cluster.changes import Changes
from ..core.cluster.image import ClusterImage
from ..core.config.broker import BrokerConfig
from ..core.ports import Clock
from ..core.quotas.counters import Counters
from ..core.quotas.entities import (
    CONNECTION_CREATION_RATE,
    CONSUMER_BYTE_RATE,
    CONTROLLER_MUTATION_RATE,
    PRODUCER_BYTE_RATE,
    REQUEST_PERCENTAGE,
    canonical_address,
)
from ..core.quotas.rate import Rate, Window
from ..core.quotas.table import QuotaTable
from ..core.security.principal import Principal
from ..observe import security_metrics
from ..observe.security_metrics import Throttles

PRODUCE: Final = 0
FETCH: Final = 1
WRITE_TXN_MARKERS: Final = 27

_PERCENT_OF_MS: Final = 0.1
"""One millisecond is a tenth of a percent of a second."""


EncodedT = TypeVar("EncodedT")


class Mutable(Protocol):
    """A client's connection."""

    @property
    def principal(self) -> Principal: ...

    @property
    def is_nobodys(self) -> bool:
        """Whether its client has yet to say who it is: no quota is meant for it."""
        ...

    def mute(self, delay_ms: float) -> None:
        """Read nothing more for so long."""
        ...


class ClientQuotas:
    """The quotas of one broker: counters by user and client id, and what follows from them."""

    __slots__ = (
        "_clock",
        "_counters",
        "_sample_ms",
        "_table",
        "_window",
        "counts_connections",
        "counts_fetch",
        "counts_produce",
        "counts_time",
        "is_on",
        "throttles",
    )

    def __init__(
        self, config: BrokerConfig, clock: Clock, throttles: Throttles | None = None
    ) -> None:
        """Nothing is limited before an image says so. `throttles`: where waits are counted."""
        self.throttles = throttles or Throttles()
        self._clock = clock
        self._sample_ms = config.quota_window_size_seconds * 1000.0
        self._window = Window(config.quota_window_num, self._sample_ms)
        most = config.quota_counters_max_per_user
        self._counters: dict[str, Counters[Rate]] = {
            key: Counters(Rate, most)
            for key in (
                PRODUCER_BYTE_RATE,
                CONSUMER_BYTE_RATE,
                REQUEST_PERCENTAGE,
                CONNECTION_CREATION_RATE,
            )
        }
        self._set(QuotaTable())

    def on_image(self, image: ClusterImage, changes: Changes | None = None) -> None:
        """Obey the quotas of this image, if they changed."""
        if changes is None or changes.has_quotas:
            self._set(image.security.quota_table)

    def _set(self, table: QuotaTable) -> None:
        self._table = table
        self.counts_produce = table.has(PRODUCER_BYTE_RATE)
        self.counts_fetch = table.has(CONSUMER_BYTE_RATE)
        self.counts_time = table.has(REQUEST_PERCENTAGE)
        self.counts_connections = table.has(CONNECTION_CREATION_RATE)
        self.is_on = (
            self.counts_produce
            or self.counts_fetch
            or self.counts_time
            or table.has(CONTROLLER_MUTATION_RATE)
        )
        """Whether answers may have a throttle time."""

    # --- counting -----------------------------------------------------------------------------

    def _use(
        self, key: str, principal: Principal, client_id: str | None, amount: float
    ) -> tuple[int, Rate | None]:
        """Count it; the throttle time, and the counter. Nothing where nothing is limited."""
        user = principal.name
        limit = self._table.limit(key, user, client_id or "")
        if limit is None:
            return 0, None
        now = self._clock.monotonic_ms()
        rate = self._counters[key].get((limit.user, limit.client_id), user, now)
        if amount:
            rate.record(amount, now, self._window)
        return rate.throttle_ms(limit.value, now, self._window), rate

    def produced(self, connection: Mutable, client_id: str | None, size: int) -> None:
        """A Produce request of so many bytes came, which counts whatever becomes of it (QTA-09)."""
        delay_ms, _ = self._use(PRODUCER_BYTE_RATE, connection.principal, client_id, size)
        if delay_ms:
            self.throttles.note(security_metrics.PRODUCE, delay_ms)
            connection.mute(delay_ms)

    def produce_throttle_ms(self, principal: Principal, client_id: str | None) -> int:
        """What the answer to a Produce request must say."""
        delay_ms = self._use(PRODUCER_BYTE_RATE, principal, client_id, 0)[0]
        return max(delay_ms, self._time_throttle_ms(principal, client_id))

    def fetch_throttle_ms(self, principal: Principal, client_id: str | None, size: int) -> int:
        """Count an answer of so many bytes; above zero it must not leave, nor was it counted.

        QTA-10: it leaves empty then, with this time.
        """
        delay_ms, rate = self._use(CONSUMER_BYTE_RATE, principal, client_id, size)
        if delay_ms:
            self.throttles.note(security_metrics.FETCH, delay_ms)
        delay_ms = max(delay_ms, self._time_throttle_ms(principal, client_id))
        if delay_ms and rate is not None:
            rate.record(-size, self._clock.monotonic_ms(), self._window)
        return delay_ms

    def fetch_bytes_max(self, principal: Principal, client_id: str | None) -> int | None:
        """The largest answer that a consumer can ever get; None for any."""
        limit = self._table.limit(CONSUMER_BYTE_RATE, principal.name, client_id or "")
        return None if limit is None else int(limit.value * self._window.least_s)

    def connection_throttle_ms(self, host: str) -> int:
        """Count a new connection; above zero it is not counted, and must be closed after that time
        (QTA-16)."""
        address = canonical_address(host) or host
        limit = self._table.address_limit(address)
        if limit is None:
            return 0
        now = self._clock.monotonic_ms()
        rate = self._counters[CONNECTION_CREATION_RATE].recent(address, now)
        rate.record(1, now, self._window)
        delay_ms = rate.throttle_ms(limit, now, self._window)
        if delay_ms:
            rate.record(-1, now, self._window)
        return min(delay_ms, int(self._sample_ms))

    # --- time ---------------------------------------------------------------------------------

    def spent(self, principal: Principal, client_id: str | None, took_ms: float) -> None:
        """The event loop worked so long for a request (QTA-13)."""
        self._use(REQUEST_PERCENTAGE, principal, client_id, took_ms * _PERCENT_OF_MS)

    def _time_throttle_ms(self, principal: Principal, client_id: str | None) -> int:
        """Asked once for each answer."""
        if not self.counts_time:
            return 0
        delay_ms, _ = self._use(REQUEST_PERCENTAGE, principal, client_id, 0)
        delay_ms = min(delay_ms, int(self._sample_ms))
        if delay_ms:
            self.throttles.note(security_metrics.REQUEST, delay_ms)
        return delay_ms

    def timed(
        self,
        connection: Mutable,
        client_id: str | None,
        request: Message,
        work: Callable[[], Any],
    ) -> Any:
        """What `work` for a request returns; the time that it takes counts, also in a coroutine."""
        if not self.counts_time or is_exempt(request) or connection.is_nobodys:
            return work()
        clock, principal = self._clock, connection.principal
        began_ms = clock.monotonic_ms()

        def count(since_ms: float) -> None:
            self.spent(principal, client_id, clock.monotonic_ms() - since_ms)

        try:
            result = work()
        finally:
            count(began_ms)
        if isinstance(result, Coroutine):
            return _counted(result, clock, count)
        return result

    # --- answers ------------------------------------------------------------------------------

    def settle(
        self,
        connection: Mutable,
        client_id: str | None,
        request: Message,
        response: Message | None,
    ) -> None:
        """An answer is about to leave: put the throttle time into it, and mute the connection.

        A time that the handler has put there, or the active controller, stays if it is longer.
        """
        if not self.is_on or connection.is_nobodys:
            return
        key, principal = request.API_KEY, connection.principal
        if key == FETCH or is_exempt(request):
            delay_ms = 0  # what a fetch must wait for is in its answer already
        elif key == PRODUCE:
            delay_ms = 0 if response is None else self.produce_throttle_ms(principal, client_id)
        else:
            delay_ms = self._time_throttle_ms(principal, client_id)
        if response is not None and "throttle_time_ms" in response.FIELDS:
            fields: Any = response  # which fields it has is known at run time only
            if fields.throttle_time_ms and key not in (PRODUCE, FETCH):
                mutations = security_metrics.CONTROLLER_MUTATION
                self.throttles.note(mutations, fields.throttle_time_ms)
            delay_ms = fields.throttle_time_ms = max(fields.throttle_time_ms, delay_ms)
        if delay_ms:
            connection.mute(delay_ms)

    def answer(
        self,
        connection: Mutable,
        client_id: str | None,
        request: Message,
        encode: Callable[[Any], EncodedT],
        response: Message | None,
    ) -> EncodedT:
        """The answer as it leaves now: with its throttle time, as `encode` makes it."""
        self.settle(connection, client_id, request, response)
        call = partial(encode, response)
        made: EncodedT = self.timed(connection, client_id, request, call)
        return made


def is_exempt(request: Message) -> bool:
    """Whether only brokers send it, which belongs to the cluster's own life (QTA-13)."""
    if request.API_KEY == FETCH:
        fetch: Any = request
        return bool(fetch.replica_id >= 0 or fetch.replica_state.replica_id >= 0)
    return request.API_KEY == WRITE_TXN_MARKERS


async def _counted(
    work: Coroutine[Any, Any, Any], clock: Clock, count: Callable[[float], None]
) -> Any:
    return await _stepwise(work, clock, count)


@coroutine
def _stepwise(
    work: Coroutine[Any, Any, Any], clock: Clock, count: Callable[[float], None]
) -> Generator[Any, Any, Any]:
    """Go through a coroutine, and count its own work, step by step, not the time that it waits."""
    given: Any = None
    error: BaseException | None = None
    while True:
        began_ms = clock.monotonic_ms()
        try:
            waits_for = work.send(given) if error is None else work.throw(error)
        except StopIteration as end:
            return end.value
        finally:
            count(began_ms)
        given = error = None
        try:
            given = yield waits_for
        except BaseException as caught:
            error = caught
