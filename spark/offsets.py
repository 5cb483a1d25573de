"""Where a read starts and ends, as the options say it: words, numbers, or points in time."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from barnabas.client.arguments import OFFSET_MAX, TIMESTAMP_MAX
from barnabas.client.structs import TopicPartition

from .errors import OptionError

LATEST = -1
"""In a JSON option: the end of the log, as in Spark's Kafka source and in ListOffsets."""

EARLIEST = -2
"""In a JSON option: the start of the log."""


class BoundKind(Enum):
    """How a bound is given."""

    EARLIEST = "earliest"
    LATEST = "latest"
    OFFSETS = "offsets"
    TIMESTAMP = "timestamp"
    TIMESTAMPS = "timestamps"


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a read.

    `option` is the option that it came from (for messages). `positions` holds offsets for
    OFFSETS and milliseconds since the epoch for TIMESTAMPS; `timestamp_ms` is for TIMESTAMP.
    """

    kind: BoundKind
    option: str
    positions: dict[TopicPartition, int] = field(default_factory=dict)
    timestamp_ms: int = -1


def parse_offsets(option: str, text: str) -> Bound:
    """`earliest`, `latest`, or JSON as `{"topic":{"0":23,"1":-2}}`.

    Raises:
        OptionError: the text is none of these.
    """
    word = text.strip().lower()
    if word in ("earliest", "latest"):
        return Bound(BoundKind(word), option)
    positions = parse_positions(option, text, minimum=EARLIEST)
    return Bound(BoundKind.OFFSETS, option, positions)


def parse_timestamps(option: str, text: str) -> Bound:
    """JSON as `{"topic":{"0":1700000000000}}`, milliseconds since the epoch.

    Raises:
        OptionError: the text is not that.
    """
    return Bound(BoundKind.TIMESTAMPS, option, parse_positions(option, text, minimum=0))


def parse_timestamp(option: str, text: str) -> Bound:
    """One point in time for every partition, in milliseconds since the epoch.

    Raises:
        OptionError: the text is not a whole number of milliseconds.
    """
    try:
        milliseconds = int(text)
    except ValueError:
        milliseconds = -1
    if not 0 <= milliseconds <= TIMESTAMP_MAX:
        raise OptionError(
            f"option {option!r}: {text!r} is not a timestamp in milliseconds since the epoch"
        )
    return Bound(BoundKind.TIMESTAMP, option, timestamp_ms=milliseconds)


def parse_positions(option: str, text: str, *, minimum: int) -> dict[TopicPartition, int]:
    """A number for each partition, from JSON as `{"topic":{"0":23}}`.

    Raises:
        OptionError: not JSON of that shape, or a number below `minimum`.
    """
    shape = '{"topic":{"0":23,"1":-2}}' if minimum < 0 else '{"topic":{"0":1700000000000}}'
    positions: dict[TopicPartition, int] = {}
    for topic, partitions in _json_object(option, text, shape).items():
        if not isinstance(partitions, dict):
            raise OptionError(f"option {option!r}: topic {topic!r} needs an object as in {shape}")
        for partition_text, value in partitions.items():
            partition = _partition_number(option, topic, partition_text)
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            if not is_whole or not minimum <= value <= OFFSET_MAX:
                raise OptionError(
                    f"option {option!r}: {topic}-{partition} has {value!r}, "
                    f"but a whole number from {minimum} to {OFFSET_MAX} is needed"
                )
            positions[TopicPartition(topic, partition)] = value
    return positions


def parse_assignment(option: str, text: str) -> tuple[TopicPartition, ...]:
    """The partitions to read, from JSON as `{"topic":[0,1]}`.

    Raises:
        OptionError: not JSON of that shape, or no partition at all.
    """
    shape = '{"topic":[0,1]}'
    assigned: set[TopicPartition] = set()
    for topic, partitions in _json_object(option, text, shape).items():
        if not isinstance(partitions, list):
            raise OptionError(f"option {option!r}: topic {topic!r} needs a list as in {shape}")
        for partition in partitions:
            assigned.add(TopicPartition(topic, _partition_number(option, topic, partition)))
    if not assigned:
        raise OptionError(f"option {option!r} names no partition")
    return tuple(sorted(assigned))


def _json_object(option: str, text: str, shape: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not value:
        raise OptionError(f"option {option!r}: {text!r} is not JSON as {shape}")
    return value


def _partition_number(option: str, topic: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    raise OptionError(f"option {option!r}: {value!r} is not a partition number of {topic!r}")


def positions_to_json(positions: dict[TopicPartition, int]) -> dict[str, dict[str, int]]:
    """`{"topic":{"0":23}}`, sorted: the form of streaming offsets in Spark's checkpoints."""
    result: dict[str, dict[str, int]] = {}
    for at in sorted(positions):
        result.setdefault(at.topic, {})[str(at.partition)] = positions[at]
    return result


def positions_from_json(value: dict[str, dict[str, int]]) -> dict[TopicPartition, int]:
    """The reverse of `positions_to_json`."""
    return {
        TopicPartition(topic, int(partition)): offset
        for topic, partitions in value.items()
        for partition, offset in partitions.items()
    }
