"""Disks whose bits flip: which do, and that what rotted is never stored by another."""

from __future__ import annotations

import struct
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from kit.batches import batch

from barnabas.broker.core.log.failures import CorruptSnapshotError
from barnabas.broker.core.log.producer_entry import ProducerEntry
from barnabas.broker.core.log.producer_snapshots import decode_snapshot, encode_snapshot
from barnabas.protocol.batch_errors import CorruptBatchError
from barnabas.protocol.checksum import crc32c
from barnabas.protocol.record_batch import (
    ATTRIBUTES_AT,
    CRC_AT,
    LAST_OFFSET_DELTA_AT,
    check_batch,
)
from barnabas.testing.simulation.bit_rot import draw_bit
from barnabas.testing.simulation.checks.log_state import LogState
from barnabas.testing.simulation.checks.replica_logs import key_of
from barnabas.testing.simulation.disk import SimulatedDisk

from .stage import Stage, known_by


def _disk(**files: bytes) -> SimulatedDisk:
    disk = SimulatedDisk(Random(1))
    disk.put_back({f"/{name.replace('_', '.')}": data for name, data in files.items()})
    return disk


@pytest.mark.parametrize("seed", range(60))
def test_a_flipped_bit_of_batches_is_one_that_readers_notice(seed: int) -> None:
    """Goal: nobody is blamed for not seeing what cannot be seen."""
    batches = batch(b"one"), batch(b"two", b"three", base_offset=1)
    disk = _disk(a_log=b"".join(batches), b_txt=b"no checksum")
    drawn = draw_bit(disk, Random(seed))
    assert drawn is not None
    path, bit = drawn
    disk.flip_bit(path, bit)
    content = disk.content_of("/a.log")
    at = 0 if bit // 8 < len(batches[0]) else len(batches[0])
    with pytest.raises(CorruptBatchError):
        check_batch(content, at, len(content))


@pytest.mark.parametrize("seed", range(20))
def test_a_flipped_bit_of_producers_is_noticed(seed: int) -> None:
    disk = _disk(a_snapshot=encode_snapshot([ProducerEntry(1, 2, 3, 4, 5)]))
    drawn = draw_bit(disk, Random(seed))
    assert drawn is not None
    disk.flip_bit(*drawn)
    with pytest.raises(CorruptSnapshotError):
        decode_snapshot(bytes(disk.content_of("/a.snapshot")))


def test_a_disk_without_checksums_does_not_rot() -> None:
    assert draw_bit(_disk(a_txt=b"text", b_log=b"no batch"), Random(1)) is None


@pytest.mark.parametrize("is_rotten", [False, True])
def test_what_has_rotted_is_not_stored(is_rotten: bool) -> None:
    """I-2: a replica that takes it from another's disk is found."""
    stage = Stage()
    LogState(stage.bus)
    log = known_by([(0, 0)])
    stage.bus.tell("node-1", 1, "log-opened", {"log": log})
    stored = bytearray(batch(b"value", base_offset=5, leader_epoch=0))
    stored[-1] ^= is_rotten
    stage.bus.tell("node-1", 1, "append", {"log": log, "batches": bytes(stored)})
    assert stage.rule == ("I-2" if is_rotten else "")


@pytest.mark.parametrize(("is_rotten", "known"), [(True, 1), (False, 1), (False, 0)])
def test_what_a_rotten_batch_said_is_not_asked_for(is_rotten: bool, known: int) -> None:
    """98-04: its producer's snapshot knows of it, and who reads the batch does not any more."""
    first, last = (
        bytearray(
            batch(
                b"value",
                base_offset=n,
                leader_epoch=0,
                producer_id=7,
                producer_epoch=0,
                base_sequence=n,
            )
        )
        for n in range(2)
    )
    last[-1] ^= is_rotten
    stage = Stage()
    LogState(stage.bus)
    log = known_by([(0, 0)])
    content = bytes(first + last)
    file = SimpleNamespace(pread=lambda size, at: content[at : at + size])
    log.segments = [SimpleNamespace(size=len(content), file=file)]
    log.producers.by_id[7] = SimpleNamespace(epoch=0, last_sequence=known, next_sequence=known + 1)
    stage.bus.tell("node-1", 1, "log-opened", {"log": log})
    assert stage.rule == ("98-04" if known == 0 else "")
    stage.bus.tell(
        "node-1", 1, "append", {"log": log, "batches": batch(b"x", base_offset=5, leader_epoch=0)}
    )
    assert stage.rule == ("98-04" if known == 0 else "")


def open_with_another_end(stage: Stage, log: Any, stored: bytes, *, is_rotten: bool) -> None:
    """The log is opened, and its batch says that it ends elsewhere; unless that has rotted, its
    checksum says so too."""
    other = bytearray(stored)
    other[LAST_OFFSET_DELTA_AT + 3] ^= 8
    if not is_rotten:
        struct.pack_into(">I", other, CRC_AT, crc32c(memoryview(other)[ATTRIBUTES_AT:]))
    file = SimpleNamespace(pread=lambda size, at: bytes(other[at : at + size]))
    log.segments = [SimpleNamespace(size=len(other), file=file)]
    stage.tell(1, "log-opened", log=log)


@pytest.mark.parametrize("is_rotten", [True, False])
def test_an_end_that_has_rotted_is_no_other_batch(is_rotten: bool) -> None:
    """I-2: a log is opened again in which a batch says that it ends elsewhere; it is another one
    only if its checksum says the same (seed 500733)."""
    stored = batch(b"value", base_offset=0, leader_epoch=0)
    stage = Stage()
    log = stage.log(1)
    stage.append(1, stored)
    open_with_another_end(stage, log, stored, is_rotten=is_rotten)
    assert stage.rule == ("" if is_rotten else "I-2")
    model = stage.logs.of("node-1", key_of(log))
    assert model is not None
    assert [one.last for one in model.batches] == [0] * is_rotten


@pytest.mark.parametrize("is_rotten", [True, False])
def test_a_compacted_log_that_has_rotted_is_opened(is_rotten: bool) -> None:
    """I-2, I-4: what rots in a compacted log is for its node to meet: a check that reads it raises
    nothing into the node, and the batch ends where it did. With a checksum that says the same it
    is another batch, and who leads with it is found."""
    stored = batch(b"value", base_offset=0, leader_epoch=0)
    stage = Stage()
    log = stage.log(1)
    log.rules = SimpleNamespace(compact=True)
    stage.tell(1, "log-opened", log=log)
    stage.append(1, stored)
    stage.commit(1, 1, isr=(1,))
    open_with_another_end(stage, log, stored, is_rotten=is_rotten)
    assert stage.rule == ""
    stage.lead(1, epoch=1)
    assert stage.rule == ("" if is_rotten else "I-4")
