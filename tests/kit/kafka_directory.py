"""The log directory that a running Apache Kafka 4.3.1 left, unpacked for one test.

`tests/data/kafka-logdir.tar.gz`: a combined broker and controller, two runs, stopped cleanly; its
records are of 2026-11-21 and older. `kafka-logdir.expect.json` is what clients read through Kafka:
offsets, counts, and sha256 over one line a record.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
from pathlib import Path
from typing import Any

from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.protocol.record import Record
from barnabas.protocol.record_batch import iter_batch_headers
from barnabas.protocol.records import decode_batch
from barnabas.testing import archives

from .logs import ManualClock, config_of, env_of

DATA = Path(__file__).resolve().parent.parent / "data"
STOPPED_MS = 1_795_241_200_000  # 2026-11-21, soon after the last record


def unpack(target: Path) -> Path:
    """Unpack the directory below `target`; its path."""
    with tarfile.open(DATA / "kafka-logdir.tar.gz") as archive:
        archives.unpack(archive, target)
    return target / "kafka-logdir"


def expectations() -> dict[str, Any]:
    """What Kafka's clients read from it."""
    loaded: dict[str, Any] = json.loads((DATA / "kafka-logdir.expect.json").read_text())
    return loaded


def open_directory(path: Path) -> LogDirectory:
    """Open all its logs with the topics' own settings."""
    directory = LogDirectory(str(path), env_of(clock=ManualClock(STOPPED_MS)))
    directory.open()
    topics = expectations()["topics"]
    for found in directory.partitions():
        directory.load(found, config_of(**_settings(topics[found.topic]["configs"])))
    return directory


def _settings(configs: dict[str, str]) -> dict[str, object]:
    settings: dict[str, object] = {}
    for name, value in configs.items():
        field = name.replace(".", "_")
        if field == "cleanup_policy":
            settings[field] = tuple(value.split(","))
        elif field in {"compression_type", "message_timestamp_type"}:
            settings[field] = value
        elif field not in {"min_cleanable_dirty_ratio", "unclean_leader_election_enable"}:
            settings[field] = int(value)
    return settings


def consume(log: PartitionLog, *, committed: bool, max_bytes: int = 3000) -> dict[str, Any]:
    """Read a log as a consumer does, with its filtering; in the form of the expectations."""
    end = log.last_stable_offset if committed else log.high_watermark
    offset = log.log_start_offset
    records: list[Record] = []
    while offset < end:
        data = log.read(offset, max_bytes, end)
        if not data:
            break
        batches = list(iter_batch_headers(data, 0, len(data)))
        following = batches[-1][1].next_offset
        aborted = log.aborted_transactions(offset, following) if committed else []
        records += [r for r in _visible(data, aborted) if r.offset >= offset]
        offset = following
    digest = hashlib.sha256()
    for record in records:
        digest.update(_line(record))
    return {
        "records": len(records),
        "first": records[0].offset if records else None,
        "last": records[-1].offset if records else None,
        "sha256": digest.hexdigest(),
    }


def _visible(data: Any, aborted: list[tuple[int, int]]) -> list[Record]:
    """Without control records, and without aborted transactions: the client's rule (98-06)."""
    waiting = sorted(aborted, key=lambda entry: entry[1])
    rejected: set[int] = set()
    visible: list[Record] = []
    for at, header in iter_batch_headers(data, 0, len(data)):
        while waiting and waiting[0][1] <= header.last_offset:
            rejected.add(waiting.pop(0)[0])
        if header.is_control:
            rejected.discard(header.producer_id)
        elif not (header.is_transactional and header.producer_id in rejected):
            visible += decode_batch(data, at)
    return visible


def _line(record: Record) -> bytes:
    def hexed(value: bytes | None) -> str | None:
        return None if value is None else value.hex()

    headers = [[key, hexed(value)] for key, value in record.headers]
    line = [record.offset, record.timestamp, hexed(record.key), hexed(record.value), headers]
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
