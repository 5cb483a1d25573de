"""Which brokers get the replicas of new partitions: striped over racks, as Kafka does it.

- Racks take turns, and within a rack its brokers; each partition begins one step further, so that
  leaders spread over racks and brokers.
- Fenced and stopping brokers get replicas too, but after the active ones of their rack, and never
  the first one while another broker is active. A broker whose directories are all cordoned gets
  none.
- A rack is used twice for a partition only when every rack has been used.
- Where it begins is random; the rest follows.
"""

from __future__ import annotations

from collections.abc import Sequence

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..ports import Env
from .broker_image import BrokerImage


class _Ring:
    """Returns brokers in turn; after each round the order begins one position further (an
    epoch)."""

    def __init__(self, brokers: list[int], offset: int) -> None:
        self._brokers = brokers
        self._offset = offset
        self._epoch = 0
        self._index = 0

    def next(self, epoch: int) -> int:
        """The next broker of this epoch; -1 once each has had its turn."""
        if not self._brokers:
            return -1
        if self._epoch != epoch:
            self._epoch = epoch
            self._index = 0
            self._offset = (self._offset + 1) % len(self._brokers)
        if self._index >= len(self._brokers):
            return -1
        at = (self._index + self._offset) % len(self._brokers)
        self._index += 1
        return self._brokers[at]


class _Rack:
    def __init__(self, active: list[int], fenced: list[int], env: Env) -> None:
        self.active = _Ring(active, env.random.randrange(len(active)) if active else 0)
        self.fenced = _Ring(fenced, env.random.randrange(len(fenced)) if fenced else 0)

    def place(self, epoch: int) -> int:
        found = self.active.next(epoch)
        return found if found >= 0 else self.fenced.next(epoch)


class _Racks:
    def __init__(self, brokers: Sequence[BrokerImage], env: Env) -> None:
        by_rack: dict[str, tuple[list[int], list[int]]] = {}
        # If all brokers that are not fenced are stopping, one of them is still better than none.
        has_active = any(broker.is_active for broker in brokers)
        for broker in sorted(brokers, key=lambda broker: broker.broker_id):
            sides = by_rack.setdefault(broker.rack or "", ([], []))
            comes_first = broker.is_active if has_active else not broker.fenced
            sides[0 if comes_first else 1].append(broker.broker_id)
        self._racks = [_Rack(*by_rack[name], env) for name in sorted(by_rack)]
        self._epoch = 0
        self._offset = env.random.randrange(len(self._racks))

    def place(self, count: int) -> list[int]:
        """`count` brokers, the first of them active."""
        first, rack_index = self._first()
        chosen = [first]
        while len(chosen) < count:
            rack_index = (rack_index + 1) % len(self._racks)
            broker = self._racks[rack_index].place(self._epoch)
            if broker >= 0:
                chosen.append(broker)
        self._epoch += 1
        self._offset = (self._offset + 1) % len(self._racks)
        return chosen

    def _first(self) -> tuple[int, int]:
        for step in range(len(self._racks)):
            index = (self._offset + step) % len(self._racks)
            broker = self._racks[index].active.next(self._epoch)
            if broker >= 0:
                return broker, index
        raise AssertionError("checked before: some broker is active")


def place(
    brokers: Sequence[BrokerImage], partitions: int, replication_factor: int, env: Env
) -> list[list[int]]:
    """The replicas of `partitions` new partitions; the first of each is to lead.

    Raises KafkaError INVALID_REPLICATION_FACTOR (38), in Kafka's words, if there are too few
    brokers.
    """
    brokers = [broker for broker in brokers if not broker.is_cordoned]
    active = [broker for broker in brokers if not broker.fenced]
    if replication_factor <= 0:
        reason = (
            f"Invalid replication factor {replication_factor}: "
            "the replication factor must be positive."
        )
    elif not active:
        reason = "All brokers are currently fenced, or have all their log directories cordoned."
    elif replication_factor > len(brokers):
        reason = (
            f"The target replication factor of {replication_factor} cannot be reached because "
            f"only {len(brokers)} broker(s) are registered or some brokers have all their log "
            "directories cordoned."
        )
    else:
        racks = _Racks(brokers, env)
        return [racks.place(replication_factor) for _ in range(partitions)]
    raise KafkaError(
        ErrorCode.INVALID_REPLICATION_FACTOR,
        f"Unable to replicate the partition {replication_factor} time(s): {reason}",
    )
