"""A log directory that failed goes offline as a whole, and heartbeats say so (KIP-858)."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from kit.list_logger import ListLogger

from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.server.replication.offline_directories import OfflineDirectories
from barnabas.protocol.primitives import uuid_to_text

IDS = (b"a" * 16, b"b" * 16, b"c" * 16)
FAILURE = LogDirectoryFailure("/a/t-0", "writing to", OSError(errno.EIO, "planted"))


class Replica:
    """A replica in a directory, as far as failures go."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.is_offline = False
        self.log = self

    def fail(self, doing: str, error: OSError) -> LogDirectoryFailure:
        self.is_offline = True
        return LogDirectoryFailure("/somewhere", doing, error)

    def on_disk_failure(self, failure: LogDirectoryFailure) -> None:
        self._bench.offline.on_offline(self, failure)  # type: ignore[arg-type]  # enough of one


class Bench:
    """A store with two replicas in each of some directories."""

    def __init__(self, directories: int, timeout_ms: int = 60_000) -> None:
        self.directories: list[Any] = [
            SimpleNamespace(path=f"/{one}", meta=SimpleNamespace(directory_id=uuid_to_text(one_id)))
            for one, one_id in enumerate(IDS[:directories])
        ]
        self.places = {Replica(self): one for one in self.directories for _ in range(2)}
        node: Any = SimpleNamespace(
            replicas=self,
            log=ListLogger(),
            config=SimpleNamespace(log_dir_failure_timeout_ms=timeout_ms),
        )
        self.beats = 0
        self.unheard = asyncio.Event()
        self.offline = OfflineDirectories(
            node, on_news=self.beat, on_unheard=lambda failure: self.unheard.set()
        )

    def __iter__(self) -> Iterator[Replica]:
        return iter(self.places)

    def directory_of(self, replica: Replica) -> Any:
        return self.places[replica]

    def beat(self) -> None:
        self.beats += 1

    def fail(self, directory: int) -> None:
        """The first write to the first replica in it fails."""
        replica = next(
            one for one, place in self.places.items() if place is self.directories[directory]
        )
        replica.on_disk_failure(replica.fail("writing to", FAILURE.cause))

    def offline_in(self, directory: int) -> list[bool]:
        place = self.directories[directory]
        return [one.is_offline for one, found in self.places.items() if found is place]


async def test_the_first_refusal_takes_the_whole_directory_offline() -> None:
    """Goal: all its replicas, those of others not; one heartbeat at once, and it is in all."""
    bench = Bench(3)
    bench.fail(0)
    assert bench.offline_in(0) == [True, True]
    assert bench.offline_in(1) == [False, False]
    assert (bench.offline.ids, bench.beats) == ((IDS[0],), 1)
    bench.fail(0)
    assert (bench.offline.ids, bench.beats) == ((IDS[0],), 1)
    bench.fail(1)
    assert bench.offline.ids == IDS[:2]
    bench.offline.stop()


async def test_the_last_directory_is_not_given_up() -> None:
    """Goal: what it holds can still be read; its replicas are told one by one."""
    bench = Bench(2)
    bench.fail(1)
    bench.fail(0)
    assert bench.offline.ids == (IDS[1],)
    assert bench.offline_in(0) == [True, False]
    assert not bench.offline.holds(bench.directories[0])
    bench.offline.stop()


async def test_a_node_whose_controller_hears_nothing_stops() -> None:
    """Goal: after log.dir.failure.timeout.ms; told in time, it goes on."""
    bench = Bench(3, timeout_ms=1)
    bench.fail(0)
    bench.offline.told(bench.offline.ids)
    assert not bench.offline._timers
    bench.fail(1)
    await asyncio.wait_for(bench.unheard.wait(), 10)
