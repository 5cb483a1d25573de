"""From directories to a quorum: formatting by settings, directories of Kafka's, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.kafka_directory import expectations, unpack

from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.core.raft.quorum_state import QuorumState
from barnabas.broker.core.raft.snapshot_file import decode_snapshot
from barnabas.broker.core.raft.voters import Voters
from barnabas.broker.server.formatting import MetadataError
from barnabas.broker.server.quorum import configured
from barnabas.protocol.primitives import ZERO_UUID, uuid_from_text

from .opening import CLUSTER_ID, METADATA, STATIC, config_of, controller, open_quorum

DIRECTORY_IDS = ("AAAAAAAAAAAAAAAAAAAAZw", "BBBBBBBBBBBBBBBBBBBBBA", "CCCCCCCCCCCCCCCCCCCCCA")
INITIAL = tuple(f"{n}@h{n}:9093:{one}" for n, one in enumerate(DIRECTORY_IDS, 1))


async def test_kafkas_directory_is_taken_over(tmp_path: Path) -> None:
    """Goal: Kafka's snapshot, log and quorum-state are read, and its single voter leads on."""
    path = unpack(tmp_path)
    expected = expectations()
    quorum = open_quorum(path)
    assert quorum.cluster_id == expected["cluster_id"]
    assert quorum.leader == (1, 3)
    image = quorum.publisher.image
    assert set(image.topics_by_name) == set(expected["topics"])
    assert quorum.publisher.applied_offset == quorum.log_end_offset - 1
    await quorum.stop()
    assert open_quorum(path).leader == (1, 4)


async def test_an_empty_directory_begins_a_quorum_of_one(tmp_path: Path) -> None:
    quorum = open_quorum(tmp_path)
    assert quorum.leader == (1, 1)
    assert quorum.raft.kraft_version == 1
    assert quorum.raft.voters.has(1, quorum.directory_id)
    assert (tmp_path / "bootstrap.checkpoint").exists()
    await quorum.stop()
    state = QuorumState.decode((tmp_path / METADATA / "quorum-state").read_bytes())
    assert (state.leader_epoch, state.voted_id) == (1, 1)


async def test_static_voters_are_not_written_into_the_log(tmp_path: Path) -> None:
    """853-01: at kraft.version 0 the settings name the voters, without their directories."""
    quorum = open_quorum(tmp_path, **controller(2, controller_quorum_voters=STATIC))
    assert quorum.leader == (-1, 0)
    assert quorum.raft.voters.ids == [1, 2, 3]
    assert {one.directory_id for one in quorum.raft.voters.members} == {ZERO_UUID}
    assert quorum.raft.kraft_version == 0
    assert quorum.is_voter
    assert quorum.raft.address_of(3) == ("c", 9093)
    assert not list((tmp_path / METADATA).glob("*.checkpoint"))
    await quorum.stop()


async def test_initial_voters_give_this_directory_its_id(tmp_path: Path) -> None:
    """853-01: a voter is its number and its directory, so formatting needs to know both."""
    quorum = open_quorum(tmp_path, **controller(2, controller_quorum_initial_voters=INITIAL))
    assert quorum.directory_id == uuid_from_text(DIRECTORY_IDS[1])
    assert quorum.is_voter
    content = decode_snapshot(
        (tmp_path / METADATA / "00000000000000000000-0000000000.checkpoint").read_bytes()
    )
    named = [one for one in content.control if one.NAME == "VotersRecord"]
    assert Voters.from_record(named[0]).ids == [1, 2, 3]  # type: ignore[arg-type]  # by its name
    await quorum.stop()
    # The setting is for empty directories: afterwards the log says who votes.
    again = open_quorum(tmp_path, **controller(2))
    assert again.raft.voters.ids == [1, 2, 3]
    await again.stop()


async def test_a_broker_is_an_observer_of_servers_that_it_is_told(tmp_path: Path) -> None:
    quorum = open_quorum(
        tmp_path,
        node_id=11,
        cluster_id=CLUSTER_ID,
        process_roles=("broker",),
        controller_quorum_bootstrap_servers=("a:9093", "[::1]:9094"),
    )
    assert not quorum.is_voter
    assert quorum.raft.voters.ids == []
    assert quorum.raft.address_of(-2) == ("a", 9093)
    assert quorum.raft.address_of(-3) == ("::1", 9094)
    assert not (tmp_path / "bootstrap.checkpoint").exists()
    await quorum.stop()


@pytest.mark.parametrize("missing", ["cluster_id", "node_id"])
def test_an_empty_directory_of_a_larger_cluster_needs_names(tmp_path: Path, missing: str) -> None:
    settings = controller(1, controller_quorum_voters=STATIC)
    settings[missing] = None if missing == "cluster_id" else -1
    with pytest.raises(MetadataError, match=missing.replace("_", r"\.")):
        open_quorum(tmp_path, **settings)


def test_initial_voters_must_name_this_node(tmp_path: Path) -> None:
    with pytest.raises(MetadataError, match="does not name node 9"):
        open_quorum(tmp_path, **controller(9, controller_quorum_initial_voters=INITIAL))


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        (controller(4, controller_quorum_voters=STATIC), "must name node 4"),
        (
            {**controller(1, controller_quorum_voters=STATIC), "process_roles": ("broker",)},
            "must not name node 1",
        ),
        ({**controller(1), "process_roles": ("broker",)}, "must say where the quorum is"),
        (controller(1, controller_quorum_voters=("1@a",)), "must be host:port"),
        (controller(1, controller_quorum_voters=("1@a:0",)), "must be host:port"),
        (controller(1, controller_quorum_voters=("x@a:9093",)), "number before the @"),
        (controller(1, controller_quorum_voters=("1@a:1", "1@b:1")), "names a node twice"),
        (controller(1, controller_quorum_initial_voters=("1@a:9093:x",)), r"directory\.id"),
        (controller(1, controller_quorum_bootstrap_servers=("a",)), "must be host:port"),
    ],
)
def test_settings_that_cannot_be_are_refused_by_name(
    tmp_path: Path, settings: dict[str, Any], text: str
) -> None:
    with pytest.raises(ConfigError, match=text):
        open_quorum(tmp_path, **settings)


def test_a_server_list_of_this_node_alone_is_a_quorum_of_one(tmp_path: Path) -> None:
    alone = config_of(tmp_path, **controller(1, controller_quorum_bootstrap_servers=("h1:9093",)))
    other = config_of(
        tmp_path, **controller(1, controller_quorum_bootstrap_servers=("h1:9093", "h2:9093"))
    )
    assert configured.is_standalone(alone)
    assert not configured.is_standalone(other)


def test_advertised_addresses_are_what_others_are_told(tmp_path: Path) -> None:
    config = config_of(
        tmp_path,
        listeners=("PLAINTEXT://:9092", "CONTROLLER://0.0.0.0:9093", "SECOND://[::1]:9094"),
        advertised_listeners=("CONTROLLER://outside:19093",),
        controller_listener_names=("CONTROLLER", "SECOND"),
    )
    assert configured.own_addresses(config) == (
        ("CONTROLLER", "outside", 19093),
        ("SECOND", "::1", 9094),
    )


def test_voters_that_only_quorum_state_names_must_be_told_where_they_are(tmp_path: Path) -> None:
    path = unpack(tmp_path)
    (path / METADATA / "quorum-state").write_text(
        '{"clusterId":"","leaderId":1,"leaderEpoch":2,"votedId":-1,"appliedOffset":0,'
        '"currentVoters":[{"voterId":1},{"voterId":2},{"voterId":3}],"data_version":0}'
    )
    for name in (path / METADATA).glob("*.checkpoint"):
        name.unlink()
    log = path / METADATA / "00000000000000000000.log"
    log.write_bytes(b"")
    with pytest.raises(MetadataError, match=r"has the voters \[1, 2, 3\]"):
        open_quorum(path)


async def test_a_voter_is_its_number_and_its_directory(tmp_path: Path) -> None:
    """853-01: a log under another directory's meta.properties is not this voter's."""
    await open_quorum(tmp_path).stop()
    meta = tmp_path / "meta.properties"
    lines = [line for line in meta.read_text().splitlines() if not line.startswith("directory")]
    meta.write_text("\n".join([*lines, "directory.id=AAAAAAAAAAAAAAAAAAAAZw", ""]))
    with pytest.raises(MetadataError, match="another directory"):
        open_quorum(tmp_path)


async def test_a_damaged_snapshot_is_passed_over(tmp_path: Path) -> None:
    """630-03: the one before it, and the log, say the same; the note names the file."""
    path = unpack(tmp_path)
    newest = path / METADATA / "00000000000000000131-0000000002.checkpoint"
    newest.write_bytes(newest.read_bytes()[:-1])
    quorum = open_quorum(path)
    assert newest.name in "".join(quorum.notes)
    assert set(quorum.publisher.image.topics_by_name) == set(expectations()["topics"])
    await quorum.stop()


def test_a_log_without_its_beginning_needs_a_snapshot(tmp_path: Path) -> None:
    """630-11."""
    path = unpack(tmp_path) / METADATA
    for name in path.glob("00000000000000000000.*"):
        name.unlink()
    for name in path.glob("*.checkpoint"):
        name.unlink()
    with pytest.raises(MetadataError, match="630-11"):
        open_quorum(path.parent)


def test_a_damaged_quorum_state_stops_the_start(tmp_path: Path) -> None:
    path = unpack(tmp_path)
    (path / METADATA / "quorum-state").write_text("{")
    with pytest.raises(MetadataError, match="quorum-state"):
        open_quorum(path)
