"""What Kafka's cleaner left goes on here, and Kafka's tool reads what ours leaves."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from kit.compacting import compact, keyed, table_of
from kit.kafka_directory import open_directory, unpack
from kit.kafka_jars import KafkaJars
from kit.log_batches import BASE_TIME
from kit.logs import append, config_of, files_in

from barnabas.broker.core.log.checkpoints import decode_offsets
from barnabas.broker.storage.files import RealDisk
from barnabas.protocol.compression import Codec

from .keyed_life import RETENTION_MS, KeyedLife

TOOL = "org.apache.kafka.tools.DumpLogSegments"
COMPLAINTS = ("Found ", "corrupt", "mismatch", "Mismatch", "Exception", "not match", "Missing")


def test_a_directory_of_kafka_goes_on(tmp_path: Path) -> None:
    """CMP-15: its checkpoint says where the dirty part begins; ours names all that it named."""
    path = unpack(tmp_path)
    checkpoint = path / "cleaner-offset-checkpoint"
    before = decode_offsets(checkpoint.read_bytes(), "before")
    directory = open_directory(path)
    log = directory.logs[("users", 0)]
    clean_end = before[("users", 0)]
    assert log.compaction.clean_end == clean_end == log.compaction.first_dirty(log.log_end_offset)
    log.update_config(config_of(cleanup_policy=("compact",), min_cleanable_dirty_ratio=0.0))
    log.high_watermark = log.log_end_offset
    table = table_of(log)
    for number in range(5):
        pairs = ((b"k", b"v%d" % number), (b"l", None))
        append(log, keyed(*pairs, time=BASE_TIME + number), leader_epoch=100)
    log.roll()
    assert compact(log, checkpoint=lambda: directory.cleaner_write().run())
    assert table_of(log) == table | {b"k": b"v4"}
    after = decode_offsets(checkpoint.read_bytes(), "after")
    assert after == before | {("users", 0): log.log_end_offset}
    directory.close()


@pytest.mark.kafka
@pytest.mark.slow
def test_kafkas_tool_reads_a_compacted_log(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """CMP-11: batches with gaps, without records and with horizons; indexes that lead to them."""
    path = tmp_path / "t-0"
    life = KeyedLife(RealDisk(), str(path))
    random = Random(3)
    for number in range(300):
        keys = [(b"key %d" % random.randrange(15), random.randbytes(20)) for _ in range(3)]
        life.write(tuple(keys), random.choice(list(Codec)))
        life.transact(
            ((b"t%d" % random.randrange(4), random.choice([None, b"t"])),), 1 + number % 3
        )
        if number % 4 == 0:
            life.end(1 + number % 3, commit=bool(number % 8))
        if number % 60 == 59:
            life.wait(RETENTION_MS // 2)
            life.compact()
    for producer in list(life.open):
        life.end(producer, commit=False)
    life.log.roll()
    life.compact()
    life.log.close()
    logs = files_in(path, ".log")
    text = dump(kafka_jars, logs, "--deep-iteration", "--print-data-log")
    assert "isvalid: false" not in text
    assert "count: 0 " in text
    assert "deleteHorizonMs: OptionalLong[" in text
    for suffix in (".index", ".timeindex", ".txnindex", ".snapshot"):
        if files := files_in(path, suffix):
            dump(kafka_jars, files)
    dump(kafka_jars, files_in(path, ".index"), "--index-sanity-check")


def dump(jars: KafkaJars, files: list[Path], *options: str) -> str:
    assert files
    done = jars.run(TOOL, *options, "--files", ",".join(map(str, files)))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    for complaint in COMPLAINTS:
        assert complaint not in done.stdout + done.stderr, done.stdout[-3000:] + done.stderr
    return done.stdout
