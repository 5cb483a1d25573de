"""Clients that are killed while they write and read: P-20, as far as it goes without groups.

The row's other half, transactions and members of groups that die, waits for both to exist.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from barnabas.client import Consumer, NewTopic, TopicPartition

from ..programs import environment
from .client_process import PARTITIONS, Noted, read_journal
from .rows import Row
from .scene import Scene

WRITERS = 3
READERS = 2
LIVES = 3
"""Each reader is killed so often, and goes on where its journal ends."""
FREED_WITHIN_S = 5.0
_MODULE = "lab.chaos.client_process"
_READ_MS = 500
_ROLES = {"write": "writer", "read": "reader"}


Clients = list[subprocess.Popen[bytes]]


async def kill_clients(scene: Scene) -> None:
    """P-20: what was told to the dead is true, nothing is there twice, and nothing stays open."""
    started: Clients = []
    try:
        await _kill_clients(scene, started)
    finally:
        _end(started)  # also if the run was interrupted


async def _kill_clients(scene: Scene, started: Clients) -> None:
    def start(kind: str, count: int) -> Clients:
        paths = [folder / f"{_ROLES[kind]}-{n}" for n in range(count)]
        clients = [_start(scene, kind, topic, path) for path in paths]
        started.extend(clients)
        return clients

    topic = f"clients-{len(scene.history.sends)}"
    await scene.admin.create_topics([NewTopic(topic, PARTITIONS, len(scene.brokers))])
    folder = scene.cluster.directory / topic
    folder.mkdir()
    ends: set[str] = set()
    writers = start("write", WRITERS)
    for life in range(LIVES):
        readers = start("read", READERS)
        await _until_at_work(scene, folder)
        await asyncio.sleep(scene.lengths.fault_s / LIVES + scene.random.random())
        scene.progress(f"SIGKILL of {READERS} readers, life {life + 1}")
        ends |= _ends_of(readers)
        await scene.away(_end, readers)
    scene.progress(f"SIGKILL of {WRITERS} writers")
    ends |= _ends_of(writers)
    await scene.away(_end, writers)

    async def are_freed() -> bool:
        return not _still_held(ends)

    took_s = await scene.until("nodes hold connections of dead clients", are_freed)
    scene.measured("connections_of_the_dead", len(ends))
    scene.within("freed_s", took_s, FREED_WITHIN_S)
    stored = await _read_all(scene.cluster.bootstrap, topic)
    told = [one for n in range(WRITERS) for one in read_journal(folder / f"writer-{n}")]
    scene.measured("acked_to_the_dead", len(told))
    scene.measured("stored_but_not_told", len(stored) - len(told))
    wrong = [*faults_of_writers(told, stored)]
    for n in range(READERS):
        read = read_journal(folder / f"reader-{n}")
        scene.measured("read_by_the_dead", len(read))
        wrong += faults_of_reader(read, stored)
    scene.broken += wrong
    await scene.admin.delete_topics([topic])


async def _until_at_work(scene: Scene, folder: Path) -> None:
    """Wait until each journal grows: the programs have started."""
    names = [*(f"writer-{n}" for n in range(WRITERS)), *(f"reader-{n}" for n in range(READERS))]
    before = {name: len(read_journal(folder / name)) for name in names}

    async def are_at_work() -> bool:
        return all(len(read_journal(folder / name)) > before[name] for name in names)

    await scene.until("clients do not begin to work", are_at_work)


def faults_of_writers(told: Sequence[Noted], stored: Sequence[Noted]) -> list[str]:
    """I-5, I-21: what was acknowledged lies where it was said, and every value is there once."""
    lost = [one for one in told if one not in set(stored)] if set(told) - set(stored) else []
    twice = [value for value, count in Counter(one.value for one in stored).items() if count > 1]
    found = [f"{len(lost)} records acked to a dead client are lost: {lost[:3]}"] if lost else []
    found += [f"{len(twice)} records of a dead client are there twice: {twice[:3]}"] * bool(twice)
    orders: dict[tuple[str, int], list[int]] = {}
    for one in sorted(stored, key=lambda one: one.offset):
        name, _, number = one.value.partition(":")
        orders.setdefault((name, one.partition), []).append(int(number))
    for (name, partition), numbers in orders.items():
        if any(after != before + PARTITIONS for before, after in pairwise(numbers)):
            found.append(f"what {name} wrote to partition {partition} is out of order or has gaps")
    return found


def faults_of_reader(read: Sequence[Noted], stored: Sequence[Noted]) -> list[str]:
    """I-19: over all its lives a reader was given each offset once, and what is stored there."""
    found = []
    if foreign := set(read) - set(stored):
        found.append(f"a dead client read what is not stored: {sorted(foreign)[:3]}")
    for partition in range(PARTITIONS):
        offsets = [one.offset for one in read if one.partition == partition]
        if offsets != list(range(len(offsets))):
            found.append(f"a reader skipped or repeated offsets of partition {partition}")
    return found


def _start(scene: Scene, kind: str, topic: str, path: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", _MODULE, kind, scene.cluster.bootstrap, topic, str(path)]
    with path.with_suffix(".log").open("ab") as output:
        return subprocess.Popen(command, stdout=output, stderr=output, env=environment())


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for one in processes:
        one.kill()
    for one in processes:
        one.wait()


_ESTABLISHED, _CLOSE_WAIT = "01", "08"


def _tcp_rows() -> list[list[str]]:
    """The kernel's table of connections: local and remote end, state, inode."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [[row[1], row[2], row[3], row[9]] for row in rows]


def _ends_of(processes: Sequence[subprocess.Popen[bytes]]) -> set[str]:
    """The local ends of all connections of these programs."""
    inodes = set()
    for one in processes:
        folder = f"/proc/{one.pid}/fd"
        for name in os.listdir(folder):
            with suppress(OSError):  # closed meanwhile
                inodes.add(os.readlink(f"{folder}/{name}"))
    return {local for local, _, _, inode in _tcp_rows() if f"socket:[{inode}]" in inodes}


def _still_held(ends: set[str]) -> int:
    """Connections to these ends that a node has not closed yet."""
    open_states = (_ESTABLISHED, _CLOSE_WAIT)
    return sum(remote in ends and state in open_states for _, remote, state, _ in _tcp_rows())


async def _read_all(bootstrap: str, topic: str) -> list[Noted]:
    """All stored records."""
    where = [TopicPartition(topic, number) for number in range(PARTITIONS)]
    found: list[Noted] = []
    async with Consumer(bootstrap_servers=bootstrap, auto_offset_reset="earliest") as consumer:
        consumer.assign(where)
        ends = await consumer.end_offsets(where)
        reached = dict.fromkeys(where, 0)
        while any(reached[one] < ends[one] for one in where):
            for one, records in (await consumer.getmany(timeout_ms=_READ_MS)).items():
                found += [
                    Noted(one.partition, record.offset, (record.value or b"").decode())
                    for record in records
                ]
                if records:
                    reached[one] = records[-1].offset + 1
    return found


CLIENT_DEATHS = (Row("P-20", "SIGKILL of clients at work", kill_clients, repeats=30),)
