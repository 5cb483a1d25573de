"""What clients change of the metadata, counted at the active controller (KIP-599, QTA-14, QTA-15).

Buckets are of one controller: who becomes the active one begins with full ones, as in Kafka.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError

from .counters import Counters
from .entities import CONTROLLER_MUTATION_RATE
from .rate import Window
from .table import QuotaTable
from .token_bucket import TokenBucket


class MutationCharge:
    """Who pays for a command, and what came of it."""

    __slots__ = ("client_id", "is_strict", "throttle_ms", "user")

    def __init__(self, user: str, client_id: str, *, is_strict: bool) -> None:
        """`is_strict`: what is over the quota is refused, and not only throttled afterwards."""
        self.user = user
        self.client_id = client_id
        self.is_strict = is_strict
        self.throttle_ms = 0
        """For how long the client must wait; set by `MutationQuotas.take`."""


class MutationQuotas:
    """Buckets of those who have a quota."""

    __slots__ = ("_buckets", "_window")

    def __init__(self, window: Window, most_of_user: int) -> None:
        self._window = window
        self._buckets: Counters[TokenBucket] = Counters(TokenBucket, most_of_user)

    def take(self, charge: MutationCharge, count: int, table: QuotaTable, now_ms: float) -> None:
        """So many partitions are created or deleted, or would be.

        Raises KafkaError THROTTLING_QUOTA_EXCEEDED (89) if this does not pass any more.
        """
        found = table.limit(CONTROLLER_MUTATION_RATE, charge.user, charge.client_id)
        if found is None:
            return
        limit, window = found.value, self._window
        bucket = self._buckets.get((found.user, found.client_id), charge.user, now_ms)
        if charge.is_strict and not bucket.may_take(limit, now_ms, window):
            charge.throttle_ms = bucket.throttle_ms(limit, now_ms, window)
            raise KafkaError(
                ErrorCode.THROTTLING_QUOTA_EXCEEDED, "The throttling quota has been exceeded."
            )
        bucket.take(count, limit, now_ms, window)
        if not charge.is_strict:
            charge.throttle_ms = bucket.throttle_ms(limit, now_ms, window)
