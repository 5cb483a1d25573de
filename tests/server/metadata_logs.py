"""A metadata log on a directory, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from barnabas.broker.core.cluster.broker_image import Endpoint
from barnabas.broker.core.cluster.commands import CreateTopics, NewTopic
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.ports import Env
from barnabas.broker.server.metadata_log import MetadataLog
from barnabas.broker.storage.files import real_env

METADATA = "__cluster_metadata-0"
ENDPOINT = Endpoint("PLAINTEXT", "localhost", 9092)


def open_log(path: Path, env: Env | None = None, **settings: Any) -> MetadataLog:
    env = env or real_env()
    directory = LogDirectory(str(path), env)
    directory.open()
    config = replace(BrokerConfig(), log_dirs=(str(path),), **settings)
    return MetadataLog.open(config, env, [directory])


@asynccontextmanager
async def running(
    path: Path, env: Env | None = None, **settings: Any
) -> AsyncIterator[MetadataLog]:
    """A metadata log with its broker in; stopped without leaving."""
    metadata = open_log(path, env, **settings)
    metadata.start(lambda failure: None)
    await metadata.join([ENDPOINT], -1)
    try:
        yield metadata
    finally:
        await metadata.stop()


async def create(metadata: MetadataLog, *names: str, **fields: Any) -> list[bytes]:
    answers = await metadata.submit(CreateTopics(tuple(NewTopic(name, **fields) for name in names)))
    assert all(answer.code == 0 for answer in answers)
    return [answer.topic_id for answer in answers]
