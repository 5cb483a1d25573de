"""Quorums opened over a directory, by settings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.server.quorum.quorum import Quorum
from barnabas.broker.storage.files import real_env

METADATA = "__cluster_metadata-0"


CLUSTER_ID = "sZfQ8mWbTvyYxkH6Ynq0Xg"


STATIC = ("1@a:9093", "2@b:9093", "3@c:9093")


def config_of(path: Path, **settings: Any) -> BrokerConfig:
    return replace(BrokerConfig(), log_dirs=(str(path),), **settings)


def open_quorum(path: Path, **settings: Any) -> Quorum:
    env = real_env()
    directory = LogDirectory(str(path), env)
    directory.open()
    return Quorum.open(config_of(path, **settings), env, [directory])


def controller(node_id: int, **settings: Any) -> dict[str, Any]:
    return {
        "node_id": node_id,
        "cluster_id": CLUSTER_ID,
        "process_roles": ("controller",),
        "listeners": (f"CONTROLLER://h{node_id}:9093",),
        "controller_listener_names": ("CONTROLLER",),
        **settings,
    }
