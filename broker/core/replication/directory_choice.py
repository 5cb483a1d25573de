"""A client chooses the log directory of a replica of this broker (AlterReplicaLogDirs, KIP-113)."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..cluster.image import ClusterImage
from ..log.file_names import CLUSTER_METADATA_FOLDER, future_folder, is_name, partition_folder
from ..log.log_directory import LogDirectory
from .replica_store import ReplicaStore

_UNIQUE: Final = "0" * 32


def choose_directory(
    store: ReplicaStore, image: ClusterImage, topic: str, number: int, path: str
) -> None:
    """Move the replica to the directory `path`, or have it created there if it ever is.

    It goes on moving if it does so already. Asking for the directory that it is in ends its move.
    Raises KafkaError: 17, the metadata log, or a name too long for a future folder; 57, there is
    no such directory; 56, a directory or the replica is offline; 9, the replica is not here yet;
    3, the cluster has no such partition.
    """
    _check_name(topic, number)
    target = _directory_at(store, path)
    partition = store.get(topic, number)
    if partition is None:
        raise _not_here(store, image, topic, number, target)
    if partition.is_offline:
        raise KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, f"{partition.log.name} is offline")
    move = store.moves.of(partition)
    if move is not None:
        if move.target is target:
            return
        store.moves.cancel(partition)
    source = store.directory_of(partition)
    if source is target:
        return
    if any(directory.failures for directory in store.directories):
        # A future log may lie in the one that is offline: there must not be two.
        raise KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, "a log directory is offline")
    try:
        store.moves.begin(partition, source, target)
    except OSError as error:
        raise KafkaError(
            ErrorCode.KAFKA_STORAGE_ERROR, f"no copy can be begun in {path}: {error}"
        ) from error


def _check_name(topic: str, number: int) -> None:
    folder = partition_folder(topic, number)
    if folder == CLUSTER_METADATA_FOLDER:
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, f"{folder} cannot be moved")
    if not is_name(future_folder(topic, number, _UNIQUE)):
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, f"{topic}: the name is too long")


def _not_here(
    store: ReplicaStore, image: ClusterImage, topic: str, number: int, target: LogDirectory
) -> KafkaError:
    folder = partition_folder(topic, number)
    if (topic, number) in store.unavailable:
        return KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, f"{folder} is offline")
    store.moves.wish((topic, number), target)
    found = image.topics_by_name.get(topic)
    if found is None or number not in found.partitions:
        return KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"there is no {folder}")
    return KafkaError(ErrorCode.REPLICA_NOT_AVAILABLE, f"{folder} has no replica here yet")


def _directory_at(store: ReplicaStore, path: str) -> LogDirectory:
    for directory in store.directories:
        if directory.path.rstrip("/") == path:
            if directory.failures:
                raise KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, f"{path} is offline")
            return directory
    raise KafkaError(ErrorCode.LOG_DIR_NOT_FOUND, f"{path} is no log directory of this broker")
