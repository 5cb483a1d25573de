"""What goes wrong in a log: a disk that fails, a file that is damaged."""

from __future__ import annotations

from collections.abc import Callable

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


class LogHealth:
    """Whether a log's disk still takes what is written; its first failure stays the reason."""

    __slots__ = ("_directory", "_on_failure", "failure")

    def __init__(
        self, directory: str, on_failure: Callable[[LogDirectoryFailure], None] | None = None
    ) -> None:
        self._directory = directory
        self._on_failure = on_failure
        self.failure: LogDirectoryFailure | None = None
        """Why the log takes no more writes; None while all is well."""

    def fail(self, doing: str, error: OSError) -> LogDirectoryFailure:
        """Take the log offline for writes; the failure to be raised."""
        failure = LogDirectoryFailure(self._directory, doing, error)
        if self.failure is None:
            self.failure = failure
            if self._on_failure is not None:
                self._on_failure(failure)
        return failure

    def moved_to(self, directory: str) -> None:
        """The log's folder was renamed."""
        self._directory = directory


class CorruptIndexError(Exception):
    """An index file whose content cannot be true; it is rebuilt from the segment."""


class CorruptSnapshotError(Exception):
    """A producer snapshot whose content cannot be true; an older one or the log itself is used."""


class CorruptCheckpointError(Exception):
    """A checkpoint file (text) whose content cannot be true; the message names line and file."""


class DamagedLogError(Exception):
    """A partition directory that we refuse to open rather than guess; names file and reason."""
