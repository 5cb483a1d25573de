"""The simulated disk: what is synced survives power loss, what is not may not."""

from __future__ import annotations

import errno
from contextlib import closing
from random import Random

import pytest

from barnabas.testing.simulation.disk import DeadNodeTouchedDiskError, SimulatedDisk
from barnabas.testing.simulation.incarnation import CURRENT, Incarnation


def test_synced_bytes_survive_power_loss() -> None:
    """Goal: after fsync of file and directory nothing is lost, whatever the seed."""
    for seed in range(50):
        disk = SimulatedDisk(Random(seed))
        disk.make_directory("/d")
        file = disk.open("/d/f", create=True)
        file.append([b"abc", b"def"])
        file.fsync()
        disk.fsync_directory("/d")
        disk.lose_power()
        assert disk.read_file("/d/f") == b"abcdef"


def test_unsynced_bytes_may_be_lost_torn_or_kept() -> None:
    """Goal: all three outcomes of an unsynced append happen over the seeds."""
    outcomes = set()
    for seed in range(200):
        disk = SimulatedDisk(Random(seed), names_are_durable=True)
        disk.make_directory("/d")
        file = disk.open("/d/f", create=True)
        file.append([b"kept"])
        file.fsync()
        file.append([b"x" * 1000])
        disk.lose_power()
        content = disk.read_file("/d/f")
        assert content.startswith(b"kept")
        outcomes.add(
            "lost" if len(content) == 4 else "kept" if content.count(b"x") == 1000 else "torn"
        )
    assert outcomes == {"lost", "kept", "torn"}


def test_a_name_is_durable_only_with_its_directory() -> None:
    """Goal: a rename that was not followed by an fsync of the directory may be undone."""
    outcomes = set()
    for seed in range(100):
        disk = SimulatedDisk(Random(seed))
        disk.make_directory("/d")
        disk.write_file_atomically("/d/old", b"1")
        disk.rename("/d/old", "/d/new")
        disk.lose_power()
        outcomes.add(tuple(disk.list_directory("/d")))
    assert ("old",) in outcomes
    assert ("new",) in outcomes


def test_fsync_error_drops_the_dirty_data_once() -> None:
    """Goal: as Linux: the error is told once, the data is gone, the next fsync succeeds."""
    disk = SimulatedDisk(Random(1), names_are_durable=True)
    disk.make_directory("/d")
    file = disk.open("/d/f", create=True)
    file.append([b"x"])
    disk.faults.fsync_error = 1.0
    with pytest.raises(OSError, match="fsync"):
        file.fsync()
    disk.faults.fsync_error = 0.0
    file.fsync()
    assert file.size() == 0


def test_full_disk() -> None:
    """Goal: the budget of free bytes ends in ENOSPC, and nothing of the write is there."""
    disk = SimulatedDisk(Random(1))
    disk.make_directory("/d")
    disk.faults.free_bytes = 10
    file = disk.open("/d/f", create=True)
    file.append([b"12345678"])
    with pytest.raises(OSError, match="full") as error:
        file.append([b"9abc"])
    assert error.value.errno == errno.ENOSPC
    assert file.size() == 8


def test_a_dead_incarnation_must_not_touch_its_disk() -> None:
    """Goal: the second net of the crash model (1.4)."""
    disk = SimulatedDisk(Random(1))
    dead = Incarnation("n", 1, is_dead=True)
    token = CURRENT.set(dead)
    try:
        with pytest.raises(DeadNodeTouchedDiskError):
            disk.open("/f", create=True)
    finally:
        CURRENT.reset(token)


def test_directories_move_with_what_is_in_them() -> None:
    """Goal: renaming a partition's directory for deletion works as on a real disk."""
    disk = SimulatedDisk(Random(1))
    disk.make_directory("/d/topic-0")
    disk.write_file_atomically("/d/topic-0/f", b"1")
    disk.rename("/d/topic-0", "/d/topic-0.x-delete")
    assert disk.list_directory("/d") == ["topic-0.x-delete"]
    assert disk.read_file("/d/topic-0.x-delete/f") == b"1"
    disk.remove_tree("/d/topic-0.x-delete")
    assert disk.list_directory("/d") == []


def test_a_directory_lasts_once_it_is_synced() -> None:
    """Goal: a new directory, or a new name of one, goes with the power until its parent is synced;
    what lies in it goes too."""
    kept = renamed = 0
    for seed in range(40):
        disk = SimulatedDisk(Random(seed), forgets_directories=True)
        disk.set_up_directory("/d")
        for name in ("sure", "old"):
            disk.make_directory(f"/d/{name}")
        disk.fsync_directory("/d")
        disk.rename("/d/old", "/d/new")
        disk.make_directory("/d/fresh")
        disk.write_file_atomically("/d/fresh/file", b"1")
        assert not disk.is_durable("/d/fresh/file", 1)
        disk.lose_power()
        assert disk.is_directory("/d/sure")
        assert disk.is_directory("/d/old") != disk.is_directory("/d/new")
        assert disk.exists("/d/fresh/file") == disk.is_directory("/d/fresh")
        kept += disk.is_directory("/d/fresh")
        renamed += disk.is_directory("/d/new")
    assert 5 < kept < 35
    assert 5 < renamed < 35


def test_a_directory_that_is_made_again_is_no_mixture() -> None:
    """Goal: one was renamed and another one made under its name, as where a topic is deleted and
    made again; whatever the power takes, no file of the one is found in the other, and what was
    durable is there under one of its two names."""
    outcomes = set()
    for seed in range(200):
        disk = SimulatedDisk(Random(seed), forgets_directories=True)
        disk.set_up_directory("/d")
        for path in ("/d/t/old", "/d/t/new"):
            if disk.exists("/d/t"):
                disk.rename("/d/t", "/d/gone")
            disk.make_directory("/d/t")
            with closing(disk.open(path, create=True)) as file:
                file.append([b"x"])
                file.fsync()
            disk.fsync_directory("/d/t")
            if path == "/d/t/old":
                disk.fsync_directory("/d")
        disk.lose_power()
        outcomes.add(tuple(disk.copy()))
    assert outcomes == {("/d/t/old",), ("/d/gone/old",), ("/d/gone/old", "/d/t/new")}


def test_what_is_durable_is_known_before_power_goes() -> None:
    """Goal: bytes and name must both be on the platters."""
    disk = SimulatedDisk(Random(1))
    disk.make_directory("/d")
    file = disk.open("/d/a", create=True)
    file.append([b"abc"])
    assert not disk.is_durable("/d/a", 3)
    file.fsync()
    assert not disk.is_durable("/d/a", 3)
    disk.fsync_directory("/d")
    assert disk.is_durable("/d/a", 3)
    file.append([b"d"])
    assert disk.is_durable("/d/a", 3)
    assert not disk.is_durable("/d/a", 4)
