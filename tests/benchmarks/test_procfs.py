"""What /proc says, read from texts of known content and from this very process."""

from __future__ import annotations

import os
import time

import pytest

from bench import procfs

STAT = (
    "4711 (a (strange) name) S 42 4711 4711 0 -1 4194560 900 0 0 0 130 70 5 6 20 0 9 0 "
    "100 1000000 2500 18446744073709551615"
)


def test_stat_is_read_behind_the_last_bracket() -> None:
    """Goal: a program named with spaces and brackets does not shift the fields."""
    assert procfs.parse_stat(STAT) == (42, 200)


def test_resident_memory_is_found_in_status() -> None:
    assert procfs.parse_resident_kib("Name:\tx\nVmRSS:\t  12345 kB\nThreads:\t1\n") == 12345


def test_a_process_without_memory_is_an_error() -> None:
    """Goal: a zombie gives an error and not a resident size of nothing."""
    with pytest.raises(ValueError, match="VmRSS"):
        procfs.parse_resident_kib("Name:\tx\nState:\tZ (zombie)\n")


def test_cpu_time_of_this_process_grows_with_work() -> None:
    """Goal: ticks become seconds. Method: burn some CPU time, compare with Python's own clock."""
    before, own = procfs.cpu_seconds(os.getpid()), time.process_time()
    while time.process_time() - own < 0.1:
        pass
    assert 0.05 <= procfs.cpu_seconds(os.getpid()) - before <= 1.0


def test_family_holds_the_process_itself() -> None:
    assert procfs.family(os.getpid())[0] == os.getpid()
    assert procfs.resident_mb(os.getpid()) > 1


def test_machine_says_its_size() -> None:
    about = procfs.machine()
    assert isinstance(about["cores"], int)
    assert about["cores"] >= 1
