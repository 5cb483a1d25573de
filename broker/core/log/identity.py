"""Small files of a log directory: whose it is, which topic a folder is, how the node stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping

from barnabas.protocol.primitives import uuid_from_text, uuid_to_text

from ..ports import Disk
from .failures import DamagedLogError
from .file_names import CLEAN_SHUTDOWN, META_PROPERTIES, PARTITION_METADATA

_META_VERSION = "1"
ZERO_UUID = bytes(16)
_BEFORE_TOPIC_ID = b"version: 0\ntopic_id: "
_TOPIC_ID_FILE_BYTES = len(_BEFORE_TOPIC_ID) + 22


class MetaProperties:
    """`meta.properties`: the cluster, the node and this directory's own id."""

    __slots__ = ("cluster_id", "directory_id", "node_id")

    def __init__(self, cluster_id: str, node_id: int, directory_id: str | None) -> None:
        self.cluster_id = cluster_id
        self.node_id = node_id
        self.directory_id = directory_id
        """22 letters of base64; Kafka before 3.7 had none."""

    def encode(self) -> bytes:
        """The file's text, a Java properties file."""
        fields = {"node.id": str(self.node_id), "version": _META_VERSION}
        if self.directory_id is not None:
            fields["directory.id"] = self.directory_id
        fields["cluster.id"] = self.cluster_id
        return "".join(f"{key}={value}\n" for key, value in fields.items()).encode()


def decode_properties(text: str) -> dict[str, str]:
    """The keys and values of a Java properties file, as far as Kafka's own use it."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        line = line.strip()
        if line and line[0] not in "#!":
            key, equals, value = line.partition("=")
            if equals:
                fields[key.strip()] = value.strip().replace("\\", "")
    return fields


def read_meta_properties(disk: Disk, directory: str) -> MetaProperties | None:
    """Whose directory this is; None if it was never formatted. Raises DamagedLogError, OSError."""
    path = f"{directory}/{META_PROPERTIES}"
    if not disk.exists(path):
        return None
    fields = decode_properties(disk.read_file(path).decode("utf-8", "replace"))
    if fields.get("version") != _META_VERSION:
        raise DamagedLogError(f"{path} has version {fields.get('version')!r}, not 1")
    for name in ("cluster.id", "node.id"):
        if not fields.get(name):
            raise DamagedLogError(f"{path} has no {name}")
    node_id = fields["node.id"]
    if not node_id.isascii() or not node_id.isdigit():
        raise DamagedLogError(f"{path} has the node.id {node_id!r}, not a number")
    return MetaProperties(fields["cluster.id"], int(node_id), fields.get("directory.id"))


def write_meta_properties(disk: Disk, directory: str, meta: MetaProperties) -> None:
    """Format a directory."""
    disk.write_file_atomically(f"{directory}/{META_PROPERTIES}", meta.encode())


class UnfinishedFolderError(DamagedLogError):
    """The power failed before the first flush of a folder that had just been made."""


def read_topic_id(disk: Disk, directory: str) -> bytes:
    """Topic id in a folder's `partition.metadata`; zeros if there is no such file.

    Raises DamagedLogError: a folder whose topic is not known for sure is not opened;
    UnfinishedFolderError: the file holds no more than the beginning of what we write.
    """
    path = f"{directory}/{PARTITION_METADATA}"
    if not disk.exists(path):
        return ZERO_UUID
    content = disk.read_file(path)
    written = content.rstrip(b"\0")
    if len(written) < _TOPIC_ID_FILE_BYTES and _BEFORE_TOPIC_ID.startswith(
        written[: len(_BEFORE_TOPIC_ID)]
    ):
        raise UnfinishedFolderError(f"{path} was not written to its end")
    fields: Mapping[str, str] = dict(
        line.split(": ", 1)
        for line in content.decode("utf-8", "replace").splitlines()
        if ": " in line
    )
    if fields.get("version") != "0":
        raise DamagedLogError(f"{path} has version {fields.get('version')!r}, not 0")
    try:
        topic_id = uuid_from_text(fields.get("topic_id", "").strip())
    except ValueError as error:
        raise DamagedLogError(f"{path}: topic_id {error}") from None
    if topic_id == ZERO_UUID:
        raise DamagedLogError(f"{path} has the topic id of no topic")
    return topic_id


def write_topic_id(disk: Disk, directory: str, topic_id: bytes) -> None:
    """Say which topic a partition's folder belongs to."""
    text = f"version: 0\ntopic_id: {uuid_to_text(topic_id)}"
    disk.write_file_atomically(f"{directory}/{PARTITION_METADATA}", text.encode(), durable=False)


def read_clean_shutdown(disk: Disk, directory: str) -> int | None:
    """Broker epoch of a stop in good order; None if there was none. -1 if the file has no epoch."""
    path = f"{directory}/{CLEAN_SHUTDOWN}"
    if not disk.exists(path):
        return None
    try:
        content = json.loads(disk.read_file(path))
    except ValueError:
        return -1  # Kafka before 3.7 left an empty file
    epoch = content.get("brokerEpoch") if isinstance(content, dict) else None
    return epoch if isinstance(epoch, int) else -1


def write_clean_shutdown(disk: Disk, directory: str, broker_epoch: int) -> None:
    """Say that every log was closed in good order: the last thing a node writes."""
    text = f'{{"version":0,"brokerEpoch":{broker_epoch}}}'
    disk.write_file_atomically(f"{directory}/{CLEAN_SHUTDOWN}", text.encode())
