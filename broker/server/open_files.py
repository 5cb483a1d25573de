"""A node's logs and the process's limit of descriptors: it bounds neither how many there are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import get_ident

from ..core.config.broker import BrokerConfig
from ..core.log.log_directory import LogDirectory
from ..core.log.partition_log import PartitionLog
from ..core.log.resting import Resting
from ..observe.logging import Logger
from ..storage.descriptors import connections_of, descriptor_limit, log_files_max
from ..storage.files import RealDisk
from .limits import Limits


def limit_open_files(
    disk: RealDisk, config: BrokerConfig, directories: Sequence[LogDirectory], log: Logger
) -> None:
    """From now on files of idle logs are closed when too many are open (`log.open.files.max`).

    To be called on the thread that uses the logs. Others that open a file have it done there.
    """
    loop, owner = asyncio.get_running_loop(), get_ident()
    files = disk.files
    limit = descriptor_limit()
    files.files_max = config.log_open_files_max or log_files_max(limit, config.max_connections)
    resting = Resting(lambda: _logs(directories))

    def make_room() -> None:
        if get_ident() == owner:
            resting.make_room(files.count)
            return
        with suppress(RuntimeError):  # the loop is closed: so are the logs
            loop.call_soon_threadsafe(make_room_if_full)

    def make_room_if_full() -> None:
        if files.is_full:
            resting.make_room(files.count)

    files.on_full = make_room
    log.info("file descriptors", limit=limit, files_of_logs=files.files_max)


def limit_connections(limits: Limits, log: Logger) -> None:
    """Take no more connections than there are descriptors for: logs need some in any case."""
    most = limits.connections_possible = connections_of(descriptor_limit())
    if limits.connections_max > most:
        log.info("fewer connections than max.connections: descriptors are limited", most=most)
        limits.connections_max = most


def _logs(directories: Sequence[LogDirectory]) -> Iterator[PartitionLog]:
    for directory in directories:
        yield from directory.all_logs().values()
