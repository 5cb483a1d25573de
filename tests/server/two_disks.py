"""Clusters whose brokers have two log directories, and disks that refuse."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from barnabas.broker.core.ports import Buffer
from barnabas.broker.storage.files import RealFile
from barnabas.testing import Cluster


class TwoDisks(Cluster):
    """Each broker has a second log directory."""

    def _settings_of(self, node: object) -> dict[str, str]:
        settings = super()._settings_of(node)  # type: ignore[arg-type]  # handed on
        settings["log.dirs"] += f",{settings['log.dirs']}-second"
        return settings

    def in_second(self, broker: int, topic: str, partitions: int) -> tuple[str, set[int]]:
        """The second directory of a broker, and which of the topic's partitions it has there."""
        second = f"{self._directory}/node-{broker}-second"
        held = {
            number
            for number in range(partitions)
            if self.replica(broker, topic, number).log.directory.startswith(f"{second}/")
        }
        return second, held


@contextmanager
def failing(directory: str) -> Iterator[None]:
    """No file below this directory takes anything more."""
    original = RealFile.append

    def fail(self: RealFile, buffers: Sequence[Buffer] = ()) -> int:
        if self.path.startswith(f"{directory}/"):
            raise OSError(errno.EIO, "planted", self.path)
        return original(self, buffers)

    RealFile.append = fail  # type: ignore[method-assign]
    try:
        yield
    finally:
        RealFile.append = original  # type: ignore[method-assign]
