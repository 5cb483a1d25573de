"""A replica on this broker, leader or not: which partition it is of, and in which epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode, KafkaError

from .former_leaders import UNKNOWN, FormerLeaders
from .parking import Parking

if TYPE_CHECKING:
    from ..config.topic import TopicConfig
    from ..log.failures import LogDirectoryFailure
    from ..log.partition_log import PartitionLog
    from .partition import Partition
    from .surroundings import Surroundings

NO_LEADER = -1


class HostedReplica(Parking):
    """What leaders and followers have in common."""

    __slots__ = (
        "_around",
        "config",
        "former_leaders",
        "index",
        "is_leader",
        "leader_epoch",
        "leader_id",
        "topic",
        "topic_id",
    )

    def __init__(
        self,
        topic: str,
        topic_id: bytes,
        index: int,
        *,
        log: PartitionLog,
        config: TopicConfig,
        around: Surroundings,
    ) -> None:
        super().__init__(log, around.env.hooks)
        self.topic = topic
        self.topic_id = topic_id
        self.index = index
        self.config = config
        self.leader_id = NO_LEADER
        self.leader_epoch = -1
        self.is_leader = False
        self.former_leaders = FormerLeaders()
        self._around = around

    def __repr__(self) -> str:
        return f"<Partition {self.topic}-{self.index} epoch {self.leader_epoch}>"

    @property
    def high_watermark(self) -> int:
        """End of what consumers may read; exclusive."""
        return self.log.high_watermark

    @property
    def is_offline(self) -> bool:
        """True after the disk refused something of this log."""
        return self.log.failure is not None

    def _is_leading(self) -> bool:
        return self.is_leader

    def readable_end(self, *, read_committed: bool) -> int:
        """Where a consumer's reads stop (392-09): the watermark, or the last stable offset."""
        log = self.log
        if read_committed:
            return min(log.high_watermark, log.last_stable_offset)
        return log.high_watermark

    def check_leader_epoch(self, current_leader_epoch: int) -> None:
        """Fence a request by the epoch that its sender believes in; -1 is no belief (392-03).

        Raises KafkaError FENCED_LEADER_EPOCH (74) or UNKNOWN_LEADER_EPOCH (75).
        """
        if current_leader_epoch < 0 or current_leader_epoch == self.leader_epoch:
            return
        if current_leader_epoch < self.leader_epoch:
            raise KafkaError(ErrorCode.FENCED_LEADER_EPOCH)
        raise KafkaError(ErrorCode.UNKNOWN_LEADER_EPOCH)

    def check_leader(self) -> None:
        """Raises KafkaError NOT_LEADER_OR_FOLLOWER (6) unless this broker leads."""
        if not self.is_leader:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)

    def on_disk_failure(self, failure: LogDirectoryFailure) -> None:
        """The disk refused: tell who waits. The log itself takes no more records from now on."""
        self._give_up(ErrorCode.KAFKA_STORAGE_ERROR)
        self._around.on_failure(self._itself(), failure)

    def _note_epoch(self, leader_epoch: int) -> None:
        """Another epoch is about to begin here: who led until now may not know (207-09)."""
        before, around = self.leader_epoch, self._around
        if leader_epoch == before:
            return
        until_ms = around.now_ms() + around.former_lease_ms
        is_first = leader_epoch == 0 if before < 0 else leader_epoch == before + 1
        if not is_first and not around.cluster.is_alone(around.node_id):
            self.former_leaders.note(UNKNOWN, until_ms)
        if self.leader_id not in (NO_LEADER, around.node_id):
            self.former_leaders.note(self.leader_id, until_ms)

    def may_tell_end(self, leader_epoch: int) -> bool:
        """Whether this broker leads in that epoch, and nobody else may believe to lead (207-09).

        Where unclean elections are allowed, ends may go back anyway: nobody is waited for (207-02).
        """
        if not self.is_leader or self.leader_epoch != leader_epoch:
            return False
        return self.config.unclean_leader_election_enable or self.former_leaders.are_silent(
            self._around.now_ms()
        )

    def _itself(self) -> Partition:
        """This object as the ports know it: nothing but `Partition` derives from here."""
        return self  # type: ignore[return-value]
