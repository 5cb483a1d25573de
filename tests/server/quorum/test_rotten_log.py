"""A metadata log or snapshot with a bit turned over: a start names the place, and loses nothing.

A refused start is no crash: the markers of a clean stop stay, so that the next start does not cut
what is damaged off as a lost tail, with all that comes behind it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from kit.rotten import positions_in, turn_bit

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.core.log.file_names import CLEAN_SHUTDOWN
from barnabas.broker.core.log.identity import write_clean_shutdown
from barnabas.broker.node import Node
from barnabas.broker.server.formatting import MetadataError
from barnabas.broker.storage.files import RealDisk
from barnabas.protocol.errors import KafkaError

from ..metadata_logs import METADATA, create, open_log, running

TOPICS = list("abcde")
BOOTSTRAP = "00000000000000000000-0000000000.checkpoint"
FIRST_SEGMENT = "00000000000000000000.log"


async def with_topics(directory: Path, *, has_snapshot: bool = False) -> Path:
    """The metadata log's folder of a quorum of one that knows five topics, stopped cleanly."""
    async with running(directory) as metadata:
        for name in TOPICS:
            await create(metadata, name)
        if has_snapshot:
            await metadata.quorum.make_snapshot()
    write_clean_shutdown(RealDisk(), str(directory), -1)
    return directory / METADATA


def middle_of(path: Path) -> int:
    return len(positions_in(path.read_bytes())) // 2


@pytest.mark.timeout(30)
@pytest.mark.parametrize(("byte", "bit"), [(5, 16), (7, 64)])
async def test_an_offset_that_leaves_a_hole(tmp_path: Path, byte: int, bit: int) -> None:
    """630-11: what comes behind it has no place: the start ends, and says where that is."""
    path = await with_topics(tmp_path) / FIRST_SEGMENT
    turn_bit(path, middle_of(path), byte, bit)
    for _ in range(2):
        with pytest.raises(MetadataError, match=rf"{METADATA}: where offset \d+ was due is one of"):
            open_log(tmp_path)


async def test_a_bootstrap_snapshot_beside_a_newer_one(tmp_path: Path) -> None:
    """630-03: the newer one has all that it says, so a start does without it."""
    folder = await with_topics(tmp_path, has_snapshot=True)
    turn_first_bit_of(folder / BOOTSTRAP)
    metadata = open_log(tmp_path)
    assert sorted(metadata.image.topics_by_name) == TOPICS
    assert metadata.quorum.raft.voters.ids == [metadata.node_id]
    await metadata.stop()


async def test_a_bootstrap_snapshot_that_rots_after_the_start(tmp_path: Path) -> None:
    """630-03: without a newer one nobody else names the first voters: the error names the file."""
    folder = await with_topics(tmp_path)
    metadata = open_log(tmp_path)
    turn_first_bit_of(folder / BOOTSTRAP)
    log = metadata.quorum.log
    log.files.forget_loaded()
    log.truncate(log.end_offset)  # after which voters are looked for again
    with pytest.raises(MetadataError, match=f"{BOOTSTRAP}: damaged snapshot"):
        log.controls()
    await metadata.stop()


def turn_first_bit_of(path: Path) -> None:
    """A bit behind the header of the first batch, which its checksum covers."""
    turn_bit(path, 0, 80, 1)


@pytest.mark.parametrize(
    ("byte", "bit"), [(0, 0x80), (7, 1), (60, 1)], ids=["negative", "twice", "records"]
)
async def test_a_refused_start_leaves_the_marker(tmp_path: Path, byte: int, bit: int) -> None:
    """630-11, I-5: so that each start is refused, and none cuts the log at the damaged batch."""
    directories = tmp_path / "a", tmp_path / "b"
    config = replace(
        BrokerConfig(),
        log_dirs=tuple(map(str, directories)),
        listeners=("PLAINTEXT://127.0.0.1:0",),
        logging_level="error",
    )
    node = await Node.start(config)
    await node.stop()
    path = directories[0] / METADATA / FIRST_SEGMENT
    number = middle_of(path)
    turn_bit(path, number, byte, bit)
    damaged, markers = path.read_bytes(), [one / CLEAN_SHUTDOWN for one in directories]
    told = [one.read_bytes() for one in markers]
    for _ in range(2):
        with pytest.raises((MetadataError, KafkaError), match=METADATA):
            await Node.start(config)
        assert path.read_bytes().startswith(damaged)
        assert [one.read_bytes() for one in markers] == told
    turn_bit(path, number, byte, bit)
    node = await Node.start(config)  # mended, it begins as after any clean stop
    assert not any("cut" in note for note in node.quorum.notes)
    await node.stop()


async def test_settings_that_are_refused_leave_the_marker(tmp_path: Path) -> None:
    """630-11: a setting of the quorum that cannot be is no crash either."""
    await with_topics(tmp_path)
    marker = tmp_path / CLEAN_SHUTDOWN
    with pytest.raises(ConfigError):
        open_log(tmp_path, controller_quorum_voters=("no voter",))
    assert marker.exists()
    metadata = open_log(tmp_path)
    assert not marker.exists()
    assert sorted(metadata.image.topics_by_name) == TOPICS
    await metadata.stop()
