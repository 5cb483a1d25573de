"""Transactions that one process fills, and another one ends.

The second one needs no more than what `PreparedTransaction` holds: EndTxn is a matter between the
coordinator and whoever knows the producer's id and epoch.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..config import ClientConfig
from ..errors import AbortTimedOutError, ClientError, CommitUnknownError
from ..wire.cluster import Cluster
from .coordination import Coordination
from .machine import ProducerIdAndEpoch
from .verdicts import AFTER_FENCING, of_coordinator, timed_out


@dataclass(frozen=True, slots=True)
class PreparedTransaction:
    """A transaction whose records and offsets are all stored, and which is open still.

    It can be pickled, and kept as text by `dataclasses.asdict`; who has it can end the transaction.
    """

    transactional_id: str
    producer_id: int
    producer_epoch: int
    adds_implicitly: bool
    """Brokers added its partitions by themselves; it has to be ended accordingly (KIP-890)."""
    is_empty: bool
    """There is nothing in it, and no coordinator knows of it: to end it asks nobody."""


WHY_NOT = f"{AFTER_FENCING}, or it was open for longer than its transaction_timeout_ms"


async def end_prepared(
    cluster: Cluster, config: ClientConfig, prepared: PreparedTransaction, *, is_commit: bool
) -> None:
    """Commit or abort it. The same again is answered alike, as long as its producer has begun no
    other transaction.

    Raises:
        ProducerFencedError: another producer has the id, or the transaction took too long.
        FatalTransactionError: the coordinator has no such transaction to end so.
        CommitUnknownError, AbortTimedOutError: nobody answered in time; ask again.
    """
    if prepared.is_empty:
        return
    what = "committing" if is_commit else "aborting"
    coordination = Coordination(
        cluster,
        prepared.transactional_id,
        transaction_timeout_ms=0,  # that is for who begins transactions
        is_wanted=lambda: True,
    )
    timeout_s = config.default_api_timeout_ms / 1000
    try:
        await coordination.end(
            ProducerIdAndEpoch(prepared.producer_id, prepared.producer_epoch),
            timeout_s,
            is_commit=is_commit,
            implicitly=prepared.adds_implicitly,
        )
    except ClientError as error:
        name = prepared.transactional_id
        if timed_out(error):
            kind = CommitUnknownError if is_commit else AbortTimedOutError
            text = f"transactional id {name!r}: {what} a prepared transaction is not confirmed"
            raise kind(f"{text}: {error}") from error
        raise of_coordinator(error, f"transactional id {name!r}: {what}", WHY_NOT) from error
