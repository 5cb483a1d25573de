"""Apache Kafka's own DumpLogSegments reads what we write, and finds nothing to complain about."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from kit.kafka_directory import open_directory, unpack
from kit.kafka_jars import KafkaJars
from kit.log_batches import BASE_TIME, batch, marker
from kit.logs import append, config_of, files_in, open_log

from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.protocol.compression import Codec
from barnabas.protocol.record_builder import RecordBatchBuilder

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

TOOL = "org.apache.kafka.tools.DumpLogSegments"
COMPLAINTS = ("Found ", "corrupt", "mismatch", "Mismatch", "Exception", "not match", "Missing")
CONFIG = config_of(internal_segment_bytes=4000, index_interval_bytes=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with every kind of batch, over several segments and two lives."""
    path = tmp_path_factory.mktemp("dump") / "t-0"
    random = Random(5)
    log = open_log(path, CONFIG)
    fill(log, random, 0)
    log.close(clean=False)
    log = open_log(path, CONFIG)
    fill(log, random, 120)
    log.close()
    return path


def fill(log: PartitionLog, random: Random, sequence: int) -> None:
    for number in range(120):
        values = [random.randbytes(random.randrange(60)) for _ in range(random.randint(1, 4))]
        time = BASE_TIME + number * 1000 + random.randrange(3000)
        append(log, batch(*values, timestamp=time), leader_epoch=sequence // 60)
        single = batch(b"x", producer_id=7, epoch=0, sequence=sequence + number, timestamp=time)
        append(log, single, leader_epoch=sequence // 60)
        if number % 10 == 3:
            transact(log, random, sequence // 60)
        if number % 6 == 2:
            append(log, compressed(list(Codec)[number // 6 % 5], time), leader_epoch=sequence // 60)


def transact(log: PartitionLog, random: Random, leader_epoch: int) -> None:
    entry = log.producers.by_id.get(9)
    sequence = entry.next_sequence if entry else 0
    data = batch(b"t", producer_id=9, epoch=1, sequence=sequence, attributes=0x10)
    append(log, data, leader_epoch=leader_epoch)
    append(
        log,
        marker(9, 1, commit=random.random() < 0.5),
        leader_epoch=leader_epoch,
        origin=Origin.COORDINATOR,
    )


def compressed(codec: Codec, time: int) -> bytearray:
    builder = RecordBatchBuilder(codec=codec)
    for number in range(30):
        builder.append(time + number, b"key", b"value %d" % number, (("header", b"x"),))
    return bytearray(builder.build())


def dump(jars: KafkaJars, files: list[Path], *options: str) -> str:
    assert files
    done = jars.run(TOOL, *options, "--files", ",".join(map(str, files)))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    for complaint in COMPLAINTS:
        assert complaint not in done.stdout + done.stderr, done.stdout[-3000:] + done.stderr
    return done.stdout


def test_segments(folder: Path, kafka_jars: KafkaJars) -> None:
    """Goal: every batch valid, every record decoded, offsets without a hole."""
    files = files_in(folder, ".log")
    assert len(files) > 5
    text = dump(kafka_jars, files, "--deep-iteration", "--print-data-log")
    assert "isvalid: false" not in text
    offsets = [int(line.split()[2]) for line in text.splitlines() if line.startswith("| offset:")]
    assert offsets == list(range(len(offsets)))
    assert offsets[-1] + 1 == open_log(folder, CONFIG, clean=True).log_end_offset
    for word in ("compresscodec: zstd", "isTransactional: true", "isControl: true", "endTxnMarker"):
        assert word in text


def test_indexes(folder: Path, kafka_jars: KafkaJars) -> None:
    """Goal: entries lead to the batches that they name; nothing is out of order."""
    for suffix in (".index", ".timeindex"):
        files = files_in(folder, suffix)
        text = dump(kafka_jars, files)
        assert text.count("offset: ") > 20
        dump(kafka_jars, files, "--verify-index-only")
    text = dump(kafka_jars, files_in(folder, ".index"), "--index-sanity-check")
    assert text.count("passed sanity check.") == len(files_in(folder, ".index"))


def test_transaction_indexes_and_snapshots(folder: Path, kafka_jars: KafkaJars) -> None:
    """Goal: aborted ranges and producer states are what we meant."""
    text = dump(kafka_jars, files_in(folder, ".txnindex"))
    assert text.count("producerId: 9") >= 5
    text = dump(kafka_jars, files_in(folder, ".snapshot")[-1:])
    assert "producerId: 7" in text
    assert "lastSequence: 239" in text


def test_what_we_took_over(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """Goal: Kafka's directory, opened without its marker and closed by us, is still Kafka's."""
    path = unpack(tmp_path)
    (path / ".kafka_cleanshutdown").unlink()
    (path / "recovery-point-offset-checkpoint").unlink()
    open_directory(path).close()
    shutil.rmtree(path / "__cluster_metadata-0")
    logs = sorted(path.glob("*-[0-9]/*.log"))
    text = dump(kafka_jars, logs, "--deep-iteration")
    assert "isvalid: false" not in text
    dump(kafka_jars, sorted(path.glob("*-[0-9]/*.index")))
    times = sorted(path.glob("*-[0-9]/*.timeindex"))
    # One segment of `users` was emptied by compaction: the tool complains of Kafka's own file too.
    dump(kafka_jars, [file for file in times if file.parent.name != "users-0"])
    dump(kafka_jars, sorted(path.glob("*-[0-9]/*.snapshot")))
    dump(kafka_jars, sorted(path.glob("*-[0-9]/*.txnindex")))
