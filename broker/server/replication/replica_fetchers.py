"""The fetchers of a broker: `num.replica.fetchers` for each leader, with the partitions spread."""

from __future__ import annotations

import zlib

from barnabas.protocol.errors import KafkaError

from ...core.log.failures import LogDirectoryFailure
from ...core.replication.partition import Partition
from ...core.replication.truncation import Truncation
from .channels import Connect, channels_of
from .copying import Copying
from .fetcher import Fetcher
from .followed import Followed, Key
from .services import ReplicationServices


class ReplicaFetchers:
    """The `FollowerPort` of a broker. It fetches nothing before `start`."""

    def __init__(self, node: ReplicationServices, connect: Connect | None = None) -> None:
        self._node = node
        self._connect = channels_of(node) if connect is None else connect
        self.copying = Copying(node)
        """What all fetchers share."""
        self._is_started = False
        self._followed: dict[Key, tuple[Followed, int]] = {}
        """Every partition that is followed, and its leader."""
        self._fetchers: dict[tuple[int, int], Fetcher] = {}
        self._closing: list[Fetcher] = []

    def __len__(self) -> int:
        return len(self._fetchers)

    # --- the port -----------------------------------------------------------------------------

    def follow(self, partition: Partition, leader_id: int, leader_epoch: int) -> None:
        """Fetch this partition from `leader_id`, from its present end on (see `FollowerPort`)."""
        left = self._drop(partition)
        followed = Followed(partition, leader_epoch, self._node.config.replica_fetch_backoff_ms)
        if self._cut_what_has_no_epoch(followed):
            self._followed[followed.key] = (followed, leader_id)
            if self._is_started:
                self._fetcher_of(followed, leader_id).add(followed)
        self._close_if_empty(left)

    def unfollow(self, partition: Partition) -> None:
        """Do not fetch it any more."""
        self._close_if_empty(self._drop(partition))

    # --- life ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to fetch; this broker is registered, so leaders know its epoch."""
        self._is_started = True
        for followed, leader_id in self._followed.values():
            self._fetcher_of(followed, leader_id).add(followed)

    async def stop(self) -> None:
        """End all fetchers; nothing is appended to a followed log any more."""
        self._is_started = False
        for followed, _ in self._followed.values():
            followed.end()
        self._followed.clear()
        fetchers, self._fetchers = list(self._fetchers.values()), {}
        for fetcher in fetchers:
            fetcher.close()
        for fetcher in (*fetchers, *self._closing):
            await fetcher.closed()

    def figures(self) -> dict[str, float]:
        """The metrics by name."""
        lags = [
            followed.partition.leader_high_watermark - followed.partition.log.log_end_offset
            for followed, _ in self._followed.values()
        ]
        cuts, deep_cuts = self.copying.truncations, self.copying.truncations_below_watermark
        return {
            "ReplicaFetcherManager.MaxLag": max((0, *lags)),
            "ReplicaFetcherManager.FetcherCount": len(self._fetchers),
            "ReplicaFetcherManager.FailedPartitionsCount": sum(
                not followed.is_ready and followed.timer is None
                for followed, _ in self._followed.values()
            ),
            "ReplicaFetcherManager.Truncations": cuts,
            "ReplicaFetcherManager.TruncationsBelowHighWatermark": deep_cuts,
        }

    # --- inside -------------------------------------------------------------------------------

    def _cut_what_has_no_epoch(self, followed: Followed) -> bool:
        """Records without epochs (old formats) cannot be compared: only what is committed is
        kept."""
        log = followed.partition.log
        _, last_epoch, _ = followed.follower.position()
        if last_epoch >= 0 or log.log_end_offset <= log.high_watermark:
            return True

        try:
            self.copying.begin_cut(
                followed,
                Truncation(log.high_watermark, is_complete=True),
                "its records have no leader epochs",
            )
        except LogDirectoryFailure:
            return False
        except KafkaError:
            pass  # not now, for segments are being exchanged there: the fetcher makes the cut
        return True

    def _drop(self, partition: Partition) -> tuple[int, int] | None:
        """Take the partition from the fetcher that has it; returns the place of a fetcher that lost
        it."""
        key = (partition.topic_id, partition.index)
        followed, leader_id = self._followed.pop(key, (None, -1))
        if followed is None:
            return None
        followed.end()
        place = (leader_id, self._number_of(followed))
        if place in self._fetchers:
            self._fetchers[place].remove(key)
        return place

    def _close_if_empty(self, place: tuple[int, int] | None) -> None:
        fetcher = None if place is None else self._fetchers.get(place)
        if place is not None and fetcher is not None and not len(fetcher):
            del self._fetchers[place]
            fetcher.close()
            self._closing = [one for one in self._closing if not one.is_closed]
            self._closing.append(fetcher)

    def _fetcher_of(self, followed: Followed, leader_id: int) -> Fetcher:
        place = (leader_id, self._number_of(followed))
        fetcher = self._fetchers.get(place)
        if fetcher is None:
            fetcher = self._fetchers[place] = Fetcher(
                self._node, self.copying, leader_id, self._connect
            )
        return fetcher

    def _number_of(self, followed: Followed) -> int:
        """The number of the leader's fetcher that has this partition; the same after every
        restart."""
        topic_id, index = followed.key
        return (zlib.crc32(topic_id) + index) % self._node.config.num_replica_fetchers
