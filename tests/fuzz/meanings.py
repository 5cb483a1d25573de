"""Requests that are well formed and odd: every field of a message is drawn by what its name says,
from values that nodes told before, from those that mean something, and from the ends of its range.

What is drawn can be decoded, so it reaches the handlers and what lies behind them; frames that
cannot are the business of `wire.py`.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Iterator
from sys import modules
from typing import Any, Final

from kit.batches import around, record

from barnabas.protocol.compiler.layout import Slot, StructLayout
from barnabas.protocol.compiler.tree import INTEGER_RANGES
from barnabas.protocol.json_form import layout_of
from barnabas.protocol.message import Message

KEPT_MAX: Final = 32
"""So many values of a name are remembered."""

ELEMENTS_MAX: Final = 4
MANY: Final = 3_000
"""So many elements an array has now and then."""

TOPICS: Final = ("one", "three", "compacted")
_TEXTS: Final = (
    *TOPICS,
    "nope",
    "",
    ".",
    "a" * 249,
    "a" * 32_000,
    "ü\0\n",
    "__consumer_offsets",
    "__transaction_state",
    "__cluster_metadata",
    "range",
    "consumer",
    "uniform",
    "1",
    "-1",
    "9" * 400,
    "g",
    "h",
    "x",
    "client-id",
    "user",
    "ip",
    "User:x",
    "*",
    "retention.ms",
    "cleanup.policy",
    "compact",
    "consumer_byte_rate",
    "metadata.version",
    "kraft.version",
    "transaction.version",
    "[",
    "(a*)*b",
)
_NUMBERS: Final = (-1, 0, 1, 2, 3, 5, 100, 1_000, 5_000, 1_000_000)
_LIST: Final = ",".join(f"{number}:1" for number in range(6_000))
_BY_NAME: Final[dict[str, tuple[object, ...]]] = {
    "acks": (-1, 0, 1),
    "config_operation": (0, 1, 2, 3),
    "count": (2, 3, 40),
    "configuration_keys": ("retention.ms", "cleanup.policy"),
    "endpoint_type": (1, 2),
    "entity_type": ("user", "client-id", "ip"),
    "generation_id": (-1, 0, 1, 2),
    "host": ("*", "127.0.0.1"),
    "isolation_level": (0, 1),
    "key": ("g", "h", "consumer_byte_rate", "producer_byte_rate", "connection_creation_rate"),
    "key_type": (0, 1),
    "max_wait_ms": (0, 1, 100),
    "mechanism": (1, 2),
    "member_epoch": (-2, -1, 0, 1, 2),
    "name": (*TOPICS, "retention.ms", "leader.replication.throttled.replicas", "cleanup.policy"),
    "num_partitions": (1, 1, 3, -1, 40),
    "operation": (2, 3, 4, 5, 6, 7, 8),
    "partition": (0, 1, 2),
    "partition_index": (0, 1, 2),
    "partitions": (0, 1, 2),
    "partition_indexes": (0, 1, 2),
    "pattern_type": (3, 4),
    "permission_type": (2, 3),
    "principal": ("User:x", "User:ANONYMOUS", "User:*"),
    "protocol_name": ("range",),
    "protocol_type": ("consumer", "connect"),
    "replication_factor": (1, -1),
    "resource_name": (*TOPICS, "1", "", "g"),
    "resource_type": (2, 4, 8, 16, 32),
    "server_assignor": ("uniform", "range", None),
    "session_epoch": (0, 1, 2, -1),
    "session_timeout_ms": (6_000, 10_000),
    "subscribed_topic_regex": ("o.*", "[a-z]+", "(a|b)*", "t", ""),
    "transaction_timeout_ms": (1_000, 60_000),
    "value": ("1000", "compact", "delete", _LIST, "0:1", "-1"),
}
"""What a field of this name is mostly made of, so that requests reach far."""
_NEVER_OTHERS: Final = frozenset({"num_partitions", "count"})
"""Thousands of partitions would take all the time that there is."""
_SUBSCRIPTION: Final = bytes.fromhex("0001 00000001 0003 6f6e65 00000000 00000000".replace(" ", ""))

_BATCH_FIELDS: Final[tuple[dict[str, int], ...]] = (
    {},
    {"producer_id": 0, "producer_epoch": 0, "base_sequence": 0},
    {"attributes": 0x10, "producer_id": 0, "producer_epoch": 0, "base_sequence": 0},
    {"attributes": 0x30, "producer_id": 0, "producer_epoch": 0, "base_sequence": -1},
    {"attributes": 1},
    {"attributes": 4},
    {"count": 2**31 - 1},
    {"count": -1},
    {"last_offset_delta": 2**31 - 1},
    {"timestamp": -(2**63)},
    {"timestamp": 2**63 - 1},
    {"base_offset": 2**63 - 1},
    {"magic": 1},
    {"magic": 7},
    {"crc": 5},
)


class Meanings:
    """Draws messages; learns values from answers, by the names of their fields."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._heard: dict[str, deque[Any]] = {}

    def learn(self, message: Message, version: int) -> None:
        """Remember the numbers, texts and ids of an answer."""
        for name, value in _values(message, layout_of(type(message), version)):
            if value not in self._heard.setdefault(name, deque(maxlen=KEPT_MAX)):
                self._heard[name].append(value)

    def message(self, kind: type[Message], version: int) -> Message:
        """One of this kind, for this version."""
        found = self._struct(layout_of(kind, version), kind.__module__)
        assert isinstance(found, Message)
        return found

    def _struct(self, layout: StructLayout, module: str) -> Any:
        found = getattr(modules[module], layout.struct.name)()
        for slot in layout.slots:
            setattr(found, slot.field.python_name, self._value(slot, module))
        for slot in layout.tagged:
            if self._chance.random() < 0.5:
                setattr(found, slot.field.python_name, self._value(slot, module))
        return found

    def _value(self, slot: Slot, module: str) -> Any:
        chance = self._chance
        if slot.nullable and chance.random() < 0.3:
            return None
        if not slot.field.type.is_array:
            return self._element(slot, module)
        if chance.random() < 0.005:
            return [self._element(slot, module)] * MANY
        found = [
            self._element(slot, module)
            for _ in range(chance.choice((0, 1, 1, 1, 2, 3, ELEMENTS_MAX)))
        ]
        if found and chance.random() < 0.1:
            found.append(found[0])
        return found

    def _element(self, slot: Slot, module: str) -> Any:
        if slot.body is not None:
            return self._struct(slot.body, module)
        chance, name = self._chance, slot.field.python_name
        heard = self._heard.get(name) or self._heard.get(name.rstrip("s"))
        kind = slot.field.type.name
        if heard and chance.random() < 0.6:
            value = chance.choice(heard)
            if _fits(value, kind):
                return value
        meant = _BY_NAME.get(name)
        if meant and (name in _NEVER_OTHERS or chance.random() < 0.7):
            value = chance.choice(meant)
            if _fits(value, kind):
                return value
        return self._drawn(name, kind)

    def _drawn(self, name: str, kind: str) -> Any:
        chance = self._chance
        if kind == "bool":
            return chance.random() < 0.5
        if kind == "string":
            return chance.choice(TOPICS) if "topic" in name else chance.choice(_TEXTS)
        if kind == "uuid":
            return chance.choice((bytes(16), b"\0" * 15 + b"\1", chance.randbytes(16)))
        if kind == "float64":
            return chance.choice((0.0, -1.0, 1e308, float("inf"), float("nan"), 5.0))
        if kind == "records":
            return self._records()
        if kind == "bytes":
            if chance.random() < 0.3:
                return _SUBSCRIPTION
            return chance.randbytes(chance.choice((0, 1, 4, 30, 300)))
        lowest, highest = INTEGER_RANGES[kind]
        value = chance.choice(
            (*_NUMBERS, lowest, highest, highest - 1, chance.randint(lowest, highest))
        )
        return min(max(value, lowest), highest)

    def _records(self) -> bytes:
        chance = self._chance
        fields = {} if chance.random() < 0.5 else chance.choice(_BATCH_FIELDS)
        for name in ("producer_id", "producer_epoch"):
            heard = self._heard.get(name)
            if fields.get(name, -1) >= 0 and heard:
                fields = {**fields, name: chance.choice(heard)}
        values = b"".join(record(number, b"value", b"key") for number in range(2))
        fields = {"count": 2, "timestamp": int(time.time() * 1000), **fields}
        data = around(values, **fields)
        if chance.random() < 0.1:
            data = data[: chance.randrange(len(data))]
        return data * chance.choice((1, 1, 1, 2))


def _fits(value: Any, kind: str) -> bool:
    if kind in INTEGER_RANGES:
        lowest, highest = INTEGER_RANGES[kind]
        return type(value) is int and lowest <= value <= highest
    if kind == "uuid":
        return isinstance(value, bytes) and len(value) == 16
    wanted = {"string": str, "bytes": bytes, "records": bytes, "bool": bool, "float64": float}
    return isinstance(value, wanted[kind])


def _values(struct: Any, layout: StructLayout) -> Iterator[tuple[str, Any]]:
    for slot in (*layout.slots, *layout.tagged):
        value = getattr(struct, slot.field.python_name)
        for one in (value or ()) if slot.field.type.is_array else (value,):
            if slot.body is not None and one is not None:
                yield from _values(one, slot.body)
            elif isinstance(one, int | str) or (isinstance(one, bytes) and len(one) < 1_000):
                yield slot.field.python_name, one
