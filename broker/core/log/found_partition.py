"""A folder of a log directory that holds a partition's log."""

from __future__ import annotations

from .file_names import FUTURE_FOLDER


class FoundPartition:
    """A partition's folder that is there."""

    __slots__ = ("folder", "partition", "topic", "topic_id")

    def __init__(self, folder: str, topic: str, partition: int, topic_id: bytes) -> None:
        self.folder = folder
        self.topic = topic
        self.partition = partition
        self.topic_id = topic_id
        """Sixteen zero bytes if the folder does not say."""

    @property
    def key(self) -> tuple[str, int]:
        """Topic and partition."""
        return self.topic, self.partition

    @property
    def is_future(self) -> bool:
        """Whether the log there is on its way to take the place of another (KIP-113)."""
        return self.folder.endswith(FUTURE_FOLDER)
