"""Record batches, byte by byte: headers, records, control records, records of the metadata log."""

from __future__ import annotations

from zlib import crc32

from ..batch_errors import BatchError
from ..checksum import crc32c
from ..compression import Codec, decompress, with_lz4_header_checksum
from ..errors import DecodeError
from ..messages.index import METADATA_RECORDS
from .messages import dissect_message
from .rows import Cursor, text_of, time_of

HEADER_SIZE = 61
LEGACY_SIZE_MIN = 26
CRC_STARTS_AT = 21
INFLATED_BYTES_MAX = 64 * 1024 * 1024
ATTRIBUTES = ("transactional", "control", "delete horizon")
CONTROL_TYPES = {
    0: ("abort marker", "EndTxnMarker"),
    1: ("commit marker", "EndTxnMarker"),
    2: ("leader change", "LeaderChangeMessage"),
    3: ("snapshot header", "SnapshotHeaderRecord"),
    4: ("snapshot footer", "SnapshotFooterRecord"),
    5: ("kraft version", "KRaftVersionRecord"),
    6: ("voters", "VotersRecord"),
}


def dissect_segment(cursor: Cursor, *, is_metadata: bool = False) -> None:
    """Rows of the batches of a segment or a snapshot, to the end or to a batch that is cut.

    A batch that is damaged inside is left at its end, which its length says.
    """
    number = 0
    while cursor.left:
        if not any(cursor.data[cursor.position :]):
            cursor.problem("end", f"{cursor.left} zero bytes", cursor.left)
            return
        end = _end_of_batch(cursor)
        try:
            dissect_batch(cursor, f"batch[{number}]", is_metadata=is_metadata)
        except DecodeError as error:
            if end is None:
                raise
            cursor.problem(f"batch[{number}]", str(error), end - cursor.position)
            cursor.position = end
        number += 1


def _end_of_batch(cursor: Cursor) -> int | None:
    """Where the batch at the cursor ends by its length; None when that cannot be."""
    size = 12 + int.from_bytes(cursor.data[cursor.position + 8 :][:4], "big", signed=True)
    return cursor.position + size if LEGACY_SIZE_MIN <= size <= cursor.left else None


def dissect_batch(cursor: Cursor, path: str, *, is_metadata: bool, is_inside: bool = False) -> None:
    """Rows of one batch of any magic; DecodeError where it is cut or damaged.

    `is_inside`: it is a message inside a compressed message, and cannot be another such.
    """
    start = cursor.position
    cursor.integer(8, f"{path}.baseOffset")
    size = cursor.integer(4, f"{path}.batchLength")
    end = start + 12 + size
    if size < LEGACY_SIZE_MIN - 12 or end > len(cursor.data):
        raise DecodeError(
            f"{path}: {size} bytes from offset {start + 12} on, {cursor.left} are left: "
            "a torn tail, or damage before it"
        )
    magic = cursor.data[start + 16]
    if magic < 2:
        _dissect_legacy(cursor, path, end, is_inside=is_inside)
        return
    if is_inside or magic > 2 or size < HEADER_SIZE - 12:
        raise DecodeError(f"{path}: magic {magic}, batch length {size}")
    attributes, count = _dissect_header(cursor, path, end)
    _dissect_payload(cursor, path, end, attributes, count, is_metadata=is_metadata)
    cursor.position = end


def _dissect_header(cursor: Cursor, path: str, end: int) -> tuple[int, int]:
    start = cursor.position - 12
    cursor.integer(4, f"{path}.partitionLeaderEpoch")
    cursor.integer(1, f"{path}.magic")
    computed = crc32c(cursor.data[start + CRC_STARTS_AT : end])

    def say_crc(value: int) -> str:
        return f"0x{value:08x} " + ("ok" if value == computed else f"WRONG: is 0x{computed:08x}")

    if cursor.integer(4, f"{path}.crc", signed=False, say=say_crc) != computed:
        cursor.rows[-1] = cursor.rows[-1]._replace(is_problem=True)
    attributes = cursor.integer(2, f"{path}.attributes", say=attributes_text)
    cursor.integer(4, f"{path}.lastOffsetDelta")
    cursor.integer(8, f"{path}.baseTimestamp", say=time_of)
    cursor.integer(8, f"{path}.maxTimestamp", say=time_of)
    cursor.integer(8, f"{path}.producerId")
    cursor.integer(2, f"{path}.producerEpoch")
    cursor.integer(4, f"{path}.baseSequence")
    count = cursor.integer(4, f"{path}.recordCount")
    return attributes, count


def attributes_text(attributes: int) -> str:
    """Codec, timestamp type and flags of a batch of magic 2."""
    try:
        words = [Codec(attributes & 7).name.lower()]
    except ValueError:
        words = [f"unknown codec {attributes & 7}"]
    words.append("append time" if attributes & 8 else "create time")
    words += [name for bit, name in enumerate(ATTRIBUTES) if attributes & (0x10 << bit)]
    return f"0x{attributes & 0xFFFF:04x} " + ", ".join(words)


def _dissect_payload(
    cursor: Cursor, path: str, end: int, attributes: int, count: int, *, is_metadata: bool
) -> None:
    codec = attributes & 7
    inner, base = cursor.data[:end], cursor.base
    position = cursor.position
    if codec:
        packed = cursor.data[position:end]
        inflated = inflate(codec, packed, path)
        cursor.octets(end - position, f"{path}.records", lambda _: f"{len(inflated)} bytes packed")
        inner, base, position = inflated, None, 0
    records = Cursor(inner, cursor.rows, position, base)
    for number in range(count):
        _dissect_record(
            records,
            f"{path}.record[{number}]",
            is_control=bool(attributes & 0x20),
            is_metadata=is_metadata,
        )
    if records.left:
        records.problem(f"{path}.records", f"{records.left} bytes after the records", records.left)


def inflate(codec: int, packed: bytes, path: str) -> bytes:
    """The records of a compressed batch; DecodeError when they do not unpack."""
    try:
        return decompress(Codec(codec), packed, INFLATED_BYTES_MAX)
    except (BatchError, ValueError) as error:
        raise DecodeError(f"{path}: {error}") from None


def _dissect_record(cursor: Cursor, path: str, *, is_control: bool, is_metadata: bool) -> None:
    size = cursor.varint(f"{path}.length")
    end = cursor.position + size
    if size < 0 or end > len(cursor.data):
        raise DecodeError(f"{path}: {size} bytes, {cursor.left} are left")
    cursor.integer(1, f"{path}.attributes")
    cursor.varint(f"{path}.timestampDelta")
    cursor.varint(f"{path}.offsetDelta")
    key_type = _dissect_key(cursor, path, is_control=is_control)
    _dissect_value(cursor, path, key_type, is_metadata=is_metadata)
    for number in range(cursor.varint(f"{path}.headerCount")):
        name = f"{path}.header[{number}]"
        cursor.octets(cursor.varint(f"{name}.keyLength"), f"{name}.key")
        value_size = cursor.varint(f"{name}.valueLength")
        if value_size >= 0:
            cursor.octets(value_size, f"{name}.value")
    if cursor.position != end:
        raise DecodeError(f"{path}: ends at {cursor.position}, its length says {end}")


def _dissect_key(cursor: Cursor, path: str, *, is_control: bool) -> int | None:
    """The key; of a control record its type."""
    size = cursor.varint(f"{path}.keyLength")
    if size < 0:
        return None
    if not is_control or size < 4:
        cursor.octets(size, f"{path}.key")
        return None
    cursor.integer(2, f"{path}.key.version")
    kind = cursor.integer(2, f"{path}.key.type", say=_control_text)
    if size > 4:
        cursor.octets(size - 4, f"{path}.key.rest")
    return kind


def _control_text(kind: int) -> str:
    return f"{kind} {CONTROL_TYPES.get(kind, ('unknown', ''))[0]}"


def _dissect_value(cursor: Cursor, path: str, control: int | None, *, is_metadata: bool) -> None:
    size = cursor.varint(f"{path}.valueLength")
    if size < 0:
        return
    end = cursor.position + size
    inner = Cursor(cursor.data[:end], cursor.rows, cursor.position, cursor.base)
    if control in CONTROL_TYPES and size >= 2:
        name = CONTROL_TYPES[control][1]
        # Each of these messages begins with a version field, which is the version it is coded in.
        version = int.from_bytes(cursor.data[cursor.position : cursor.position + 2], "big")
        if name == "EndTxnMarker":
            inner.integer(2, f"{path}.value.version")
        dissect_message(inner, name, version, f"{path}.{name}")
    elif is_metadata and control is None and size >= 3:
        _dissect_metadata_record(inner, path)
    else:
        inner.octets(size, f"{path}.value", text_of)
    if inner.left:
        inner.problem(f"{path}.value", f"{inner.left} bytes are left over", inner.left)
    cursor.position = end


def _dissect_metadata_record(cursor: Cursor, path: str) -> None:
    """A record of `__cluster_metadata`: frame version, type, version, body."""
    cursor.uvarint(f"{path}.value.frameVersion")
    start = cursor.position
    kind = cursor.uvarint(f"{path}.value.type")
    name = METADATA_RECORDS.get(kind)
    if name is None:
        raise DecodeError(f"{path}: a metadata record of unknown type {kind}")
    row = cursor.rows.pop()
    cursor.note(start, row.path, f"{kind} {name}")
    version = cursor.uvarint(f"{path}.value.version")
    dissect_message(cursor, name, version, f"{path}.{name}")


def _dissect_legacy(cursor: Cursor, path: str, end: int, *, is_inside: bool) -> None:
    """An entry of magic 0 or 1; a compressed one holds entries inside."""
    computed = crc32(cursor.data[cursor.position + 4 : end])

    def say_crc(value: int) -> str:
        return f"0x{value:08x} " + ("ok" if value == computed else f"WRONG: is 0x{computed:08x}")

    if cursor.integer(4, f"{path}.crc", signed=False, say=say_crc) != computed:
        cursor.rows[-1] = cursor.rows[-1]._replace(is_problem=True)
    magic = cursor.integer(1, f"{path}.magic")
    attributes = cursor.integer(1, f"{path}.attributes")
    if magic == 1:
        cursor.integer(8, f"{path}.timestamp", say=time_of)
    key_size = cursor.integer(4, f"{path}.keyLength")
    if key_size >= 0:
        cursor.octets(key_size, f"{path}.key")
    size = cursor.integer(4, f"{path}.valueLength")
    if size >= 0 and attributes & 7:
        if is_inside:
            raise DecodeError(f"{path}: a compressed message inside a compressed message")
        packed = cursor.octets(size, f"{path}.value", lambda data: f"{len(data)} bytes packed")
        _dissect_inner(cursor, path, packed, magic, attributes & 7)
    elif size >= 0:
        cursor.octets(size, f"{path}.value")
    if cursor.position != end:
        raise DecodeError(f"{path}: ends at {cursor.position}, its size says {end}")


def _dissect_inner(cursor: Cursor, path: str, packed: bytes, magic: int, codec: int) -> None:
    """The messages inside a compressed message."""
    if codec == Codec.LZ4 and magic == 0:
        packed = with_lz4_header_checksum(packed)
    inner = Cursor(inflate(codec, packed, path), cursor.rows, 0, None)
    number = 0
    while inner.left:
        dissect_batch(inner, f"{path}.message[{number}]", is_metadata=False, is_inside=True)
        number += 1
