"""A file of a simulated disk: as the system sees it, and as the platters do."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

SECTOR_BYTES = 512


@dataclass(slots=True)
class Change:
    """One write or truncation since the last fsync of its file."""

    offset: int
    data: bytes | None
    """None: truncation to `offset`."""


@dataclass(slots=True)
class Inode:
    """What a file holds: as the system sees it, and as the platters do."""

    content: bytearray = field(default_factory=bytearray)
    durable: bytes = b""
    changes: list[Change] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    """Sizes that it was cut to."""

    def write(self, offset: int, data: bytes) -> None:
        content = self.content
        if offset > len(content):
            content.extend(bytes(offset - len(content)))
        content[offset : offset + len(data)] = data
        self.changes.append(Change(offset, data))

    def truncate(self, size: int) -> None:
        self.cuts.append(size)
        if size < len(self.content):
            del self.content[size:]
        else:
            self.content.extend(bytes(size - len(self.content)))
        self.changes.append(Change(size, None))

    def sync(self) -> None:
        self.durable = bytes(self.content)
        self.changes.clear()

    def lose_power(self, random: Random) -> None:
        """Keep a random subset of the unsynced changes; the last one kept may be torn."""
        image = bytearray(self.durable)
        kept = [change for change in self.changes if random.random() < 0.5]
        for position, change in enumerate(kept):
            data = change.data
            if data is None:
                if change.offset < len(image):
                    del image[change.offset :]
                continue
            if position == len(kept) - 1:
                data = self._tear(data, random)
            if change.offset > len(image):
                image.extend(bytes(change.offset - len(image)))
            image[change.offset : change.offset + len(data)] = data
        self.content = image
        self.durable = bytes(image)
        self.changes.clear()

    @staticmethod
    def _tear(data: bytes, random: Random) -> bytes:
        kind = random.randrange(4)
        if kind == 0:
            return data
        if kind == 1:
            return data[: random.randrange(len(data) + 1)]
        cut = min(len(data), random.randrange(len(data) // SECTOR_BYTES + 1) * SECTOR_BYTES)
        # The file system may have noted the new size before the data reached the platters.
        return data[:cut] + (bytes(len(data) - cut) if kind == 3 else b"")

    def is_durable(self, size: int) -> bool:
        """Whether its first `size` bytes are on the platters as they are."""
        return len(self.durable) >= size and self.content[:size] == self.durable[:size]
