"""Files that are cut, changed or gone when a node comes back (P-13, P-15, P-16, P-23)."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from barnabas.client import Consumer, TopicPartition
from barnabas.client.errors import ClientError

from .history import number_of
from .rows import Hold, Row
from .scene import NotHealedError, Scene
from .workload import TOPIC

MOVED_WITHIN_S = 15.0
MOVED = Hold(gap_ms=MOVED_WITHIN_S * 1000.0)
_TMPFS_BYTES = 64 * 1024 * 1024
_BALLAST = "ballast"
_PIECES_BYTES = (1024 * 1024, 4096)
_READ_MS = 3_000


# --- cut and wiped --------------------------------------------------------------------------------


async def cut_segments(scene: Scene) -> None:
    """P-16: the last segment of each replica ends in the middle of a batch, as after a crash."""
    node_id = await scene.other_broker(await scene.active_controller())
    await scene.kill(node_id)
    for path in last_segments(scene, node_id):
        size = path.stat().st_size
        if size:
            os.truncate(path, scene.random.randrange(size))
    await scene.start(node_id)


async def wipe_broker(scene: Scene) -> None:
    """P-23: its disk is new; everything is replicated again."""
    await _wipe(scene, await scene.busiest())


async def wipe_controller(scene: Scene) -> None:
    """P-23: a controller's disk is new; the log comes from the active one."""
    active = await scene.active_controller()
    node_id = next(one for one in scene.voters if one != active)
    await _wipe(scene, node_id)

    async def is_caught_up() -> bool:
        found = await scene.admin.describe_quorum()
        (voter,) = [one for one in found.voters if one.replica_id == node_id]
        return voter.log_end_offset >= 0 and found.lag_of(voter) <= 2

    took_s = await scene.until(f"controller {node_id} does not catch up", is_caught_up)
    scene.measured("caught_up_s", took_s)


async def restore_backup(scene: Scene) -> None:
    """P-23: a broker comes back with its directory as it was some time ago."""
    node_id = await scene.other_broker(await scene.active_controller())
    directory = scene.cluster.directory_of(node_id)
    backup = directory.with_suffix(".backup")
    await scene.stop(node_id)
    await scene.away(shutil.copytree, directory, backup)
    await scene.start(node_id)
    await scene.until_back()
    await scene.steady()
    await scene.stop(node_id)
    scene.progress(f"node {node_id}: directory replaced by an older one")
    shutil.rmtree(directory)
    backup.rename(directory)
    await scene.start(node_id)


async def _wipe(scene: Scene, node_id: int) -> None:
    await scene.kill(node_id)
    scene.progress(f"node {node_id}: directory removed")
    shutil.rmtree(scene.cluster.directory_of(node_id))
    await scene.start(node_id)


# --- one byte -------------------------------------------------------------------------------------


async def flip_active(scene: Scene) -> None:
    """P-15, active segment: recovery after a crash cuts there, and the rest is fetched again."""
    node_id = await scene.other_broker(await scene.active_controller())
    await scene.kill(node_id)
    for path in last_segments(scene, node_id):
        flip_byte(scene, path)
    await scene.start(node_id)


async def flip_index(scene: Scene) -> None:
    """P-15, indexes: they are made again or found to be wrong; records are right all the same."""
    node_id = await scene.other_broker(await scene.active_controller())
    await scene.stop(node_id)
    for pattern in ("*.index", "*.timeindex"):
        for path in scene.cluster.directory_of(node_id).glob(f"{TOPIC}-*/{pattern}"):
            flip_byte(scene, path)
    await scene.start(node_id)
    await scene.until_back()
    await _read_at(scene, node_id, must_reach_end=True)


async def flip_cold(scene: Scene) -> None:
    """P-15, cold segment: what is damaged is never served."""
    node_id = await scene.other_broker(await scene.active_controller())
    await scene.stop(node_id)
    flipped = 0
    for directory in scene.cluster.directory_of(node_id).glob(f"{TOPIC}-*"):
        cold = [path for path in sorted(directory.glob("*.log"))[:-1] if path.stat().st_size]
        for path in cold[:1]:
            flip_byte(scene, path)
            flipped += 1
    scene.require(flipped > 0, "there is no cold segment yet: work longer before the fault")
    scene.ignored[node_id] = "its cold segments were damaged on purpose"
    await scene.start(node_id)
    await scene.until_back()
    await _read_at(scene, node_id, must_reach_end=False)


async def flip_quorum_state(scene: Scene) -> None:
    """P-15, quorum-state: a voter that cannot know its votes refuses to start, and says so."""
    active = await scene.active_controller()
    node_id = next(one for one in scene.voters if one != active)
    await scene.stop(node_id)
    path = scene.cluster.directory_of(node_id) / "__cluster_metadata-0" / "quorum-state"
    content = path.read_bytes()
    # The brace that ends the object: no change of a digit, which nothing could detect.
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 0x20]))
    output = scene.cluster.output_of(node_id)
    said = output.stat().st_size
    await scene.start(node_id)
    await scene.until_ended(node_id)
    text = output.read_bytes()[said:].decode(errors="replace")
    scene.require("quorum-state" in text, f"the refusal does not name the file: {text!r}")
    scene.require("Traceback" not in text, f"the refusal is an exception: {text!r}")
    path.write_bytes(content)
    await scene.start(node_id)


async def flip_snapshot(scene: Scene) -> None:
    """P-15, snapshot: it is ignored, and fetched again from the active controller."""
    active = await scene.active_controller()
    node_id = next(one for one in scene.voters if one != active)
    directory = scene.cluster.directory_of(node_id) / "__cluster_metadata-0"

    async def has_snapshot() -> bool:
        return any(directory.glob("*.checkpoint"))

    await scene.until("no snapshot of the metadata was made", has_snapshot)
    await scene.kill(node_id)
    for path in sorted(directory.glob("*.checkpoint")):
        flip_byte(scene, path)
    await scene.start(node_id)


def flip_byte(scene: Scene, path: Path) -> None:
    """Change one bit of one byte, chosen at random."""
    content = bytearray(path.read_bytes())
    if content:
        place = scene.random.randrange(len(content))
        content[place] ^= 1 << scene.random.randrange(8)
        path.write_bytes(content)
        scene.progress(f"{path.parent.name}/{path.name}: a bit of byte {place} flipped")


def last_segments(scene: Scene, node_id: int) -> list[Path]:
    """The active segment of each replica on a node."""
    directories = sorted(scene.cluster.directory_of(node_id).glob(f"{TOPIC}-*"))
    found = [sorted(directory.glob("*.log")) for directory in directories]
    return [paths[-1] for paths in found if paths]


async def _read_at(scene: Scene, node_id: int, *, must_reach_end: bool) -> None:
    """Read everything from the beginning, in the node's rack: no value may be wrong."""
    rack = scene.cluster.layout.node(node_id).rack or ""
    found = await scene.partitions()
    where = [TopicPartition(TOPIC, one.partition) for one in found]
    async with Consumer(
        bootstrap_servers=scene.cluster.bootstrap, client_rack=rack, auto_offset_reset="earliest"
    ) as consumer:
        consumer.assign(where)
        ends = await consumer.end_offsets(where)
        reached = dict.fromkeys(where, 0)
        while any(reached[one] < ends[one] for one in where):
            try:
                records = await consumer.getmany(timeout_ms=_READ_MS)
            except ClientError as error:
                scene.history.refused("reader", error)
                break
            if not records:
                break
            for one, some in records.items():
                wrong = [record.offset for record in some if number_of(record.value) is None]
                scene.require(not wrong, f"{one}: damaged records served at {wrong[:5]}")
                reached[one] = some[-1].offset + 1
    short = [f"{one}: {reached[one]} of {ends[one]}" for one in where if reached[one] < ends[one]]
    if must_reach_end:
        scene.require(not short, f"a reader stopped early: {', '.join(short)}")
    else:
        scene.measured("partitions_not_read_to_the_end", len(short))


# --- no room --------------------------------------------------------------------------------------


def cannot_mount() -> str:
    """Why no small file system can be mounted here; empty if one can."""
    return "" if os.geteuid() == 0 else "a small file system can only be mounted by root"


async def fill_follower(scene: Scene) -> None:
    """P-13: the disk of a broker that does not lead most."""
    others = (await scene.busiest(), await scene.active_controller())
    await _fill(scene, await scene.other_broker(*others))


async def fill_leader(scene: Scene) -> None:
    """P-13: the disk of the broker that leads most; leaderships move, or writes are refused."""
    await _fill(scene, await scene.busiest())


async def fill_controller(scene: Scene) -> None:
    """P-13: the disk of the active controller, which can decide nothing any more."""
    await _fill(scene, await scene.active_controller())


async def _fill(scene: Scene, node_id: int) -> None:
    directory = scene.cluster.directory_of(node_id)
    await scene.stop(node_id)
    await scene.away(_move_to_tmpfs, directory)
    try:
        await scene.start(node_id)
        await scene.until_back()
        scene.progress(f"node {node_id}: disk full")
        _fill_up(directory)
        began_s = scene.history.now_s()
        await scene.until_acked()
        scene.within("moved_s", scene.history.now_s() - began_s, MOVED_WITHIN_S)
        try:
            await scene.until_out_of_isr(node_id, scene.lengths.fault_s + MOVED_WITHIN_S)
        except NotHealedError:
            scene.progress(f"node {node_id} still takes writes")
        (directory / _BALLAST).unlink()
        scene.progress(f"node {node_id}: space again, and a restart")
        if scene.cluster.state_of(node_id) != "stopped":
            await scene.stop(node_id)
        await scene.start(node_id)
        await scene.until_back()
        await scene.stop(node_id)
    finally:
        if scene.cluster.state_of(node_id) != "stopped":  # only if something went wrong
            await scene.kill(node_id)
        await scene.away(_move_back, directory)
    await scene.start(node_id)


def _move_to_tmpfs(directory: Path) -> None:
    """Move the node's files to a small file system at the same path."""
    aside = directory.with_suffix(".aside")
    directory.rename(aside)
    directory.mkdir()
    size = f"size={_TMPFS_BYTES}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(directory)], check=True)
    shutil.copytree(aside, directory, dirs_exist_ok=True)
    shutil.rmtree(aside)


def _fill_up(directory: Path) -> None:
    """Fill the file system to the last page, although the node writes meanwhile."""
    size = 0
    with (directory / _BALLAST).open("wb") as file:
        for piece in _PIECES_BYTES:
            with suppress(OSError):
                while True:
                    os.posix_fallocate(file.fileno(), size, piece)
                    size += piece


def _move_back(directory: Path) -> None:
    aside = directory.with_suffix(".aside")
    shutil.copytree(directory, aside, ignore=shutil.ignore_patterns(_BALLAST))
    subprocess.run(["umount", str(directory)], check=True)
    directory.rmdir()
    aside.rename(directory)


SNAPSHOT_OFTEN = {
    "metadata.log.max.record.bytes.between.snapshots": "1",
    "controller.snapshot.minimum.records": "20",
}
ROLL_OFTEN = {"log.roll.ms": "1000"}

DAMAGE = (
    Row("P-16", "last segments cut at a random byte", cut_segments, repeats=50),
    Row("P-23", "a broker's disk wiped", wipe_broker, repeats=5),
    Row("P-23c", "a controller's disk wiped", wipe_controller, repeats=5, controllers=3),
    Row("P-23b", "a broker's disk put back to an older state", restore_backup, repeats=5),
    Row("P-15a", "a bit flipped in active segments", flip_active, repeats=10),
    Row("P-15i", "a bit flipped in indexes", flip_index, repeats=10),
    Row("P-15c", "a bit flipped in cold segments", flip_cold, repeats=1, settings=ROLL_OFTEN),
    Row("P-15s", "a bit flipped in snapshots", flip_snapshot, repeats=10, settings=SNAPSHOT_OFTEN),
    Row("P-15q", "a bit flipped in quorum-state", flip_quorum_state, repeats=10),
    Row("P-13", "a follower's disk full", fill_follower, 10, MOVED, obstacle=cannot_mount),
    Row(
        "P-13c",
        "the active controller's disk full",
        fill_controller,
        10,
        MOVED,
        obstacle=cannot_mount,
    ),
    Row("P-13l", "a leader's disk full", fill_leader, 10, MOVED, obstacle=cannot_mount),
)
