"""The three kinds of error of the protocol: it was broken, an answer says so, or we misused it."""

from __future__ import annotations

from typing import Final

from .messages.error_codes import RETRIABLE, ErrorCode

__all__ = [
    "RETRIABLE",
    "DecodeError",
    "EncodeError",
    "ErrorCode",
    "KafkaError",
    "ProtocolError",
    "bounded",
    "name_of",
]

MESSAGE_CHARS_MAX: Final = 1_000
"""An error's text is no longer, whatever it repeats of a request: names may have 32 KB, the text
that names several of them would not fit a string of the protocol, and nobody reads it."""


class ProtocolError(Exception):
    """The peer broke the protocol: close that connection, nothing else."""


class DecodeError(ProtocolError):
    """Bytes that are not what they should be; the text names the message, often the field."""


class EncodeError(ValueError):
    """A value that its field or its version cannot carry; the text names field and version."""


def bounded(message: str | None) -> str | None:
    """What an answer says of an error, cut where it is longer than `MESSAGE_CHARS_MAX`."""
    if message is None or len(message) <= MESSAGE_CHARS_MAX:
        return message
    return message[: MESSAGE_CHARS_MAX - 1] + "…"


class KafkaError(Exception):
    """An answer with an error code; goes into the response, in one place. Its text is bounded."""

    def __init__(self, code: ErrorCode, message: str | None = None) -> None:
        message = bounded(message)
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
