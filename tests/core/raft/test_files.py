"""Files of the quorum: quorum-state, snapshots; those of Apache Kafka 4.3.1 byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.kafka_directory import unpack

from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.raft.quorum_state import DamagedQuorumStateError, QuorumState
from barnabas.broker.core.raft.snapshot_file import (
    DamagedSnapshotError,
    SnapshotId,
    decode_snapshot,
    encode_snapshot,
    parse_name,
)
from barnabas.broker.core.raft.voters import Voter, VoterAddress, Voters
from barnabas.protocol.messages.k_raft_version_record import KRaftVersionRecord


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return unpack(tmp_path) / "__cluster_metadata-0"


def test_kafkas_quorum_state_is_read_and_written(folder: Path) -> None:
    """595-01: the same bytes."""
    content = (folder / "quorum-state").read_bytes()
    state = QuorumState.decode(content)
    assert (state.leader_id, state.leader_epoch, state.voted_id) == (1, 2, -1)
    assert state.encode() == content


def test_an_old_quorum_state_names_its_voters() -> None:
    content = (
        b'{"clusterId":"","leaderId":1,"leaderEpoch":2,"votedId":-1,"appliedOffset":0,'
        b'"currentVoters":[{"voterId":1},{"voterId":2}],"data_version":0}'
    )
    assert QuorumState.decode(content).static_voters == (1, 2)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"{}", b'{"data_version":2}', b'{"data_version":1,"leaderId":"x"}'],
)
def test_a_damaged_quorum_state_is_refused(content: bytes) -> None:
    with pytest.raises(DamagedQuorumStateError):
        QuorumState.decode(content)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("00000000000000000131-0000000002.checkpoint", SnapshotId(131, 2)),
        ("00000000000000000131-2.checkpoint", SnapshotId(131, 2)),
        ("00000000000000000131-0000000002.checkpoint.part", None),
        ("00000000000000000131-0000000002.checkpoint.deleted", None),
        ("131-2.checkpoint", None),
        ("00000000000000000131.snapshot", None),
        ("00000000000000000131-x.checkpoint", None),
        ("bootstrap.checkpoint", None),
    ],
)
def test_names_of_snapshots(name: str, found: SnapshotId | None) -> None:
    """630-01, and conflict C23: an epoch without leading zeros is read too."""
    assert parse_name(name) == found
    if found is not None:
        assert parse_name(found.file_name) == found


def test_kafkas_snapshots_are_read_and_made_again(folder: Path) -> None:
    """630-03: header, voters, records, footer; ours holds the same, read back."""
    for path in sorted(folder.glob("*.checkpoint")):
        snapshot = decode_snapshot(path.read_bytes())
        image = ClusterImage("c")
        for record in snapshot.records:
            image.apply(record, 0)
        ours = encode_snapshot(
            image.records(),
            control=snapshot.control,
            metadata_version=30,
            epoch=2,
            last_timestamp=snapshot.last_timestamp,
            now_ms=1,
        )
        again = decode_snapshot(ours)
        assert (again.last_timestamp, again.control) == (
            snapshot.last_timestamp,
            snapshot.control,
        )
        assert sorted(map(repr, again.records)) == sorted(map(repr, snapshot.records))


def test_the_first_snapshot_has_kafkas_bytes(folder: Path) -> None:
    path = folder / "00000000000000000000-0000000000.checkpoint"
    theirs = decode_snapshot(path.read_bytes())
    voters: Any = theirs.control[1]
    ours = encode_snapshot(
        (),
        control=[KRaftVersionRecord(k_raft_version=1), Voters.from_record(voters).record()],
        metadata_version=30,
        epoch=0,
        last_timestamp=theirs.last_timestamp,
        now_ms=0,
    )
    without_times = decode_snapshot(ours)
    assert without_times == theirs
    assert len(ours) == path.stat().st_size


def test_a_snapshot_that_is_none_is_refused(folder: Path) -> None:
    """630-03: no footer, no header, a flipped bit, a cut."""
    data = (folder / "00000000000000000131-0000000002.checkpoint").read_bytes()
    for bad in (b"", data[:-75], data[166:], data[:200], data[:100] + b"?" + data[101:]):
        with pytest.raises(DamagedSnapshotError):
            decode_snapshot(bad)


def test_voters_are_known_by_number_and_directory() -> None:
    """853-01."""
    address = VoterAddress("CONTROLLER", "h", 1)
    voters = Voters((Voter(1, b"a" * 16, (address,)),))
    assert voters.has(1, b"a" * 16)
    assert not voters.has(1, b"b" * 16)
    assert Voters.from_record(voters.record()) == voters
