"""Requests that are plausible, of any API and version: every field is filled, by its name."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, NamedTuple  # Any: values of any field

from barnabas.protocol.compiler.layout import Slot, StructLayout
from barnabas.protocol.json_form import layout_of
from barnabas.protocol.message import Message

from .batches import batch

_NUMBERS = {
    "acks": -1,
    "current_leader_epoch": -1,
    "endpoint_type": 1,
    "last_fetched_epoch": -1,
    "log_start_offset": -1,
    "max_bytes": 1 << 20,
    "partition_max_bytes": 1 << 20,
    "producer_epoch": -1,
    "producer_id": -1,
    "rebalance_timeout_ms": 1000,
    "replica_epoch": -1,
    "replica_id": -1,
    "resource_type": 2,
    "response_partition_limit": 100,
    "retention_time_ms": -1,
    "session_epoch": -1,
    "session_timeout_ms": 6000,
    "timeout_ms": 1000,
    "timestamp": -1,
}
"""What is not 0; epochs are those that nobody checks."""

_TOPICS = ("name", "resource_name", "topic", "topic_name", "topic_names", "topics")


class Form(NamedTuple):
    """How the fields are filled that no name says anything of."""

    topic: str
    topic_id: bytes
    flag: bool
    """What booleans are."""
    has_nulls: bool
    """Whether what may be null is."""


def plausible(request: type[Message], version: int, form: Form) -> Message:
    """A request about one topic, group `g`, and so on; arrays have one element."""
    made: Message = _struct(layout_of(request, version), sys.modules[request.__module__], form)
    return made


def _struct(layout: StructLayout, module: ModuleType, form: Form) -> Any:
    values = {slot.field.python_name: _value(slot, module, form) for slot in layout.slots}
    return getattr(module, layout.struct.name)(**values)


def _value(slot: Slot, module: ModuleType, form: Form) -> Any:
    if form.has_nulls and slot.nullable:
        return None
    if slot.body is not None:
        one = _struct(slot.body, module, form)
    else:
        one = _primitive(slot.field.python_name, slot.field.type.name, form)
    return [one] if slot.field.type.is_array else one


def _primitive(name: str, kind: str, form: Form) -> Any:
    values = {
        "bool": form.flag,
        "bytes": b"b",
        "float64": 1.0,
        "records": batch(b"v"),
        "string": form.topic if name in _TOPICS else "g",
        "uuid": form.topic_id,
    }
    return values.get(kind, _NUMBERS.get(name, 0))
