"""Kafka's metadata log read by us, and ours by Kafka's tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.kafka_directory import expectations, unpack
from kit.kafka_jars import KafkaJars

from barnabas.broker.core.cluster.commands import AllocateProducerIds, DeleteTopics
from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.server.formatting import MetadataError

from .metadata_logs import ENDPOINT, METADATA, create, open_log, running


async def test_kafkas_metadata_is_taken_over(tmp_path: Path) -> None:
    """Design, decision 4 and 7: ids, topics, settings, security; leaders with new epochs."""
    path = unpack(tmp_path)
    expected = expectations()
    metadata = open_log(path)
    assert metadata.cluster_id == expected["cluster_id"]
    assert (metadata.node_id, metadata.epoch) == (1, 3)
    image = metadata.image
    assert set(image.topics_by_name) == set(expected["topics"])
    for name, topic in expected["topics"].items():
        assert image.config_of(2, name) == topic["configs"]
        assert set(image.topics_by_name[name].partitions) == set(map(int, topic["partitions"]))
    assert image.next_producer_id == 2000
    assert len(image.security.acls) == 1
    assert [key for _, key in image.security.quotas] == ["request_percentage"]
    assert not image.security.credentials
    await metadata.start()
    epoch = await metadata.join([ENDPOINT], 107)
    assert image.brokers[1].epoch == epoch == 155
    for topic in image.topics_by_name.values():
        for partition in topic.partitions.values():
            assert (partition.leader, partition.isr, partition.elr) == (1, (1,), ())
            assert (partition.leader_epoch, partition.leader_recovery_state) == (4, 0)
    await metadata.stop()


async def test_kafkas_directory_of_another_node_is_refused(tmp_path: Path) -> None:
    path = unpack(tmp_path)
    with pytest.raises(MetadataError, match=r"node\.id is 2, but .* belongs to node 1"):
        open_log(path, node_id=2)


async def test_a_directory_of_a_larger_quorum_is_refused(tmp_path: Path) -> None:
    """Voters that only `quorum-state` names, without a setting that says where they are."""
    path = unpack(tmp_path)
    for name in (path / METADATA).glob("*.checkpoint"):
        name.unlink()
    for name in (path / METADATA).glob("0000*"):
        name.unlink()
    (path / METADATA / "quorum-state").write_text(
        '{"clusterId":"","leaderId":1,"leaderEpoch":2,"votedId":-1,"appliedOffset":0,'
        '"currentVoters":[{"voterId":1},{"voterId":2},{"voterId":3}],"data_version":0}'
    )
    with pytest.raises(MetadataError, match=r"has the voters \[1, 2, 3\]: .*quorum\.voters"):
        open_log(path)


async def test_a_voter_is_its_number_and_its_directory(tmp_path: Path) -> None:
    """853-01: a log under another directory's meta.properties is not this voter's."""
    async with running(tmp_path):
        pass
    meta = tmp_path / "meta.properties"
    lines = [line for line in meta.read_text().splitlines() if not line.startswith("directory")]
    meta.write_text("\n".join([*lines, "directory.id=AAAAAAAAAAAAAAAAAAAAZw", ""]))
    with pytest.raises(MetadataError, match="another directory"):
        open_log(tmp_path)


async def test_a_damaged_snapshot_is_passed_over(tmp_path: Path) -> None:
    """630-03: the one before it, and the log, say the same; the note names the file."""
    path = unpack(tmp_path)
    newest = path / METADATA / "00000000000000000131-0000000002.checkpoint"
    newest.write_bytes(newest.read_bytes()[:-1])
    metadata = open_log(path)
    assert newest.name in "".join(metadata.notes)
    assert set(metadata.image.topics_by_name) == set(expectations()["topics"])
    await metadata.stop()


async def test_a_log_without_its_beginning_needs_a_snapshot(tmp_path: Path) -> None:
    """630-11."""
    path = unpack(tmp_path) / METADATA
    for name in path.glob("00000000000000000000.*"):
        name.unlink()
    for name in path.glob("*.checkpoint"):
        name.unlink()
    with pytest.raises(MetadataError, match="630-11"):
        open_log(path.parent)


@pytest.mark.kafka
@pytest.mark.slow
async def test_kafkas_dump_tool_reads_our_metadata_log(
    tmp_path: Path, kafka_jars: KafkaJars
) -> None:
    """Goal: DumpLogSegments decodes every record of a log with all that we write."""
    async with running(tmp_path) as metadata:
        await create(metadata, "a", num_partitions=3, configs=(("min.insync.replicas", "1"),))
        (gone,) = await create(metadata, "gone")
        await metadata.submit(DeleteTopics((gone,)))
        await metadata.submit(AllocateProducerIds(1, metadata.broker_epoch))
        await metadata.leave()
    async with running(tmp_path) as metadata:
        end = metadata.log.log_end_offset
    folder = tmp_path / METADATA
    files = [folder / "00000000000000000000.log", *folder.glob("*.checkpoint")]
    files.append(tmp_path / "bootstrap.checkpoint")
    done = kafka_jars.run(
        "org.apache.kafka.tools.DumpLogSegments",
        "--cluster-metadata-decoder",
        "--files",
        ",".join(map(str, files)),
    )
    assert done.returncode == 0, done.stderr
    text = done.stdout + done.stderr
    for complaint in ("Exception", "skipping", "Found", "mismatch", "isvalid: false"):
        assert complaint not in text
    assert text.count("| offset: ") >= end
    for name in (
        "REGISTER_BROKER_RECORD",
        "REGISTER_CONTROLLER_RECORD",
        "TOPIC_RECORD",
        "PARTITION_RECORD",
        "PARTITION_CHANGE_RECORD",
        "CLEAR_ELR_RECORD",
        "REMOVE_TOPIC_RECORD",
        "PRODUCER_IDS_RECORD",
        "LeaderChange",
        "KRaftVoters",
        "SnapshotFooter",
    ):
        assert name in text, name


def test_an_image_of_nothing_has_nothing() -> None:
    assert not ClusterImage("c").take_changes()
