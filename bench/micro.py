"""Small pieces in one process: codecs, batches, the log, the hot path. `python -m bench.micro`.

The same measurements run interpreted (this environment), compiled (the wheel's), and where it
applies with the construct backend; the table shows microseconds and how many times faster.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from . import paths, wire
from .hot_path import produce_cost
from .node import PYTHON, STAMP
from .rights import rights_pieces
from .windows import microseconds

FETCH_VERSION = 17
PARTITIONS = 10
BATCH_RECORDS = 500
NOW_MS = 1_780_000_000_000
HEADERS = (("trace", b"x"), ("kind", b"yy"))

Piece = tuple[str, Callable[[], object]]


def fetch_request() -> tuple[bytes, object]:
    """A Fetch request of ten partitions, as bytes and as an object."""
    from barnabas.protocol.messages.fetch_request import (
        FetchPartition,
        FetchRequest,
        FetchTopic,
    )

    asked = [
        FetchPartition(partition=index, fetch_offset=1000 + index, partition_max_bytes=2**20)
        for index in range(PARTITIONS)
    ]
    request = FetchRequest(
        max_wait_ms=500,
        min_bytes=1,
        max_bytes=50 * 2**20,
        session_id=77,
        session_epoch=5,
        topics=[FetchTopic(topic_id=bytes(range(16)), partitions=asked)],
    )
    return request.encode(FETCH_VERSION), request


def codec_pieces() -> Iterator[Piece]:
    """The generated codec."""
    from barnabas.protocol.messages.fetch_request import FetchRequest

    data, request = fetch_request()
    assert isinstance(request, FetchRequest)
    name = f"Fetch request of {PARTITIONS} partitions"
    yield f"{name}, decode", lambda: FetchRequest.decode(data, FETCH_VERSION)
    yield f"{name}, encode", lambda: request.encode(FETCH_VERSION)


def construct_pieces() -> Iterator[Piece]:
    """The construct backend on the same bytes."""
    from barnabas.protocol.compiler.schema import parse_schema
    from barnabas.protocol.construct_backend import construct_codec
    from barnabas.protocol.messages.fetch_request import FetchRequest

    data, _ = fetch_request()
    codec = construct_codec(parse_schema("FetchRequest.json", FetchRequest.SCHEMA))
    layout = codec.construct(FETCH_VERSION)
    value = layout.parse(data)
    name = f"Fetch request of {PARTITIONS} partitions"
    yield f"{name}, decode", lambda: layout.parse(data)
    yield f"{name}, encode", lambda: layout.build(value)


def varint_pieces() -> Iterator[Piece]:
    """Numbers of five bytes, which are not read in place."""
    from librt.strings import BytesWriter

    from barnabas.protocol.varints import read_varlong, write_varint

    number = -(1 << 33)
    writer = BytesWriter()
    write_varint(writer, number)
    data = writer.getvalue()

    def write() -> None:
        writer.truncate(0)
        write_varint(writer, number)

    yield "varint of 5 bytes, read", lambda: read_varlong(data, 0)
    yield "varint of 5 bytes, write", write


def record_pieces() -> Iterator[Piece]:
    """Records in and out of a batch, each with and without headers."""
    from barnabas.protocol.record_batch import HEADER_SIZE, check_batch
    from barnabas.protocol.record_builder import RecordBatchBuilder
    from barnabas.protocol.record_columns import decode_columns
    from barnabas.protocol.record_spans import record_spans
    from barnabas.protocol.record_walk import RecordsWalk, first_since
    from barnabas.protocol.records import decode_batch

    value = b"v" * 100

    def build(headers: tuple[tuple[str, bytes], ...]) -> bytes:
        builder = RecordBatchBuilder()
        for index in range(BATCH_RECORDS):
            builder.append(NOW_MS + index, b"key", value, headers)
        return builder.build()

    def walk(body: bytes) -> object:
        return RecordsWalk(body, BATCH_RECORDS, NOW_MS).step(BATCH_RECORDS)

    def columns(body: bytes) -> object:
        return decode_columns(body, BATCH_RECORDS, 0, NOW_MS, BATCH_RECORDS * len(HEADERS))

    def spans(body: bytes) -> object:
        return record_spans(body, BATCH_RECORDS, BATCH_RECORDS - 1)

    def last(body: bytes) -> object:
        return first_since(body, BATCH_RECORDS, BATCH_RECORDS - 1, 0)

    for name, headers in ((f"{BATCH_RECORDS} records", ()), ("the same with headers", HEADERS)):
        batch = build(headers)
        yield f"batch of {name}, build", partial(build, headers)
        yield f"batch of {name}, decode", partial(decode_batch, batch)
        body = batch[HEADER_SIZE:]
        yield f"batch of {name}, columns", partial(columns, body)
        yield f"batch of {name}, walk", partial(walk, body)
        yield f"batch of {name}, spans", partial(spans, body)
        yield f"batch of {name}, last by time", partial(last, body)
    yield "header of a batch, check", lambda: check_batch(batch, 0, len(batch))


def log_pieces(directory: str) -> Iterator[Piece]:
    """Appends to and reads from one partition's log on the real disk."""
    from barnabas.broker.core.config.topic import TopicConfig
    from barnabas.broker.core.log.open_log import open_log
    from barnabas.broker.storage.files import real_env

    log = open_log(directory, real_env(), TopicConfig(), topic="micro", partition=0)
    small = memoryview(wire.one_record_batch(b"v" * 100, NOW_MS))
    large = memoryview(wire.one_record_batch(b"v" * 1_000_000, NOW_MS))
    yield "log append, 100 B", lambda: log.append_batch(small, 0, len(small), 1, NOW_MS)
    yield "log append, 1 MB", lambda: log.append_batch(large, 0, len(large), 1, NOW_MS)
    end = log.log_end_offset
    log.high_watermark = end
    yield (
        "log read, 1 MB",
        lambda: log.read(end // 2, 2**20, end, at_least_one_batch=True),
    )
    log.close()


def measured(pieces: Iterator[Piece]) -> dict[str, float]:
    """Each piece's microseconds."""
    return {name: microseconds(function) for name, function in pieces}


def here() -> dict[str, float]:
    """Everything but construct, as this interpreter has it."""
    paths.DATA.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=paths.DATA) as directory:
        gc.disable()
        found = measured(codec_pieces()) | measured(varint_pieces())
        found |= measured(record_pieces()) | measured(rights_pieces())
        found |= measured(log_pieces(f"{directory}/log"))
        node = Path(directory) / "node"
        found["one Produce request through a node"] = asyncio.run(produce_cost(node, microseconds))
        return found


def elsewhere(python: str) -> dict[str, float]:
    """The same in another environment."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [python, "-m", "bench.micro", "--here"]
    result = subprocess.run(
        command, cwd=paths.ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return dict(json.loads(result.stdout))


def main() -> None:
    """`--here`: this environment's figures as JSON; else the table of all that can be measured."""
    if "--here" in sys.argv[1:]:
        json.dump(here(), sys.stdout)
        return
    from rich.console import Console
    from rich.table import Table

    columns = {"construct": measured(construct_pieces()), "interpreted": here()}
    if STAMP.exists():
        columns["compiled"] = elsewhere(str(PYTHON))
    table = Table(title="CPU microseconds for one (times interpreted Python)", title_justify="left")
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right")
    for piece, plain in columns["interpreted"].items():
        cells = []
        for column in columns.values():
            value = column.get(piece)
            cells.append("" if value is None else f"{value:,.2f} ({plain / value:.2f})")
        table.add_row(piece, *cells)
    Console().print(table)
    if "compiled" not in columns:
        Console().print("no compiled column: run `python -m bench` first, it builds the wheel")
    (paths.BUILD / "micro.json").write_text(json.dumps(columns, indent=2) + "\n")


if __name__ == "__main__":
    main()
