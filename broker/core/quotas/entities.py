"""Whom quotas are for and what they limit: types, keys, and which values are allowed (QTA-01)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final

from ..config.field import INT_MAX, LONG_MAX

USER: Final = "user"
CLIENT_ID: Final = "client-id"
IP: Final = "ip"
TYPES: Final = (USER, CLIENT_ID, IP)

PRODUCER_BYTE_RATE: Final = "producer_byte_rate"
CONSUMER_BYTE_RATE: Final = "consumer_byte_rate"
REQUEST_PERCENTAGE: Final = "request_percentage"
CONTROLLER_MUTATION_RATE: Final = "controller_mutation_rate"
CONNECTION_CREATION_RATE: Final = "connection_creation_rate"

QuotaEntity = tuple[tuple[str, str | None], ...]
"""Type and name of each part, by type; the name None stands for all that have no quota of their
own."""

_OF_CLIENTS: Final = {
    PRODUCER_BYTE_RATE: "LONG",
    CONSUMER_BYTE_RATE: "LONG",
    REQUEST_PERCENTAGE: "DOUBLE",
    CONTROLLER_MUTATION_RATE: "DOUBLE",
}
_OF_ADDRESSES: Final = {CONNECTION_CREATION_RATE: "INT"}
_LARGEST: Final = {"LONG": LONG_MAX, "INT": INT_MAX}
_NO_FRACTION: Final = 1e-6
NAME_BYTES_MAX: Final = 32_767
"""Longest name of an entity: what a string of the wire could always hold."""


def entity_fault(parts: QuotaEntity) -> str | None:
    """Why nobody can have a quota under this name, in Kafka's words; None if that is possible.

    An entity with one type twice is refused, of which Kafka takes the last (D9). Addresses must be
    numbers: nothing is resolved (ATK-42).
    """
    types = [kind for kind, _ in parts]
    if not parts:
        return "Invalid empty client quota entity"
    for kind, name in parts:
        if kind not in TYPES:
            return f"Unhandled client quota entity type: {kind}"
        if types.count(kind) > 1:
            return f"Invalid client quota entity, duplicate entity type {kind}"
        if name == "":
            return f"Empty {kind} not supported"
        if name is not None and len(name.encode()) > NAME_BYTES_MAX:
            return f"The name of a {kind} has at most {NAME_BYTES_MAX} bytes"
    if IP in types:
        if len(types) > 1:
            return (
                "Invalid quota entity combination, IP entity should not be combined with User or "
                "ClientId"
            )
        name = parts[0][1]
        if name is not None and canonical_address(name) is None:
            return f"{name} is not a valid IP address; names are not resolved."
    return None


def keys_of(entity: QuotaEntity) -> Mapping[str, str]:
    """What can be limited for such an entity: key -> LONG, INT or DOUBLE."""
    return _OF_ADDRESSES if entity[0][0] == IP else _OF_CLIENTS


def value_fault(entity: QuotaEntity, key: str, value: float) -> str | None:
    """Why the limit cannot be that, in Kafka's words; None if it can.

    NaN and Infinity are refused, which Kafka takes for some keys (D8, ATK-41).
    """
    kind = keys_of(entity).get(key)
    if kind is None:
        return f"Invalid configuration key {key}"
    if math.isnan(value):
        return f"Quota {key} must be a number"
    if value <= 0:
        return f"Quota {key} must be greater than 0"
    if value > _LARGEST.get(kind, math.inf) or math.isinf(value):
        return f"Proposed value for {key} is too large for {'an' if kind == 'INT' else 'a'} {kind}."
    if kind != "DOUBLE" and value % 1.0 > _NO_FRACTION:
        return f"{key} cannot be a fractional value."
    return None


def canonical_address(text: str) -> str | None:
    """One spelling for each IP address; None if the text is none.

    An IPv4 address within IPv6, as sockets of both families have it, is the IPv4 address.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)
