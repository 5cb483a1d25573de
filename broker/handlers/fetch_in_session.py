"""The results of a fetch, and the partitions of its session that rest.

The rules are in `core/replication/resting_session.py`: a partition with nothing new rests, which
means that the fetches of its session skip it until something happens to its replica.
"""

from __future__ import annotations

from barnabas.protocol.errors import KafkaError
from barnabas.protocol.messages.fetch_response import PartitionData

from ..core.replication.fetch_session import FetchContext
from ..core.replication.partition import Partition
from ..core.replication.replica_selector import ClientView
from ..core.replication.resting_session import FetchTarget, ParkedInSession
from .context import BrokerServices
from .fetch_followers import FollowerFetch
from .fetch_rows import new_row
from .hosting import hosted_replica, hosted_replica_by_id
from .waiting import Late


class ReadingInSession(Late):
    """The results of a fetch, one for each target, and which of them must be read again."""

    __slots__ = (
        "_client",
        "_is_committed",
        "_news",
        "_results",
        "_wanted",
        "follower",
        "node",
        "places",
    )

    node: BrokerServices
    follower: FollowerFetch | None
    places: dict[Partition, int]
    _client: ClientView | None
    _is_committed: bool
    _news: dict[int, None]
    _results: list[PartitionData]
    _wanted: FetchContext

    def enter_session(self, fetch: ParkedInSession) -> bool:
        """Be called when a resting partition has news; True if one has had some since this fetch
        came, which is then among the targets."""
        session = self._wanted.session
        if session is None:
            return False
        session.parked[fetch] = None
        stirred = self._wanted.stirred()
        for target in stirred:
            try:
                self.take_in(self._find(target), target)
            except KafkaError as error:
                self._wanted.targets.append(target)
                self._results.append(self._failed(None, target, error))
        return bool(stirred)

    def leave_session(self, fetch: ParkedInSession) -> None:
        """Be called no more; no error if `enter_session` was not called."""
        session = self._wanted.session
        if session is not None:
            session.parked.pop(fetch, None)

    def take_in(self, partition: Partition, target: FetchTarget) -> int:
        """Add a partition that rested when the fetch came; returns its number in the results."""
        number = len(self._results)
        self._wanted.targets.append(target)
        self._results.append(new_row(partition, target))
        self.places[partition] = number
        self._news[number] = None
        if self.follower is not None:
            self.follower.take_in(partition, target)
        return number

    def _let_rest(self) -> None:
        """Let the partitions rest about which there is nothing new."""
        session = self._wanted.session
        if session is None:
            return
        for partition, number in self.places.items():
            data = self._results[number]
            if (
                data.error_code
                or data.records
                or data.preferred_read_replica != -1
                or data.diverging_epoch.epoch != -1
                or (self._client is not None and partition.is_leader)  # 392-04: may change
                or not self.node.replicas.holds(partition)
            ):
                continue
            if self.follower is not None:
                end = partition.log.log_end_offset
            else:
                end = partition.readable_end(read_committed=self._is_committed)
            session.rest(self._wanted.targets[number], partition, end)

    def _find(self, target: FetchTarget) -> Partition:
        if isinstance(target.topic, str):
            return hosted_replica(self.node, target.topic, target.partition)
        return hosted_replica_by_id(self.node, target.topic, target.partition)

    def _failed(
        self, partition: Partition | None, target: FetchTarget, error: KafkaError
    ) -> PartitionData:
        """The row of a partition that cannot be read."""
        raise NotImplementedError
