"""Batches whose leader asks their coordinator for the transaction, and what voids its answer.

Between question and answer the transaction may end: its marker is then in the log already, and the
batch would open a transaction that nobody ends. So a marker of the producer voids what is being
asked for it, and the batch is refused (TXN-50).

A producer that has an epoch for each transaction (KIP-890) begins the next one while markers of the
last are still on their way. Those have the epoch of the next one already, which ends with a later
one: only such a later epoch voids what is asked for it.
"""

from __future__ import annotations

from typing import Final

ANY_EPOCH: Final = -1
UNVERIFIED_MAX: Final = 1000
"""Producers of a partition whose lowest missing sequence is remembered; the oldest is forgotten."""


class VerifiedBatch:
    """The right to append one batch that begins a transaction; lost with the marker that ends it.

    `ended_from`: the lowest epoch that this marker may have.
    """

    __slots__ = ("ended_from", "is_void")

    def __init__(self, ended_from: int) -> None:
        self.ended_from = ended_from
        self.is_void = False


class Verifications:
    """What is being asked about one partition."""

    __slots__ = ("_asked", "_lowest")

    def __init__(self) -> None:
        self._asked: dict[int, set[VerifiedBatch]] = {}
        self._lowest: dict[int, tuple[int, int]] = {}

    def ask(
        self, producer_id: int, epoch: int, base_sequence: int, *, has_own_epoch: bool = False
    ) -> VerifiedBatch:
        """From now on a marker of this producer voids what is returned; `close` must follow.

        `has_own_epoch`: no other transaction has this epoch, so that a marker with it is the end of
        the one before.
        """
        lowest = self.lowest(producer_id, epoch)
        if lowest is None or base_sequence < lowest:
            self._lowest[producer_id] = (epoch, base_sequence)
            if len(self._lowest) > UNVERIFIED_MAX:
                del self._lowest[next(iter(self._lowest))]
        one = VerifiedBatch(epoch + 1 if has_own_epoch else ANY_EPOCH)
        self._asked.setdefault(producer_id, set()).add(one)
        return one

    def close(self, producer_id: int, one: VerifiedBatch) -> None:
        """The batch was appended or refused: it may not be appended by this answer again."""
        one.is_void = True
        asked = self._asked.get(producer_id)
        if asked is not None:
            asked.discard(one)
            if not asked:
                del self._asked[producer_id]

    def lowest(self, producer_id: int, epoch: int) -> int | None:
        """The lowest sequence that was asked about for this epoch and may still come (TXN-52)."""
        known = self._lowest.get(producer_id)
        return known[1] if known is not None and known[0] == epoch else None

    def forget(self, producer_id: int) -> None:
        """No sequence of the producer is missing: one is in the log, or it was told to give up."""
        if self._lowest:
            self._lowest.pop(producer_id, None)

    def ended(self, producer_id: int, epoch: int) -> None:
        """A marker of the producer is in the log."""
        self.forget(producer_id)
        for one in self._asked.get(producer_id, ()):
            if epoch >= one.ended_from:
                one.is_void = True

    def clear(self) -> None:
        """The log is another one."""
        for some in self._asked.values():
            for one in some:
                one.is_void = True
        self._asked.clear()
        self._lowest.clear()
