"""Kafka's checkpoint files: text, a version line, a count line, one line an entry."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..ports import Disk
from .failures import CorruptCheckpointError

_VERSION = "0"


def encode_lines(lines: Iterable[str]) -> bytes:
    """Text of a checkpoint with these entries."""
    entries = list(lines)
    return "\n".join([_VERSION, str(len(entries)), *entries, ""]).encode()


def decode_lines(data: bytes, name: str) -> list[list[str]]:
    """Entries of a checkpoint, each split at spaces; `name` is for the message.

    Raises CorruptCheckpointError: unknown version, wrong count, bytes that are no text.
    """
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise CorruptCheckpointError(f"{name} is not text") from None
    if not data.endswith(b"\n"):
        # Cut inside its last number, a file could still look whole.
        raise CorruptCheckpointError(f"{name} does not end with a line's end")
    if not lines or lines[0].strip() != _VERSION:
        raise CorruptCheckpointError(f"{name} does not begin with version 0")
    if len(lines) < 2 or not lines[1].strip().isdecimal():
        raise CorruptCheckpointError(f"{name} has no count in line 2")
    entries = [line.split() for line in lines[2:] if line.strip()]
    if len(entries) != int(lines[1]):
        raise CorruptCheckpointError(f"{name} announces {lines[1]} entries, has {len(entries)}")
    return entries


def integer(text: str, name: str) -> int:
    """The number of one field of `name`; CorruptCheckpointError if it is none."""
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit():
        raise CorruptCheckpointError(f"{name} has {text[:40]!r} where a number should be")
    return int(text)


PartitionKey = tuple[str, int]
"""Topic and partition."""


def encode_offsets(offsets: Mapping[PartitionKey, int]) -> bytes:
    """A file of `topic partition offset` lines."""
    return encode_lines(
        f"{topic} {partition} {offset}" for (topic, partition), offset in offsets.items()
    )


def decode_offsets(data: bytes, name: str) -> dict[PartitionKey, int]:
    """Offsets by partition; raises CorruptCheckpointError."""
    offsets: dict[PartitionKey, int] = {}
    for fields in decode_lines(data, name):
        if len(fields) != 3:
            raise CorruptCheckpointError(f"{name} has a line of {len(fields)} fields, not 3")
        offset = integer(fields[2], name)
        if offset < 0:
            raise CorruptCheckpointError(f"{name} has the negative offset {offset}")
        offsets[(fields[0], integer(fields[1], name))] = offset
    return offsets


def read_offsets(disk: Disk, path: str) -> dict[PartitionKey, int]:
    """Offsets of a checkpoint file; empty if there is none. Raises CorruptCheckpointError."""
    if not disk.exists(path):
        return {}
    return decode_offsets(disk.read_file(path), path)


def write_offsets(
    disk: Disk, path: str, offsets: Mapping[PartitionKey, int], *, durable: bool = True
) -> None:
    """Replace a checkpoint file in one step."""
    disk.write_file_atomically(path, encode_offsets(offsets), durable=durable)


class CheckpointFile:
    """One checkpoint file of a directory that is in use.

    It is written on threads and, where nothing may come before it, on the event loop: the word that
    was taken down last stays, whoever is the last to write.
    """

    __slots__ = ("_disk", "_named", "_newest", "_turn", "_written", "path")

    def __init__(self, disk: Disk, path: str) -> None:
        self._disk = disk
        self.path = path
        # Logs that it may name, by the number of the write: those that it has, and those that it is
        # to have. A thread leaves the newer ones alone, so none that is taken down is missed.
        self._named: dict[int, Collection[PartitionKey]] = {}
        self._turn = disk.new_lock()
        self._newest = self._written = 0  # numbers of what was taken down, and of what it has

    def read(self) -> dict[PartitionKey, int]:
        """Its offsets; empty if there is none. Raises CorruptCheckpointError, OSError."""
        offsets = read_offsets(self._disk, self.path)
        self._named[self._written] = frozenset(offsets)
        return offsets

    def may_name(self, key: PartitionKey) -> bool:
        """Whether it says something of this log, or will when a write ends."""
        return any(key in names for names in list(self._named.values()))

    def take_down(self, offsets: Mapping[PartitionKey, int]) -> TakenDown:
        """What the file is to say from now on."""
        self._newest += 1
        self._named[self._newest] = frozenset(offsets)
        return TakenDown(self, offsets, self._newest)

    def write(self, offsets: Mapping[PartitionKey, int], number: int, *, durable: bool) -> None:
        """Replace the file, unless it says something newer. Raises OSError."""
        with self._turn:
            if number < self._written:
                return
            # If the disk refuses it, it may have the former ones and these.
            older = [one for one in list(self._named) if one < number]
            self._named[number] = frozenset(offsets).union(*(self._named[one] for one in older))
            for one in older:
                del self._named[one]
            write_offsets(self._disk, self.path, offsets, durable=durable)
            self._written = number
            self._named[number] = frozenset(offsets)


class TakenDown(NamedTuple):
    """What a file is to say, as of one moment."""

    file: CheckpointFile
    offsets: Mapping[PartitionKey, int]
    number: int


class CheckpointWrite:
    """Checkpoint files as they are to be, taken down at one moment; written on any thread."""

    __slots__ = ("_files", "_is_durable")

    def __init__(self, files: Sequence[TakenDown], *, durable: bool) -> None:
        self._files = files
        self._is_durable = durable

    def __add__(self, other: CheckpointWrite) -> CheckpointWrite:
        """These files, then those of `other`."""
        return CheckpointWrite([*self._files, *other._files], durable=self._is_durable)

    def run(self) -> None:
        """Replace them, one after the other. Raises OSError."""
        for file, offsets, number in self._files:
            file.write(offsets, number, durable=self._is_durable)
