"""Who a client is, in the bytes by which a broker tells it to a controller (FWD-02)."""

from __future__ import annotations

import struct
from ipaddress import ip_address
from typing import Final, NamedTuple

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import DecodeError, ErrorCode, KafkaError
from barnabas.protocol.messages.default_principal_data import DefaultPrincipalData

from .principal import Principal

_VERSION: Final = struct.Struct(">h")
_UNKNOWN_ADDRESS: Final = bytes(4)


class ForwardedClient(NamedTuple):
    """For whom something is sent on to a controller, and by what the answer is known."""

    principal: Principal
    host: str
    client_id: str | None
    correlation_id: int


def principal_bytes(principal: Principal) -> bytes:
    """The serialised principal: its version, and DefaultPrincipalData."""
    data = DefaultPrincipalData(type=principal.kind, name=principal.name)
    return _VERSION.pack(0) + data.encode(0)


def principal_from(data: Buffer | None) -> Principal:
    """The principal that was serialised. Raises KafkaError 97 for anything else."""
    try:
        if data is None or _VERSION.unpack_from(data)[0] != 0:
            raise _unreadable("no known version")
        found = DefaultPrincipalData.decode(bytes(data)[_VERSION.size :], 0)
    except (DecodeError, struct.error) as error:
        raise _unreadable(str(error)) from None
    return Principal(found.type, found.name)


def _unreadable(reason: str) -> KafkaError:
    text = f"the principal cannot be read: {reason}"
    return KafkaError(ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE, text)


def address_bytes(host: str) -> bytes:
    """An IP address as 4 or 16 bytes; what is none, as 0.0.0.0."""
    try:
        return ip_address(host).packed
    except ValueError:
        return _UNKNOWN_ADDRESS


def address_from(data: Buffer) -> str:
    """The text of an address. Raises KafkaError 42 unless it has 4 or 16 bytes."""
    try:
        return str(ip_address(bytes(data)))
    except ValueError:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, f"an address has 4 or 16 bytes, not {len(data)}"
        ) from None
