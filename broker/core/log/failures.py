"""What goes wrong in a log: a disk that fails, a file that is damaged."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError


class LogDirectoryFailure(KafkaError):  # noqa: N818 - also the state a log is left in
    """The disk refused; the log takes no more writes until the node is started again.

    Clients get KAFKA_STORAGE_ERROR (56) and look for another leader. The bytes that were
    acknowledged before stay readable as far as the disk gives them.
    """

    def __init__(self, path: str, doing: str, cause: OSError) -> None:
        reason = cause.strerror or str(cause)
        super().__init__(ErrorCode.KAFKA_STORAGE_ERROR, f"{doing} {path} failed: {reason}")
        self.path = path
        self.cause = cause


class CorruptIndexError(Exception):
    """An index file whose content cannot be true; it is rebuilt from the segment."""


class CorruptSnapshotError(Exception):
    """A producer snapshot whose content cannot be true; an older one or the log itself is used."""


class CorruptCheckpointError(Exception):
    """A checkpoint file (text) whose content cannot be true; the message names line and file."""


class DamagedLogError(Exception):
    """A partition directory that we refuse to open rather than guess; names file and reason."""
