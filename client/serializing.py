"""Keys and values of a program's own kinds, to bytes and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast  # Any: keys and values are of the program's kinds

from .errors import ConfigurationError, DeserializationError
from .structs import ConsumerRecord


class Serializer(Protocol):
    """Makes bytes of keys or values; a plain function `value -> bytes` does as well."""

    def serialize(self, topic: str, value: Any) -> bytes | None:
        """The bytes; None is a record without a value (a tombstone)."""
        ...


class Deserializer(Protocol):
    """Makes keys or values of bytes; a plain function `bytes -> value` does as well."""

    def deserialize(self, topic: str, data: bytes) -> Any:
        """What the bytes stand for; whatever it raises is told as DeserializationError."""
        ...


Serialize = Serializer | Callable[[Any], bytes | None]
Deserialize = Deserializer | Callable[[bytes], Any]


def check_callable(name: str, given: object, method: str) -> None:
    """Raise ConfigurationError for what is neither None, nor a function, nor has the method."""
    if given is not None and not callable(given) and not callable(getattr(given, method, None)):
        raise ConfigurationError(f"{name}={given!r} is no function and has no {method}()")


def check_function(name: str, given: object) -> None:
    """Raise ConfigurationError unless `given` is None or can be called."""
    if given is not None and not callable(given):
        raise ConfigurationError(f"{name}={given!r} is no function")


def serialized(given: Serialize | None, topic: str, value: Any) -> Any:
    """The bytes of a key or a value; None stays None, and without a serializer all stays."""
    if given is None or value is None:
        return value
    method = getattr(given, "serialize", None)
    if method is not None:
        return method(topic, value)
    return cast("Callable[[Any], Any]", given)(value)


def converter(
    key: Deserialize | None, value: Deserialize | None
) -> Callable[[ConsumerRecord], ConsumerRecord] | None:
    """What makes a record of the program's kinds of a record of bytes; None for nothing to do."""
    if key is None and value is None:
        return None

    def convert(record: ConsumerRecord) -> ConsumerRecord:
        try:
            return record._replace(
                key=_deserialized(key, record.topic, record.key),
                value=_deserialized(value, record.topic, record.value),
            )
        except Exception as error:
            raise DeserializationError(record, error) from error

    return convert


def _deserialized(given: Deserialize | None, topic: str, data: bytes | None) -> Any:
    if given is None or data is None:
        return data
    method = getattr(given, "deserialize", None)
    if method is not None:
        return method(topic, data)
    return cast("Callable[[bytes], Any]", given)(data)
