"""Where the log begins in all replicas that count, as the leader knows it (KIP-107)."""

from __future__ import annotations

from collections.abc import Mapping

from .hosted import HostedReplica
from .progress import Progress
from .surroundings import Surroundings


class LowWatermark:
    """The low watermark of one partition that this broker leads, worked out when it is asked."""

    __slots__ = ("_around", "_followers", "_replica")

    def __init__(
        self, replica: HostedReplica, around: Surroundings, followers: Mapping[int, Progress]
    ) -> None:
        self._replica = replica
        self._around = around
        self._followers = followers

    @property
    def offset(self) -> int:
        """The smallest log start of all replicas whose broker is active; -1: not known yet.

        Records below it are gone: whoever leads next does not have them either. Where a replica
        begins that has not fetched from this leader yet, nobody knows.
        """
        low = self._replica.log.log_start_offset
        for replica_id, progress in self._followers.items():
            if progress.log_start_offset < low and self._around.cluster.is_active(replica_id):
                low = progress.log_start_offset
        return low

    def settle(self) -> None:
        """Something that it depends on may be otherwise: call those who wait for it."""
        waiters = self._replica.waiters
        if waiters.deletion_count:
            waiters.on_low_watermark(self.offset)
