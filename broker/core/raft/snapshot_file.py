"""Snapshots of the metadata log: `%020d-%010d.checkpoint` (KIP-630).

A snapshot holds the state before its end offset as record batches of its own: a control batch with
a header, then what the quorum and the cluster are, then a control batch with a footer. A file
without a footer, or with a batch whose checksum is wrong, is no snapshot (630-03).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import DecodeError, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.snapshot_footer_record import SnapshotFooterRecord
from barnabas.protocol.messages.snapshot_header_record import SnapshotHeaderRecord

from .metadata_batches import control_batch, entries, metadata_batch

SUFFIX: Final = ".checkpoint"
BOOTSTRAP_FILE: Final = "bootstrap.checkpoint"
_RECORDS_PER_BATCH: Final = 1000


class SnapshotId(NamedTuple):
    """Up to where in the log a snapshot reaches: `end_offset` is the first offset not in it."""

    end_offset: int
    epoch: int

    @property
    def file_name(self) -> str:
        """The name of its file."""
        return f"{self.end_offset:020d}-{self.epoch:010d}{SUFFIX}"


class DamagedSnapshotError(Exception):
    """A file that is no snapshot; the text says why."""


class Snapshot(NamedTuple):
    """What a snapshot holds."""

    last_timestamp: int  # when the last record before the snapshot was appended
    control: list[Message]
    records: list[Message]


def parse_name(name: str) -> SnapshotId | None:
    """The id in a snapshot's file name; None for any other name.

    An epoch without leading zeros is read too (C23).
    """
    stem, dot, rest = name.partition(".")
    offset, dash, epoch = stem.partition("-")
    if f"{dot}{rest}" != SUFFIX or not dash or len(offset) != 20:
        return None
    if not (offset.isascii() and offset.isdigit() and epoch.isascii() and epoch.isdigit()):
        return None
    return SnapshotId(int(offset), int(epoch))


def encode_snapshot(
    records: Iterable[Message],
    *,
    control: Iterable[Message] = (),
    metadata_version: int,
    epoch: int,
    last_timestamp: int,
    now_ms: int,
) -> bytes:
    """The bytes of a snapshot file; see `snapshot_batches`."""
    batches = snapshot_batches(
        records,
        control=control,
        metadata_version=metadata_version,
        epoch=epoch,
        last_timestamp=last_timestamp,
        now_ms=now_ms,
    )
    return b"".join(batches)


def snapshot_batches(
    records: Iterable[Message],
    *,
    control: Iterable[Message] = (),
    metadata_version: int,
    epoch: int,
    last_timestamp: int,
    now_ms: int,
    records_per_batch: int = _RECORDS_PER_BATCH,
) -> Iterator[bytes]:
    """A snapshot file, batch by batch; `control` are the quorum's records (kraft.version, voters).

    Offsets inside count from 0, as Kafka's do.
    """
    header = SnapshotHeaderRecord(last_contained_log_timestamp=last_timestamp)
    first: list[Message] = [header, *control]
    yield control_batch(first, base_offset=0, epoch=epoch, now_ms=now_ms)
    offset = len(first)
    for group in _groups(records, records_per_batch):
        yield metadata_batch(
            group, metadata_version, base_offset=offset, epoch=epoch, now_ms=now_ms
        )
        offset += len(group)
    footer = SnapshotFooterRecord()
    yield control_batch([footer], base_offset=offset, epoch=epoch, now_ms=now_ms)


def _groups(records: Iterable[Message], size: int) -> Iterator[list[Message]]:
    walk = iter(records)
    while group := list(islice(walk, size)):
        yield group


def decode_snapshot(data: Buffer) -> Snapshot:
    """What a snapshot file holds; raises `DamagedSnapshotError`."""
    control: list[Message] = []
    records: list[Message] = []
    try:
        for entry in entries(data):
            (control if entry.is_control else records).append(entry.message)
    except (DecodeError, KafkaError) as error:
        raise DamagedSnapshotError(str(error)) from None
    if not control or control[0].NAME != "SnapshotHeaderRecord":
        raise DamagedSnapshotError("it does not begin with a snapshot header")
    if control[-1].NAME != "SnapshotFooterRecord":
        raise DamagedSnapshotError("it does not end with a snapshot footer")
    timestamp = getattr(control[0], "last_contained_log_timestamp", 0)
    return Snapshot(timestamp, control[1:-1], records)
