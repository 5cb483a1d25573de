"""The three kinds of error of the protocol: it was broken, an answer says so, or we misused it."""

from __future__ import annotations

from .messages.error_codes import RETRIABLE, ErrorCode

__all__ = [
    "RETRIABLE",
    "DecodeError",
    "EncodeError",
    "ErrorCode",
    "KafkaError",
    "ProtocolError",
    "name_of",
]


class ProtocolError(Exception):
    """The peer broke the protocol: close that connection, nothing else."""


class DecodeError(ProtocolError):
    """Bytes that are not what they should be; the text names the message, often the field."""


class EncodeError(ValueError):
    """A value that its field or its version cannot carry; the text names field and version."""


class KafkaError(Exception):
    """An answer with an error code; goes into the response, in one place."""

    def __init__(self, code: ErrorCode, message: str | None = None) -> None:
        super().__init__(f"{code.name}({int(code)})" + (f": {message}" if message else ""))
        self.code = code
        self.message = message

    @property
    def is_retriable(self) -> bool:
        """Whether Kafka's clients try again on this code."""
        return self.code in RETRIABLE


def name_of(error_code: int) -> str:
    """An error code by its name, an unknown one by its number; for logs."""
    try:
        return ErrorCode(error_code).name
    except ValueError:
        return f"error code {error_code}"
