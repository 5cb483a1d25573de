"""Are the records of a client's batch what its header says? (Kafka's LogValidator)

Nothing in a header tells that no consumer will get past the records behind it. So they are walked
over, decompressed first if need be, before the batch is appended; a follower copies what its leader
has checked. Nothing is decoded. What takes a millisecond or two is done at once, the rest
(`facts_of`) is for a thread, where one batch at a time is decompressed.
"""

from __future__ import annotations

from barnabas.protocol.batch_errors import InvalidBatchError
from barnabas.protocol.compression import codec_of, decompress
from barnabas.protocol.record_batch import (
    CODEC_MASK,
    HEADER,
    HEADER_SIZE,
    NO_TIMESTAMP,
    set_max_timestamp,
)
from barnabas.protocol.record_walk import INT64_MAX, INT64_MIN, IS_COMPILED, RecordsWalk

from ..ports import Buffer

RECORDS_AT_ONCE = 65_536 if IS_COMPILED else 2048
"""Records of one request that are walked over on the event loop; one or two milliseconds. A thread
lets others go on after as many."""
COMPRESSED_AT_ONCE_MAX = 256 * 1024
"""Bytes of compressed records of one request that are decompressed on the event loop,"""
DECOMPRESSED_AT_ONCE_MAX = 2 * 1024 * 1024
"""if they become no more than that."""


class RecordFacts:
    """What was seen on the way over the records of one batch."""

    __slots__ = ("first_keyless", "largest_timestamp", "smallest_timestamp")

    def __init__(self, walk: RecordsWalk, base_timestamp: int) -> None:
        """Raises InvalidBatchError(87) for a timestamp that is no int64."""
        largest = base_timestamp + walk.largest
        smallest = base_timestamp + walk.smallest if walk.smallest != INT64_MAX else NO_TIMESTAMP
        if largest > INT64_MAX or min(smallest, largest) < INT64_MIN:
            raise InvalidBatchError(f"timestamps from {smallest} to {largest}")
        self.largest_timestamp = max(largest, NO_TIMESTAMP)
        """In milliseconds; -1 if no record has a timestamp."""
        self.smallest_timestamp = smallest
        """Of those that have one; -1 if none has."""
        self.first_keyless = walk.first_keyless
        """Number of the first record without a key; -1: all have one."""


def walk_at_once(
    body: memoryview, codec: int, count: int, base_timestamp: int, limit: int, parts: int
) -> RecordsWalk | None:
    """A walk over all of a batch's records, if that is short; None: it is for a thread.

    `limit`: bytes that compressed records may become; `parts`: batches in the request, which share
    the event loop's patience. Raises InvalidBatchError(87).
    """
    if count > RECORDS_AT_ONCE // parts:
        return None
    if not codec:
        data = bytes(body)
    elif len(body) > COMPRESSED_AT_ONCE_MAX // parts:
        return None
    else:
        allowed = DECOMPRESSED_AT_ONCE_MAX // parts
        try:
            data = decompress(codec_of(codec), body, min(limit, allowed))
        except InvalidBatchError:
            if limit <= allowed:
                raise
            return None  # too large for now, or wrong: the thread will tell
    walk = RecordsWalk(data, count, base_timestamp)
    walk.step(count)
    return walk


def is_true_at_once(
    body: memoryview,
    codec: int,
    count: int,
    base_timestamp: int,
    max_timestamp: int,
    limit: int,
    parts: int,
) -> bool:
    """Whether records can be judged at once, are right, and have `max_timestamp` as their largest.

    False where there is any doubt.
    """
    try:
        walk = walk_at_once(body, codec, count, base_timestamp, limit, parts)
    except InvalidBatchError:
        return False
    return (
        walk is not None
        and base_timestamp + walk.largest == max_timestamp >= NO_TIMESTAMP
        and base_timestamp + walk.smallest >= INT64_MIN
    )


def facts_at_once(batch: Buffer, limit: int, parts: int) -> RecordFacts | None:
    """What `facts_of` gives, if that is short; None: it is for a thread.

    Raises InvalidBatchError(87).
    """
    body, codec, base, count = _parts(batch)
    walk = walk_at_once(body, codec, count, base, limit, parts)
    return None if walk is None else RecordFacts(walk, base)


def facts_of(batch: Buffer, limit: int) -> RecordFacts:
    """Go over the records of a batch of magic 2 whose header and checksum are right.

    May take long: one decompressed byte costs little, but `limit` of them may come.
    Raises InvalidBatchError(87): more than `limit` bytes, no such stream, or records that are not
    what the header says.
    """
    body, codec, base, count = _parts(batch)
    walk = RecordsWalk(decompress(codec_of(codec), body, limit), count, base)
    while not walk.step(RECORDS_AT_ONCE):
        pass
    return RecordFacts(walk, base)


def _parts(batch: Buffer) -> tuple[memoryview, int, int, int]:
    fields = HEADER.unpack_from(batch)
    return memoryview(batch)[HEADER_SIZE:], fields[5] & CODEC_MASK, fields[7], fields[12]


def with_true_timestamp(batch: Buffer, facts: RecordFacts) -> Buffer:
    """The batch with the largest timestamp of its records in the header, as Kafka stores it."""
    if HEADER.unpack_from(batch)[8] == facts.largest_timestamp:
        return batch
    corrected = bytearray(batch)
    set_max_timestamp(corrected, 0, facts.largest_timestamp)
    return corrected
