"""What is wrong with a record batch, as the answers that clients know."""

from __future__ import annotations

from .errors import ErrorCode, KafkaError


class BatchError(KafkaError):
    """Any fault of a batch; the code goes into the answer for its partition."""


class CorruptBatchError(BatchError):
    """Bytes that are no batch: length, magic or checksum; CORRUPT_MESSAGE(2), worth a retry."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.CORRUPT_MESSAGE, message)


class InvalidBatchError(BatchError):
    """An intact batch with contents that cannot be; INVALID_RECORD(87), never worth a retry."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.INVALID_RECORD, message)


class UnsupportedMagicError(InvalidBatchError):
    """A message set of magic 0 or 1 where only magic 2 is taken; INVALID_RECORD(87), as Kafka."""


class UnsupportedCodecError(BatchError):
    """A codec that is not there, or not in this version; UNSUPPORTED_COMPRESSION_TYPE(76)."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, message)
