"""Primitive types on the wire: strings, bytes, uuids, tagged fields, and their errors.

Generated codecs read fixed-width numbers inline and come here for the rest. `i` is always an
offset into `data`; a read past the end raises IndexError, which a codec turns into DecodeError.
Writers raise ValueError for what does not fit, which a codec turns into EncodeError.
"""

# librt's index parameters are typed as its C integers, which pyright does not take for int.
# pyright: reportArgumentType=false, reportReturnType=false
from __future__ import annotations

from binascii import a2b_base64, b2a_base64
from typing import Final

from librt.strings import BytesWriter, write_i16_be, write_i32_be

from .buffer import Buffer
from .errors import DecodeError, EncodeError
from .varints import read_uvarint, write_uvarint

ZERO_UUID: Final = bytes(16)

# Limits of hostile input (ENV-11): our own numbers, far above what real peers send.
UNKNOWN_TAGS_MAX: Final = 64
UNKNOWN_TAG_BYTES_MAX: Final = 128 * 1024
STRING_BYTES_MAX: Final = 32767


# ---------------------------------------------------------------------------- numbers


def write_i8(writer: BytesWriter, value: int) -> None:
    """One signed byte."""
    if not -128 <= value <= 127:
        raise ValueError(f"{value} is no int8")
    writer.append(value & 0xFF)


def write_u16(writer: BytesWriter, value: int) -> None:
    """Two bytes, unsigned."""
    if not 0 <= value <= 0xFFFF:
        raise ValueError(f"{value} is no uint16")
    write_i16_be(writer, value if value < 0x8000 else value - 0x10000)


def write_u32(writer: BytesWriter, value: int) -> None:
    """Four bytes, unsigned."""
    if not 0 <= value <= 0xFFFFFFFF:
        raise ValueError(f"{value} is no uint32")
    write_i32_be(writer, value if value < 0x80000000 else value - 0x100000000)


# ---------------------------------------------------------------------------- text and bytes


def write_string(writer: BytesWriter, value: str) -> None:
    """int16 length and UTF-8."""
    encoded = value.encode()
    write_i16_be(writer, len(encoded))
    writer.write(encoded)


def write_nullable_string(writer: BytesWriter, value: str | None) -> None:
    """int16 length and UTF-8, or a length of -1."""
    if value is None:
        write_i16_be(writer, -1)
    else:
        write_string(writer, value)


def write_compact_string(writer: BytesWriter, value: str) -> None:
    """Unsigned varint of the length plus one, and UTF-8."""
    encoded = value.encode()
    size = len(encoded)
    if size > STRING_BYTES_MAX:
        raise ValueError(f"a string of {size} bytes, at most {STRING_BYTES_MAX} go")
    write_uvarint(writer, size + 1)
    writer.write(encoded)


def write_compact_nullable_string(writer: BytesWriter, value: str | None) -> None:
    """Like `write_compact_string`; nothing is a zero."""
    if value is None:
        writer.append(0)
    else:
        write_compact_string(writer, value)


def write_bytes(writer: BytesWriter, value: bytes | bytearray) -> None:
    """int32 length and the bytes."""
    write_i32_be(writer, len(value))
    writer.write(value)


def write_nullable_bytes(writer: BytesWriter, value: bytes | bytearray | None) -> None:
    """int32 length and the bytes, or a length of -1."""
    if value is None:
        write_i32_be(writer, -1)
    else:
        write_bytes(writer, value)


def write_compact_bytes(writer: BytesWriter, value: bytes | bytearray) -> None:
    """Unsigned varint of the length plus one, and the bytes."""
    write_uvarint(writer, len(value) + 1)
    writer.write(value)


def write_compact_nullable_bytes(writer: BytesWriter, value: bytes | bytearray | None) -> None:
    """Like `write_compact_bytes`; nothing is a zero."""
    if value is None:
        writer.append(0)
    else:
        write_compact_bytes(writer, value)


# ---------------------------------------------------------------------------- records


def write_records(writer: BytesWriter, value: Buffer) -> None:
    """int32 length and the bytes, which may lie in any buffer."""
    write_bytes(writer, _as_bytes(value))


def write_nullable_records(writer: BytesWriter, value: Buffer | None) -> None:
    """Like `write_records`, or a length of -1."""
    write_nullable_bytes(writer, None if value is None else _as_bytes(value))


def write_compact_records(writer: BytesWriter, value: Buffer) -> None:
    """Unsigned varint of the length plus one, and the bytes, which may lie in any buffer."""
    write_compact_bytes(writer, _as_bytes(value))


def write_compact_nullable_records(writer: BytesWriter, value: Buffer | None) -> None:
    """Like `write_compact_records`; nothing is a zero."""
    write_compact_nullable_bytes(writer, None if value is None else _as_bytes(value))


def _as_bytes(value: Buffer) -> bytes | bytearray:
    """What a writer takes: no view, so of that a copy."""
    return bytes(value) if isinstance(value, memoryview) else value


# ---------------------------------------------------------------------------- uuids


def write_uuid(writer: BytesWriter, value: bytes) -> None:
    """Sixteen bytes."""
    if len(value) != 16:
        raise ValueError(f"a uuid of {len(value)} bytes")
    writer.write(value)


def uuid_to_text(value: bytes) -> str:
    """22 letters of url-safe base64, as Kafka prints a uuid."""
    text = b2a_base64(value, newline=False).decode("ascii").rstrip("=")
    return text.replace("+", "-").replace("/", "_")


def uuid_from_text(text: str) -> bytes:
    """The sixteen bytes of what `uuid_to_text` wrote; ValueError when it is none."""
    try:
        value = a2b_base64(text.replace("-", "+").replace("_", "/") + "==", strict_mode=True)
    except ValueError:
        value = b""
    if len(value) != 16 or len(text) != 22 or "+" in text or "/" in text:
        raise ValueError(f"{text!r} is not a uuid: 22 letters of url-safe base64")
    return value


# ---------------------------------------------------------------------------- tagged fields


def skip_tagged_fields(data: bytes, i: int) -> int:
    """Skip a whole section of tagged fields, none of them known here (ENV-07, ENV-11)."""
    count, i = read_uvarint(data, i)
    check_tag_count(data, i, count)
    if count > UNKNOWN_TAGS_MAX:
        raise DecodeError(f"{count} unknown tagged fields, at most {UNKNOWN_TAGS_MAX} go")
    tag = -1
    for _ in range(count):
        tag, start, i = read_tag(data, i, tag)
        check_unknown_tag(tag, i - start, 0)
    return i


def check_tag_count(data: bytes, i: int, count: int) -> None:
    """Refuse a count that the bytes left cannot hold, at two bytes a tagged field."""
    if count * 2 > len(data) - i:
        raise DecodeError(f"{count} tagged fields in {len(data) - i} bytes")


def read_tag(data: bytes, i: int, previous: int) -> tuple[int, int, int]:
    """Tag, and where its payload begins and ends; tags ascend and none comes twice (ENV-07)."""
    tag, i = read_uvarint(data, i)
    size, i = read_uvarint(data, i)
    if tag <= previous:
        raise DecodeError(f"tag {tag} after tag {previous}: tags ascend")
    if size > len(data) - i:
        raise DecodeError(f"tag {tag} has {size} bytes, {len(data) - i} are left")
    return tag, i, i + size


def check_unknown_tag(tag: int, size: int, seen: int) -> None:
    """Limits on what is skipped: `seen` unknown tags went before in this structure (ENV-11)."""
    if size > UNKNOWN_TAG_BYTES_MAX:
        raise DecodeError(f"unknown tag {tag} has {size} bytes, at most {UNKNOWN_TAG_BYTES_MAX} go")
    if seen >= UNKNOWN_TAGS_MAX:
        raise DecodeError(f"more than {UNKNOWN_TAGS_MAX} unknown tagged fields")


def write_tag(writer: BytesWriter, tag: int, payload: BytesWriter) -> None:
    """Tag, size of the payload, payload."""
    content = payload.getvalue()
    write_uvarint(writer, tag)
    write_uvarint(writer, len(content))
    writer.write(content)


# ---------------------------------------------------------------------------- errors of codecs


def bad_length(path: str, length: int, left: int) -> DecodeError:
    """A string or bytes field whose length cannot be."""
    if length < 0:
        return DecodeError(f"{path}: length {length}")
    return DecodeError(f"{path}: {length} bytes, {left} are left")


def bad_count(path: str, count: int, left: int) -> DecodeError:
    """An array whose count cannot be (ENV-11)."""
    return DecodeError(f"{path}: {count} elements in {left} bytes")


def over_budget(path: str, budget: int) -> DecodeError:
    """More elements in one message than any honest peer sends."""
    return DecodeError(f"{path}: more than {budget} elements in one message")


def bad_tag_size(path: str) -> DecodeError:
    """A known tagged field whose value is not as long as its size says."""
    return DecodeError(f"{path}: the value is not as long as the tagged field says")


def bad_presence(path: str, byte: int) -> DecodeError:
    """A nullable structure begins with neither 1 nor -1 (0 in a tagged field)."""
    return DecodeError(
        f"{path}: {byte} says neither that there is a structure nor that there is none"
    )


def no_version(name: str, version: int) -> DecodeError:
    """A version that the message does not have."""
    return DecodeError(f"{name} has no version {version}")


def decode_failure(name: str, version: int, size: int, error: Exception) -> DecodeError:
    """What a codec makes of an error: a read beyond the end, bad UTF-8, or one of the above."""
    if isinstance(error, IndexError):
        return DecodeError(f"{name} version {version}: cut short, {size} bytes do not hold it")
    if isinstance(error, DecodeError) and str(error).startswith(name):
        return error
    return DecodeError(f"{name} version {version}: {error}")


def trailing(name: str, version: int, left: int) -> DecodeError:
    """Bytes behind the end of a message (ENV-06)."""
    return DecodeError(f"{name} version {version}: {left} bytes too many")


def not_carried(path: str, version: int) -> EncodeError:
    """A field has a value that means something, and the version has no such field."""
    return EncodeError(f"{path}: version {version} cannot carry a value other than the default")


def null_refused(path: str, version: int) -> EncodeError:
    """A field is null, and the version does not allow it."""
    return EncodeError(f"{path}: null is not allowed in version {version}")


def no_encoding(name: str, version: int, error: Exception | None = None) -> EncodeError:
    """A version that the message does not have, or a value that does not fit its type."""
    if error is None:
        return EncodeError(f"{name} has no version {version}")
    return EncodeError(f"{name} version {version}: {error}")
