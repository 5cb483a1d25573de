"""What counts as written is on the platters: I-5 where acknowledged means flushed, I-7 of a quorum.

The disks of all machines are looked at whenever a watermark moves: a loss of power at this moment
must not take what lies below it. No power needs to be lost for that. The same when a node has
stopped: the next start reads nothing again of a directory that was closed in good order.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from barnabas.broker.core.log.checkpoints import decode_offsets
from barnabas.broker.core.log.failures import CorruptCheckpointError
from barnabas.broker.core.log.file_names import (
    CLEAN_SHUTDOWN,
    DELETED_FOLDER,
    FUTURE_FOLDER,
    LEADER_EPOCHS,
    LOG,
    PARTITION_METADATA,
    RECOVERY_POINTS,
    STRAY_FOLDER,
    SWAP,
    TRANSACTION_INDEX,
    has_suffix,
    partition_folder,
)
from barnabas.protocol.record_batch import LOG_OVERHEAD, PLACE
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError

from .committed import maximal_of, name_of
from .replica_logs import METADATA_TOPIC, Key, key_of, key_of_partition

if TYPE_CHECKING:
    from barnabas.testing.simulation.disk import SimulatedDisk

LEAVING = (DELETED_FOLDER, FUTURE_FOLDER, STRAY_FOLDER)
"""What folders are called that nothing reads at the next start, or that are begun anew."""

LASTING = (LOG, TRANSACTION_INDEX, LEADER_EPOCHS, PARTITION_METADATA)
"""Files of a log that a clean start believes, and that nothing else tells."""

QUORUM: Key = (METADATA_TOPIC, 0)

Disks = Callable[[str], "SimulatedDisk"]


class Held:
    """One log, and how far its disk was found to hold it."""

    __slots__ = ("base", "disk_number", "end", "log", "lost_end", "position")

    def __init__(self, log: Any, disk_number: int, lost_end: int) -> None:
        """`disk_number`: how many disks were in the slot before the one that has it; `lost_end`:
        where the log ended on those."""
        self.log = log
        self.disk_number = disk_number
        self.lost_end = lost_end
        self.forget()

    def forget(self) -> None:
        """Look anew from the beginning."""
        self.end = -1
        self.base = -1
        """Segment that was looked at last."""
        self.position = 0

    def holds(self, disk: SimulatedDisk, offset: int) -> bool:
        """Whether all below `offset` that is still in the log is durable."""
        if offset <= self.end:
            return True
        for segment in self.log.segments:
            if segment.base_offset >= offset:
                break
            if segment.base_offset < self.base:
                continue
            if segment.base_offset < self.log.compaction.exchanged_upto:
                # Its names are being changed; under one of them it is durable.
                continue
            if segment.base_offset != self.base:
                self.base, self.position = segment.base_offset, 0
            path = segment.path()  # `file` would open it
            self.position = _position_of(disk, path, self.position, offset)
            if not _lasts(disk, path, self.position):
                return False
        self.end = offset
        return True


class Durability:
    """Listens to watermarks."""

    def __init__(
        self, bus: HookBus, disks: Disks, *, acked_means_flushed: bool, voters: list[int]
    ) -> None:
        self._disks = disks
        self._voters = voters
        self._held: dict[tuple[str, Key], Held] = {}
        self._proved = -1
        """The quorum's highest watermark so far."""
        self._proved_before_loss = -1
        """That was so when the last disk was lost: it stays true, whatever that disk held of it."""
        bus.listen("log-opened", self._on_opened)
        bus.listen("truncate compacted", self._on_truncate)
        bus.listen("quorum-hw", self._on_quorum)
        bus.listen("stopped", self._on_stopped)
        bus.listen("ended", self._on_ended)
        if acked_means_flushed:
            bus.listen("hw", self._on_watermark)
            bus.listen("produce-acked", self._on_acked)

    def _on_opened(self, event: Event) -> None:
        log, number = event.fields["log"], self._disks(event.node).replaced
        place, lost_end = (event.node, key_of(log)), -1
        if (former := self._held.get(place)) is not None:
            is_lost = former.disk_number != number
            lost_end = max(former.lost_end, former.log.log_end_offset if is_lost else -1)
            if is_lost and place[1] == QUORUM:
                self._proved_before_loss = self._proved
        self._held[place] = Held(log, number, lost_end)

    def _on_truncate(self, event: Event) -> None:
        self._held[event.node, key_of(event.fields["log"])].forget()

    def _holds(self, node: str, key: Key, offset: int) -> bool | None:
        """None: this machine never had such a log, or lost its disk since. Its last requests may
        be on their way then: they were true, and who loses one disk has the others."""
        held, disk = self._held.get((node, key)), self._disks(node)
        if held is None or held.disk_number != disk.replaced:
            return None
        return held.holds(disk, offset)

    def _had(self, node: str, key: Key, offset: int) -> bool:
        """Whether only the log of a lost disk can have told of `offset`: the new one ends below."""
        held = self._held.get((node, key))
        return held is not None and held.log.log_end_offset < offset <= held.lost_end

    def _on_watermark(self, event: Event) -> None:
        if not event.fields["as_leader"]:
            return
        partition = event.fields["partition"]
        offset = event.fields["high_watermark"]
        for member in maximal_of(partition):
            if self._holds(f"node-{member}", key_of_partition(partition), offset) is False:
                raise InvariantError(
                    "I-5",
                    f"{name_of(partition)}: {event.node} moves its watermark to {offset}; the disk"
                    f" of member {member} does not hold that for good",
                )

    def _on_acked(self, event: Event) -> None:
        partition, last = event.fields["partition"], event.fields["last_offset"]
        if self._holds(event.node, key_of_partition(partition), last + 1) is False:
            raise InvariantError(
                "I-5",
                f"{name_of(partition)}@{last} is acknowledged by {event.node}, whose disk does not"
                " hold it for good",
            )

    def _on_quorum(self, event: Event) -> None:
        """I-7: a majority of the voters holds what is committed, or held it before a disk went."""
        offset = event.fields["high_watermark"]
        if offset <= self._proved_before_loss:
            return
        holding = [
            one
            for one in self._voters
            if self._holds(f"node-{one}", QUORUM, offset) is not False
            or self._had(f"node-{one}", QUORUM, offset)
        ]
        if 2 * len(holding) <= len(self._voters):
            raise InvariantError(
                "I-7",
                f"{event.node}: the quorum's watermark is {offset}; of {self._voters} only the"
                f" disks of {holding} hold that for good",
            )
        self._proved = max(self._proved, offset)

    def _on_stopped(self, event: Event) -> None:
        """I-5, 98-06, 101-01: what the next start believes lasts, names included."""
        disk = self._disks(event.node)
        for directory in event.fields["log_dirs"]:
            if not disk.exists(f"{directory}/{CLEAN_SHUTDOWN}"):
                continue
            for path in _files_of_logs(disk, directory):
                if not _lasts(disk, path, len(disk.content_of(path))):
                    raise InvariantError(
                        "I-5",
                        f"{event.node} was closed in good order, and its disk does not hold"
                        f" {path} for good",
                    )

    def _on_ended(self, event: Event) -> None:
        """I-5: below the recovery point that the next start finds nothing is read again."""
        disk = self._disks(event.node)
        for directory in event.fields["log_dirs"]:
            path = f"{directory}/{RECOVERY_POINTS}"
            try:
                points = decode_offsets(bytes(disk.content_of(path)), path)
            except CorruptCheckpointError:  # or there is none: all is read
                continue
            for (topic, partition), point in points.items():
                folder = f"{directory}/{partition_folder(topic, partition)}"
                upto = self._exchanged_upto(event.node, topic, partition)
                if disk.is_directory(folder):
                    self._check_recovered(event.node, disk, folder, range(upto, point))

    def _exchanged_upto(self, node: str, topic: str, partition: int) -> int:
        """Below it names are being changed: under one of them each file is durable."""
        logs = [held.log for (holder, _), held in self._held.items() if holder == node]
        mine = [one for one in logs if (one.topic, one.partition) == (topic, partition)]
        return max((one.compaction.exchanged_upto for one in mine), default=-1)

    def _check_recovered(self, node: str, disk: SimulatedDisk, folder: str, offsets: range) -> None:
        names = [name for name in disk.list_directory(folder) if has_suffix(name, LOG)]
        for name, following in pairwise(names):
            if int(following.removesuffix(LOG)) >= offsets.stop:
                break
            if int(name.removesuffix(LOG)) < offsets.start:
                continue
            for suffix in (LOG, TRANSACTION_INDEX):
                path = f"{folder}/{name.removesuffix(LOG)}{suffix}"
                if disk.exists(path) and not _lasts(disk, path, len(disk.content_of(path))):
                    raise InvariantError(
                        "I-5",
                        f"the recovery point of {folder} of {node} is {offsets.stop}, and its"
                        f" disk does not hold {path} for good",
                    )


def _lasts(disk: SimulatedDisk, path: str, size: int) -> bool:
    """Whether so much of a file of a log is on the platters for good.

    A kill may end an exchange of segments before the folder is synced for the last time: after a
    loss of power the file may have its former name again, and every start gives it the last one
    anew (CMP-13, CMP-14).
    """
    return disk.is_durable(path, size, former=path + SWAP)


def _files_of_logs(disk: SimulatedDisk, directory: str) -> list[str]:
    """Those that must last, of topics that are there."""
    return [
        f"{directory}/{folder}/{name}"
        for folder in disk.list_directory(directory)
        if disk.is_directory(f"{directory}/{folder}") and not folder.endswith(LEAVING)
        for name in disk.list_directory(f"{directory}/{folder}")
        if name.endswith(LASTING)
    ]


def _position_of(disk: SimulatedDisk, path: str, position: int, offset: int) -> int:
    """Where the first batch at or after `offset` begins in this file."""
    content = disk.content_of(path)
    size = len(content)
    while position + LOG_OVERHEAD <= size:
        base, length = PLACE.unpack_from(content, position)
        if base >= offset:
            break
        position += LOG_OVERHEAD + length
    # What should be there and is not makes it longer than the file.
    return position if position <= size else position + 1
