"""Goal: a controller whose metadata log was lost does not start as if there had been nothing."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from barnabas.broker.core.log.checkpoints import write_offsets
from barnabas.broker.core.log.file_names import RECOVERY_POINTS
from barnabas.broker.server.formatting import MetadataError
from barnabas.broker.storage.files import real_env

from .opening import METADATA, STATIC, controller, open_quorum

STATE = '{"leaderId":-1,"leaderEpoch":7,"votedId":-1,"data_version":1}'
COMBINED = {"process_roles": ("broker", "controller"), "controller_quorum_voters": STATIC}
CLEAN = '{"version":0,"brokerEpoch":5}'


async def a_cluster(path: Path, **settings: Any) -> None:
    """A directory of a quorum that has begun, with one partition's folder."""
    await open_quorum(path, **settings).stop()
    (path / "orders-0").mkdir()
    (path / METADATA / "quorum-state").write_text(STATE)


def lose_log(path: Path) -> None:
    for name in (path / METADATA).glob("0*.log"):
        name.unlink()


def empty_log(path: Path) -> None:
    for name in (path / METADATA).glob("0*.log"):
        name.write_bytes(b"")


@pytest.mark.parametrize("lose", [lose_log, empty_log])
async def test_a_node_alone_does_not_forget_its_topics(tmp_path: Path, lose: Any) -> None:
    """630-11: its folders would all be set aside; the error says what to restore."""
    await a_cluster(tmp_path)
    lose(tmp_path)
    with pytest.raises(MetadataError) as refused:
        open_quorum(tmp_path)
    text = str(refused.value)
    assert "the metadata log is empty" in text
    assert str(tmp_path / "orders-0") in text
    assert f"Restore the .log and .checkpoint files of {tmp_path / METADATA}" in text
    assert (tmp_path / "orders-0").exists()


async def test_a_folder_that_is_gone_altogether(tmp_path: Path) -> None:
    """630-11: `quorum-state` went with it; the partitions' folders are enough."""
    await a_cluster(tmp_path)
    shutil.rmtree(tmp_path / METADATA)
    with pytest.raises(MetadataError, match="there are folders of partitions"):
        open_quorum(tmp_path)


async def test_a_node_alone_with_nothing_to_lose(tmp_path: Path) -> None:
    """595-01: a node may die between `quorum-state` and its first record; it begins again."""
    await a_cluster(tmp_path)
    lose_log(tmp_path)
    (tmp_path / "orders-0").rename(tmp_path / f"orders-0.{'0' * 32}-stray")
    quorum = open_quorum(tmp_path)
    assert quorum.leader == (1, 8)
    await quorum.stop()


async def test_a_controller_alone_has_no_folders_to_show_it(tmp_path: Path) -> None:
    """595-01: no `.log` file, or an empty one after a clean stop, is a loss, however often it is
    tried; else the node just began."""
    settings = controller(1, controller_quorum_voters=("1@a:9093",))
    await a_cluster(tmp_path, **settings)
    (tmp_path / "orders-0").rmdir()
    empty_log(tmp_path)
    (tmp_path / ".kafka_cleanshutdown").write_text(CLEAN)
    for _ in range(2):
        with pytest.raises(MetadataError, match="stopped cleanly"):
            open_quorum(tmp_path, **settings)
    lose_log(tmp_path)
    for _ in range(2):
        with pytest.raises(MetadataError, match=r"there is no \.log file"):
            open_quorum(tmp_path, **settings)
    (tmp_path / ".kafka_cleanshutdown").unlink()
    (tmp_path / METADATA / "00000000000000000000.log").write_bytes(b"")
    await open_quorum(tmp_path, **settings).stop()  # as after a death at its first start


async def test_a_voter_of_several(tmp_path: Path) -> None:
    """595-04: it has acknowledged what it lost; whoever removes `quorum-state` says it may."""
    settings = controller(2, **COMBINED)
    await a_cluster(tmp_path, **settings)
    await open_quorum(tmp_path, **settings).stop()  # folders alone: the power failed too early
    write_offsets(real_env().disk, str(tmp_path / RECOVERY_POINTS), {("orders", 0): 5})
    with pytest.raises(MetadataError, match="only if a majority of the other voters"):
        open_quorum(tmp_path, **settings)
    (tmp_path / METADATA / "quorum-state").unlink()
    await open_quorum(tmp_path, **settings).stop()


async def test_a_voter_of_several_whose_file_is_gone(tmp_path: Path) -> None:
    """595-04: whoever wrote `quorum-state` had made the first segment before."""
    settings = controller(2, controller_quorum_voters=STATIC)
    await a_cluster(tmp_path, **settings)
    lose_log(tmp_path)
    with pytest.raises(MetadataError, match=r"there is no \.log file"):
        open_quorum(tmp_path, **settings)


async def test_a_broker_without_a_vote_fetches_again(tmp_path: Path) -> None:
    """595-05: what an observer has lost, its leader has."""
    settings = {
        "node_id": 11,
        "cluster_id": "sZfQ8mWbTvyYxkH6Ynq0Xg",
        "process_roles": ("broker",),
        "controller_quorum_bootstrap_servers": ("a:9093",),
    }
    await a_cluster(tmp_path, **settings)
    lose_log(tmp_path)
    await open_quorum(tmp_path, **settings).stop()
