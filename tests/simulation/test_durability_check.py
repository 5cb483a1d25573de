"""I-7 as it is checked at the disks: who must hold what is committed, and whose word counts."""

from __future__ import annotations

from contextlib import closing
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.testing.simulation.checks.durability import Durability
from barnabas.testing.simulation.checks.replica_logs import METADATA_TOPIC
from barnabas.testing.simulation.disk import SimulatedDisk
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.work import Work

VOTERS = [1, 2, 3]


class Disk:
    """Holds everything for good, or nothing."""

    def __init__(self, *, is_durable: bool) -> None:
        self.replaced = 0
        self._is_durable = is_durable

    def content_of(self, path: str) -> bytes:
        del path
        return b""

    def is_durable(self, path: str, position: int, *, former: str) -> bool:
        del path, position, former
        return self._is_durable


def _rule_of(loop: Any) -> str:
    """That of the violation; empty without one."""
    return "" if loop.violation is None else loop.violation.rule


def _log(end: int) -> Any:
    segment = SimpleNamespace(base_offset=0, path=lambda: "/log")
    return SimpleNamespace(
        topic=METADATA_TOPIC,
        partition=0,
        segments=[segment],
        compaction=SimpleNamespace(exchanged_upto=0),
        log_end_offset=end,
    )


def _told(
    disks: dict[str, Any], *, lost: str = "", end: int = 1, new_end: int | None = None
) -> str:
    """The verdict when node 1 commits all below offset 1; `lost` has another disk than the one that
    had its log, which ended at `end`; `new_end`: it has a new one there, which ends so."""
    loop: Any = SimpleNamespace(now=0.0, violation=None, work=Work())
    bus = HookBus(loop)
    Durability(bus, disks.__getitem__, acked_means_flushed=False, voters=VOTERS)
    for name in disks:
        bus.tell(name, 1, "log-opened", {"log": _log(end)})
    if lost:
        disks[lost].replaced += 1
    if new_end is not None:
        bus.tell(lost, 2, "log-opened", {"log": _log(new_end)})
    bus.tell("node-1", 1, "quorum-hw", {"high_watermark": 1, "epoch": 1})
    return _rule_of(loop)


def _disks(*durable: int) -> dict[str, Any]:
    return {f"node-{one}": Disk(is_durable=one in durable) for one in VOTERS}


def test_a_majority_holds_what_is_committed() -> None:
    """Goal: two of three are enough, one is not."""
    assert _told(_disks(1, 2)) == ""
    assert _told(_disks(1)) == "I-7"


def test_the_last_request_of_a_lost_disk_was_true() -> None:
    """Goal: what a voter had flushed and told counts, though its disk was gone when it arrived."""
    assert _told(_disks(1), lost="node-2") == ""
    assert _told(_disks(), lost="node-2") == "I-7"


def test_it_was_true_also_when_the_voter_runs_again() -> None:
    """Goal: an empty log on the new disk takes nothing back; what the old one never had, or what
    the new one has as well, the new disk must hold."""
    assert _told(_disks(1), lost="node-2", new_end=0) == ""
    assert _told(_disks(1), lost="node-2", new_end=0, end=0) == "I-7"
    assert _told(_disks(1), lost="node-2", new_end=1) == "I-7"


def test_what_was_committed_stays_so() -> None:
    """Goal: a voter on a new disk may be told of an old watermark before it holds that for good;
    what is committed since must be held by a majority (seed 515532)."""
    disks = _disks(1, 2)
    loop: Any = SimpleNamespace(now=0.0, violation=None, work=Work())
    bus = HookBus(loop)
    Durability(bus, disks.__getitem__, acked_means_flushed=False, voters=VOTERS)
    for name in disks:
        bus.tell(name, 1, "log-opened", {"log": _log(1)})
    bus.tell("node-1", 1, "quorum-hw", {"high_watermark": 1, "epoch": 1})
    disks["node-2"] = Disk(is_durable=False)
    disks["node-2"].replaced = 1
    bus.tell("node-2", 2, "log-opened", {"log": _log(2)})
    bus.tell("node-2", 2, "quorum-hw", {"high_watermark": 1, "epoch": 1})
    assert _rule_of(loop) == ""
    bus.tell("node-2", 2, "quorum-hw", {"high_watermark": 2, "epoch": 1})
    assert _rule_of(loop) == "I-7"


def _verdict(disk: SimulatedDisk, event: str) -> str:
    """Of a node with this disk, whose logs are below /d, when the event is told."""
    loop: Any = SimpleNamespace(now=0.0, violation=None, work=Work())
    bus = HookBus(loop)
    Durability(bus, lambda _: disk, acked_means_flushed=False, voters=VOTERS)
    bus.tell("node-1", 1, event, {"log_dirs": ["/d"]})
    return _rule_of(loop)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("t-0/0.log", "I-5"),
        ("t-0/0.txnindex", "I-5"),
        ("t-0/leader-epoch-checkpoint", "I-5"),
        ("t-0/0.index", ""),
        ("t-0.1-delete/0.log", ""),
    ],
)
@pytest.mark.parametrize("marker", [True, False])
def test_what_a_clean_stop_vouches_for(name: str, verdict: str, *, marker: bool) -> None:
    """Goal: with the marker of a clean stop, what is believed at the next start is durable; names
    count, and what can be made again does not."""
    disk = SimulatedDisk(Random(1))
    path = f"/d/{name}"
    disk.make_directory(path.rpartition("/")[0])
    with closing(disk.open(path, create=True)) as file:
        file.append([b"x"])
        file.fsync()
    if marker:
        disk.write_file_atomically("/d/.kafka_cleanshutdown", b"{}")

    assert _verdict(disk, "stopped") == (verdict if marker else "")
    disk.fsync_directory(path.rpartition("/")[0])
    assert _verdict(disk, "stopped") == ""


@pytest.mark.parametrize(
    ("point", "verdict"), [("t 0 7", ""), ("t 0 10", ""), ("t 0 11", "I-5"), ("x", "")]
)
@pytest.mark.parametrize("suffix", ["log", "txnindex"])
def test_what_a_recovery_point_vouches_for(point: str, verdict: str, suffix: str) -> None:
    """Goal: a segment before one that begins below the recovery point is durable; a damaged
    checkpoint vouches for nothing."""
    disk = SimulatedDisk(Random(1))
    disk.make_directory("/d/t-0")
    for name in (f"{0:020}.log", f"{10:020}.log", f"{0:020}.{suffix}"):
        with closing(disk.open(f"/d/t-0/{name}", create=True)) as file:
            if not name.startswith(f"{0:020}.{suffix}"):
                file.fsync()
    disk.fsync_directory("/d/t-0")
    with closing(disk.open(f"/d/t-0/{0:020}.{suffix}")) as file:
        file.append([b"x"])
    text = f"0\n1\n{point}\n"
    disk.write_file_atomically("/d/recovery-point-offset-checkpoint", text.encode())
    assert _verdict(disk, "ended") == verdict


@pytest.mark.parametrize(
    ("before", "verdict"), [(".swap", ""), (".cleaned", "I-5"), (".deleted", "I-5")]
)
def test_an_exchange_that_a_kill_has_interrupted(before: str, verdict: str) -> None:
    """CMP-14: the name of before is as good if the next start finishes the exchange (seed
    499899)."""
    disk = SimulatedDisk(Random(1))
    disk.make_directory("/d/t-0")
    for name in (f"{0:020}.log{before}", f"{10:020}.log"):
        with closing(disk.open(f"/d/t-0/{name}", create=True)) as file:
            file.append([b"x"])
            file.fsync()
    disk.fsync_directory("/d/t-0")
    disk.rename(f"/d/t-0/{0:020}.log{before}", f"/d/t-0/{0:020}.log")
    disk.write_file_atomically("/d/recovery-point-offset-checkpoint", b"0\n1\nt 0 11\n")
    assert _verdict(disk, "ended") == verdict
    disk.fsync_directory("/d/t-0")
    assert _verdict(disk, "ended") == ""
