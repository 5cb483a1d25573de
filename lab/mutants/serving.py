"""Planted bugs in how answers are made: sessions, limits, and the metadata that they are based
on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from barnabas.broker.core.log import producer_entry
from barnabas.broker.core.log.reader import LogReader
from barnabas.broker.core.replication.resting_session import FetchTarget
from barnabas.broker.handlers import metadata
from barnabas.broker.handlers.fetch.wait import ParkedFetch
from barnabas.broker.server.controller.reign import Reign
from barnabas.broker.server.quorum.raft_log import QuorumLog
from barnabas.protocol.messages.no_op_record import NoOpRecord

from .mutant import CALM, ROUGH, Mutant, wrapping

Method = Callable[..., Any]


def _news_kept_back(original: Method) -> Method:
    """A partition of which only the watermark has moved counts as told, but was not."""

    def is_news(target: Any, data: Any) -> bool:
        found = original(target, data)
        return found and (bool(data.records) or bool(data.error_code))

    return is_news


def _more_than_asked(original: Method) -> Method:
    def finding(reader: Any, offset: int, max_bytes: int, *args: Any, **options: Any) -> Any:
        return original(reader, offset, max_bytes + 100_000, *args, **options)

    return finding


def _half_a_second_more(original: Method) -> Method:
    def wait(parked: Any, node: Any, delay_ms: float) -> None:
        original(parked, node, delay_ms + 500)

    return wait


def _written_before(original: Method) -> Method:
    """Another record is written between what a command sees and what it decides."""

    def append(reign: Any, records: Any, seen: int) -> None:
        if records and len(records) > 1:
            original(reign, [NoOpRecord()], seen)
        original(reign, records, seen)

    return append


def _brokers_of_before(original: Method) -> Method:
    """The brokers in an answer are those of the answer before it."""
    before: dict[int, Any] = {}

    def listed_brokers(context: Any) -> Any:
        found = original(context)
        return before.pop(context.node.node_id, None) or before.setdefault(
            context.node.node_id, found
        )

    return listed_brokers


def _anew_after_two_pieces(original: Method) -> Method:
    def position(log: Any, snapshot: Any) -> int:
        if original(log, snapshot) > 1000:
            log.files.drop_part()
        return int(original(log, snapshot))

    return position


MUTANTS = (
    Mutant(
        "news-kept-back",
        "a session never tells that a watermark moved (227-02)",
        ("I-24",),
        wrapping(FetchTarget, "is_news", _news_kept_back),
        CALM,
    ),
    Mutant(
        "answers-too-large",
        "a fetch is answered with more bytes than it asked for",
        ("I-28",),
        wrapping(LogReader, "finding", _more_than_asked),
        ROUGH.replaced(fetch_bytes=300, sends_per_s=60.0),
    ),
    Mutant(
        "parked-too-long",
        "a parked fetch ends half a second late (74-02)",
        ("I-28",),
        wrapping(ParkedFetch, "wait_at_most", _half_a_second_more),
        CALM,
    ),
    Mutant(
        "producers-never-forgotten",
        "fifty batches of a producer are remembered, not five (98-02)",
        ("I-28", "98-02"),
        lambda: patch.object(producer_entry, "BATCHES_KEPT", 50),
        CALM,
    ),
    Mutant(
        "decided-too-early",
        "another record is written between what a command saw and what it decides",
        ("I-17",),
        wrapping(Reign, "_append", _written_before),
        CALM,
    ),
    Mutant(
        "brokers-of-before",
        "brokers and partitions of a Metadata answer are of two images",
        ("I-17",),
        wrapping(metadata, "listed_brokers", _brokers_of_before),
    ),
    Mutant(
        "download-begins-anew",
        "a snapshot's download begins again before it ends (630-14)",
        ("L-7", "L-5", "L-1"),
        wrapping(QuorumLog, "download_position", _anew_after_two_pieces),
        CALM.replaced(cuts_metadata=True, leaves_behind=True, snapshot_chunk_bytes=512),
    ),
)
