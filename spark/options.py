"""The options of the data source: the names of Spark's Kafka source, checked before any work."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from barnabas.client.structs import TopicPartition

from .client_settings import check_producer, parse_client_settings, whole_number
from .errors import OptionError
from .offsets import (
    EARLIEST,
    LATEST,
    Bound,
    BoundKind,
    parse_assignment,
    parse_offsets,
    parse_timestamp,
    parse_timestamps,
)

CLIENT_PREFIXES = ("barnabas.", "kafka.")
"""Options that go to the client. The second is what programs for Spark's Kafka source say."""

SELECTION_OPTIONS = ("subscribe", "subscribePattern", "assign")
START_OPTIONS = ("startingOffsets", "startingTimestamp", "startingOffsetsByTimestamp")
END_OPTIONS = ("endingOffsets", "endingTimestamp", "endingOffsetsByTimestamp")
READ_OPTIONS = (
    *SELECTION_OPTIONS,
    *START_OPTIONS,
    *END_OPTIONS,
    "startingOffsetsByTimestampStrategy",
    "minPartitions",
    "maxRecordsPerPartition",
    "maxOffsetsPerTrigger",
    "includeHeaders",
    "failOnDataLoss",
)
WRITE_OPTIONS = ("topic", "includeHeaders", "deliveryGuarantee", "transactionalIdPrefix")
ALL_OPTIONS = tuple(dict.fromkeys((*READ_OPTIONS, *WRITE_OPTIONS)))

GUARANTEES = {"at-least-once": False, "exactly-once": True}
ID_PREFIX = "barnabas-spark"
TRANSACTION_TIMEOUT_MS = 900_000
"""A transaction lasts from the start of a task until the driver commits its micro-batch. This is
the longest that brokers allow by default (`transaction.max.timeout.ms`)."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which partitions to read; exactly one of the three is set."""

    topics: tuple[str, ...] = ()
    pattern: str = ""
    assigned: tuple[TopicPartition, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """A checked set of options for a read, batch or streaming."""

    client: dict[str, Any]
    selection: Selection
    start: Bound
    end: Bound
    unmatched_time: Literal["error", "latest"] = "error"
    """What to do when no record is as new as a starting timestamp."""
    min_partitions: int | None = None
    max_records_per_partition: int | None = None
    max_offsets_per_trigger: int | None = None
    include_headers: bool = False
    fail_on_data_loss: bool = True


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """A checked set of options for a write."""

    client: dict[str, Any]
    topic: str | None = None
    is_exactly_once: bool = False
    id_prefix: str = ""
    """What transactional ids and groups begin with, where rows are written exactly once."""


class _Given:
    """The options as the user wrote them, looked up in any case."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._values = {name.lower(): value for name, value in options.items()}

    def get(self, name: str) -> str | None:
        return self._values.get(name.lower())

    def names_of(self, group: tuple[str, ...]) -> list[str]:
        return [name for name in group if name.lower() in self._values]

    def integer(self, name: str) -> int | None:
        text = self.get(name)
        if text is None:
            return None
        number = whole_number(text)
        if not number:
            raise OptionError(f"option {name!r}: {text!r} is not a whole number above zero")
        return number

    def flag(self, name: str, default: bool) -> bool:
        text = self.get(name)
        if text is None:
            return default
        if text.lower() not in ("true", "false"):
            raise OptionError(f"option {name!r}: {text!r} is neither true nor false")
        return text.lower() == "true"


def includes_headers(options: Mapping[str, str]) -> bool:
    """The one option that the schema depends on.

    Raises:
        OptionError: the option is neither true nor false.
    """
    return _Given(options).flag("includeHeaders", False)


def parse_read_options(options: Mapping[str, str], *, streaming: bool) -> ReadOptions:
    """Check everything that can be checked without a cluster.

    Raises:
        OptionError: names the option, what it has, and what is allowed.
    """
    _check_names(options, READ_OPTIONS)
    given = _Given(options)
    start = _bound(given, START_OPTIONS, "latest" if streaming else "earliest")
    end = _bound(given, END_OPTIONS, "latest")
    if streaming:
        _check_streaming(given)
    else:
        _check_batch(given, start, end)
    return ReadOptions(
        client=parse_client_settings(_client_options(options), writing=False),
        selection=_selection(given),
        start=start,
        end=end,
        unmatched_time=_strategy(given),
        min_partitions=given.integer("minPartitions"),
        max_records_per_partition=given.integer("maxRecordsPerPartition"),
        max_offsets_per_trigger=given.integer("maxOffsetsPerTrigger"),
        include_headers=given.flag("includeHeaders", False),
        fail_on_data_loss=given.flag("failOnDataLoss", True),
    )


def parse_write_options(options: Mapping[str, str]) -> WriteOptions:
    """Check the options of a write.

    Raises:
        OptionError: names the option, what it has, and what is allowed.
    """
    _check_names(options, WRITE_OPTIONS, ignored=("checkpointLocation",))
    topic = _Given(options).get("topic")
    if topic is not None and not topic.strip():
        raise OptionError("option 'topic' is empty")
    is_exactly_once, prefix = _guarantee(_Given(options))
    client = parse_client_settings(_client_options(options), writing=True)
    return WriteOptions(_with_guarantee(client, is_exactly_once), topic, is_exactly_once, prefix)


def _guarantee(given: _Given) -> tuple[bool, str]:
    name, prefix = "deliveryGuarantee", given.get("transactionalIdPrefix")
    text = given.get(name)
    chosen = GUARANTEES.get("at-least-once" if text is None else text.lower().replace("_", "-"))
    if chosen is None:
        raise OptionError(f"option {name!r}: {text!r} is none of {', '.join(GUARANTEES)}")
    if prefix is not None and not chosen:
        raise OptionError("option 'transactionalIdPrefix' needs 'deliveryGuarantee' exactly-once")
    if prefix is not None and not prefix.strip():
        raise OptionError("option 'transactionalIdPrefix' is empty")
    return chosen, ID_PREFIX if prefix is None else prefix


def _with_guarantee(client: dict[str, Any], is_exactly_once: bool) -> dict[str, Any]:
    """The client's settings for this guarantee; what contradicts it is an error."""
    if "transactional_id" in client:
        raise OptionError(
            "option 'barnabas.transactional.id': each task has an id of its own; what they begin"
            " with is the option 'transactionalIdPrefix'"
        )
    if not is_exactly_once:
        if "transaction_timeout_ms" in client:
            raise OptionError(
                "option 'barnabas.transaction.timeout.ms' needs 'deliveryGuarantee' exactly-once"
            )
        return client
    settings = {"transaction_timeout_ms": TRANSACTION_TIMEOUT_MS, **client}
    check_producer({**settings, "transactional_id": ID_PREFIX})
    return settings


def _check_names(
    options: Mapping[str, str], allowed: tuple[str, ...], ignored: tuple[str, ...] = ()
) -> None:
    known = {name.lower() for name in (*allowed, *ignored)}
    elsewhere = {name.lower() for name in ALL_OPTIONS}
    for name in options:
        lower = name.lower()
        if lower in known or lower.startswith(CLIENT_PREFIXES):
            continue
        if lower == "path":
            raise OptionError("a path makes no sense here; name topics with the option 'subscribe'")
        if lower in elsewhere:
            other = "a write" if allowed is READ_OPTIONS else "a read"
            raise OptionError(f"option {name!r} belongs to {other}")
        near = difflib.get_close_matches(lower, [option.lower() for option in allowed], n=1)
        hint = next((option for option in allowed if option.lower() in near), None)
        raise OptionError(
            f"unknown option {name!r}"
            + (f"; did you mean {hint!r}?" if hint else f"; known: {', '.join(allowed)}")
        )


def _client_options(options: Mapping[str, str]) -> dict[str, str]:
    """Names without their prefix; the same setting twice with two values is an error."""
    settings: dict[str, str] = {}
    for name, value in options.items():
        prefix = next((prefix for prefix in CLIENT_PREFIXES if name.lower().startswith(prefix)), "")
        if not prefix:
            continue
        short = name[len(prefix) :].lower()
        if settings.setdefault(short, value) != value:
            raise OptionError(
                f"'barnabas.{short}' and 'kafka.{short}' are given with different values"
            )
    return settings


def _selection(given: _Given) -> Selection:
    named = given.names_of(SELECTION_OPTIONS)
    if len(named) != 1:
        got = " and ".join(repr(name) for name in named) or "none"
        raise OptionError(
            f"exactly one of 'subscribe', 'subscribePattern' and 'assign' is needed, got {got}"
        )
    text = given.get(named[0]) or ""
    if named[0] == "assign":
        return Selection(assigned=parse_assignment("assign", text))
    if named[0] == "subscribePattern":
        try:
            re.compile(text)
        except re.error as error:
            raise OptionError(f"option 'subscribePattern': {text!r}: {error}") from None
        if not text:
            raise OptionError("option 'subscribePattern' is empty")
        return Selection(pattern=text)
    topics = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not topics:
        raise OptionError("option 'subscribe' names no topic")
    return Selection(topics=topics)


def _bound(given: _Given, group: tuple[str, ...], default: str) -> Bound:
    named = given.names_of(group)
    if len(named) > 1:
        raise OptionError(
            f"options {named[0]!r} and {named[1]!r} contradict each other; give one of them"
        )
    if not named:
        return parse_offsets(group[0], default)
    name = named[0]
    text = given.get(name) or ""
    if name.endswith("ByTimestamp"):
        return parse_timestamps(name, text)
    if name.endswith("Timestamp"):
        return parse_timestamp(name, text)
    return parse_offsets(name, text)


def _strategy(given: _Given) -> Literal["error", "latest"]:
    name = "startingOffsetsByTimestampStrategy"
    text = given.get(name)
    if text is None or text.lower() == "error":
        return "error"
    if text.lower() == "latest":
        return "latest"
    raise OptionError(f"option {name!r}: {text!r} is neither 'error' nor 'latest'")


def _check_batch(given: _Given, start: Bound, end: Bound) -> None:
    if given.names_of(("maxOffsetsPerTrigger",)):
        raise OptionError("option 'maxOffsetsPerTrigger' is for readStream only")
    for bound, kind, number, word in (
        (start, BoundKind.LATEST, LATEST, "latest"),
        (end, BoundKind.EARLIEST, EARLIEST, "earliest"),
    ):
        if bound.kind is kind:
            raise OptionError(f"option {bound.option!r}: a batch cannot have {word!r} here")
        if bound.kind is BoundKind.OFFSETS and number in bound.positions.values():
            raise OptionError(
                f"option {bound.option!r}: a batch cannot have {number} ({word}) here"
            )


def _check_streaming(given: _Given) -> None:
    named = given.names_of(END_OPTIONS)
    if named:
        raise OptionError(f"option {named[0]!r} is for batch reads; a stream has no end")
