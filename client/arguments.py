"""What a program may hand to producer and consumer: checked before anything of it is registered.

A record that cannot be encoded is refused in the call that brings it, with a text that names the
argument; nothing of it is left behind, and the records before and after it are sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import SupportsIndex

from .errors import ConfigurationError
from .structs import Header, TopicPartition

TIMESTAMP_MAX = OFFSET_MAX = 2**63 - 1
"""The wire has 64 bits, one of them the sign."""


def as_bytes(name: str, given: object) -> bytes:
    """The bytes of a key, a value or a header's value; buffers are copied.

    Raises:
        TypeError: it is neither bytes nor a buffer; the text names `name`.
    """
    if isinstance(given, bytes | bytearray | memoryview):
        return bytes(given)
    hint = ": str.encode() makes bytes of text" if isinstance(given, str) else ""
    raise TypeError(f"{name} must be bytes or None, not {type(given).__name__}{hint}")


def as_index(name: str, given: object) -> int:
    """A whole number, as Python's indices are: NumPy's too, but no bool and no float.

    Raises:
        TypeError: it is no whole number; the text names `name`.
    """
    if isinstance(given, SupportsIndex) and not isinstance(given, bool):
        return given.__index__()
    raise TypeError(f"{name} must be an int or None, not {type(given).__name__}: {given!r}")


def checked_timestamp(given: object) -> int:
    """Milliseconds since 1970.

    Raises:
        TypeError: it is no whole number.
        ValueError: negative, as Kafka's producer refuses it, or beyond 64 bits.
    """
    number = as_index("timestamp_ms", given)
    if not 0 <= number <= TIMESTAMP_MAX:
        raise ValueError(f"timestamp_ms must be 0 to 2^63-1, in milliseconds, not {number}")
    return number


def checked_times(given: Mapping[TopicPartition, object]) -> dict[TopicPartition, int]:
    """A time for each partition, as `checked_timestamp`."""
    return {key: checked_timestamp(each) for key, each in given.items()}


def checked_offset(given: object) -> int:
    """Where to read on.

    Raises:
        TypeError: it is no whole number.
        ConfigurationError: negative, or beyond 64 bits.
    """
    offset = as_index("offset", given)
    if offset < 0:
        raise ConfigurationError(f"offset {offset}: use seek_to_beginning or seek_to_end")
    if offset > OFFSET_MAX:
        raise ConfigurationError(f"offset {offset}: there are 64 bits, so at most 2^63-1")
    return offset


def checked_headers(given: object) -> Sequence[Header]:
    """Headers as a sequence of (name, value).

    Raises:
        TypeError: something else, or a name that is no str, or a value that is no bytes.
        ValueError: a name that UTF-8 cannot write.
    """
    if not isinstance(given, Sequence) or isinstance(given, str | bytes | bytearray | memoryview):
        raise TypeError(
            f"headers must be a sequence of (name, value) pairs, not {type(given).__name__}"
        )
    return [_checked_header(at, each) for at, each in enumerate(given)]


def _checked_header(at: int, given: object) -> Header:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise TypeError(f"headers[{at}] must be a pair (name, value), not {given!r}")
    name, content = given
    if not isinstance(name, str):
        raise TypeError(f"the name of headers[{at}] must be a str, not {type(name).__name__}")
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"the name of headers[{at}], {name!r}, is not UTF-8: {error}") from None
    return name, None if content is None else as_bytes(f"the value of header {name!r}", content)


def checked_topic(given: object) -> str:
    """The name of a topic; whether there is one is the broker's to say.

    Raises:
        TypeError: it is no str.
    """
    if not isinstance(given, str):
        raise TypeError(f"topic must be a str, not {type(given).__name__}: {given!r}")
    return given


def checked_names(call: str, given: Iterable[str]) -> list[str]:
    """Names as a program gives them: a list, and no text, which would be one name a letter.

    Raises:
        TypeError: a text, or something that is none in the list.
    """
    names = [given] if isinstance(given, str | bytes) else list(given)
    if names == [given] or not all(isinstance(each, str) for each in names):
        raise TypeError(f"{call}() takes a list of names, not {given!r}")
    return names


def checked_partitions(given: Iterable[object]) -> list[TopicPartition]:
    """Partitions as a program gives them: (topic, number) pairs.

    Raises:
        TypeError: something else, shown.
    """
    found = []
    for each in given:
        if not isinstance(each, tuple | list) or len(each) != 2:
            raise TypeError(f"assign() takes TopicPartition(topic, number), not {each!r}")
        found.append(TopicPartition(checked_topic(each[0]), as_index("partition", each[1])))
    return found
