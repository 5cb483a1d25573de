"""I-37: the history of transactional programs, for the checker that knows nothing of clusters."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from barnabas.client.transactions.machine import Outcome as Told
from barnabas.testing.anomalies.finding import find_anomalies
from barnabas.testing.anomalies.operations import Operation, Outcome, Polled, Sent
from barnabas.testing.simulation.hooks import InvariantError
from barnabas.testing.simulation.workload.transactions.attempts import Attempt, Attempts

_OUTCOMES = {
    Told.COMMITTED: Outcome.OK,
    Told.ABORTED: Outcome.FAILED,
    Told.UNKNOWN: Outcome.UNKNOWN,
}


def operations_of(attempts: Attempts) -> list[Operation]:
    """Transactions, and calls of readers, each in the order of its process."""
    return [*map(_transaction, attempts.by_name.values()), *_polls(attempts)]


def check_history(attempts: Attempts) -> None:
    """Nothing that Jepsen looks for is there, where readers have read everything."""
    found = find_anomalies(operations_of(attempts))
    if found:
        raise InvariantError("I-37", f"{found[0]} (and {len(found) - 1} more)")


def _transaction(one: Attempt) -> Operation:
    reads = [Polled(where, offset, value) for where, offset, value in one.read]
    writes = [Sent(where, value, one.stored.get(value)) for where, value in one.sent]
    return Operation(
        process=f"{one.client}/{one.life}",
        name=one.name,
        outcome=_outcome(one),
        steps=(*reads, *writes),
        ended_s=inf if one.ended_s is None else one.ended_s,
        asked_s=inf if one.asked_s is None else one.asked_s,
        goes_on=False,
    )


def _outcome(one: Attempt) -> Outcome:
    """Of one whose producer died it is what it had asked for that counts."""
    if one.outcome in _OUTCOMES:
        return _OUTCOMES[one.outcome]
    return Outcome.FAILED if one.asked_s is None else Outcome.UNKNOWN


def _polls(attempts: Attempts) -> Iterator[Operation]:
    for number, poll in enumerate(attempts.polls):
        yield Operation(
            process=poll.reader,
            name=f"{poll.reader}#{number}",
            outcome=Outcome.OK,
            steps=tuple(Polled(one.where, one.offset, one.value) for one in poll.records),
            ended_s=poll.at_s,
            goes_on=poll.goes_on,
        )
