"""What a fuzzer feeds to the codecs of messages: both backends, every message and version."""

from __future__ import annotations

import json
from math import isnan
from typing import Any, Final

from barnabas.protocol.apis import APIS, message_class
from barnabas.protocol.connection.frames import FrameReader
from barnabas.protocol.construct_backend import ConstructCodec, construct_codec
from barnabas.protocol.errors import DecodeError, ProtocolError
from barnabas.protocol.header import (
    SIZE_BYTES,
    decode_request_header,
    decode_response_header,
    encode_request,
    encode_response,
)
from barnabas.protocol.message import Message, Struct
from barnabas.protocol.messages.index import MODULES
from barnabas.protocol.vectors import Codecs, PythonCodec

SELECTOR_BYTES: Final = 2
FRAME_LIMIT: Final = 1 << 20

CASES: Final[list[tuple[str, int]]] = [
    (name, version)
    for name in sorted(MODULES)
    for version in range(message_class(name).MIN_VERSION, message_class(name).MAX_VERSION + 1)
]
"""Every message in every version; the first two bytes of an input choose one."""

_constructs: dict[str, ConstructCodec] = {}
_schemas = Codecs()


def selector(name: str, version: int) -> bytes:
    """The bytes that choose a message and version; ValueError when there is no such thing."""
    return CASES.index((name, version)).to_bytes(SELECTOR_BYTES, "big")


def chosen(data: bytes) -> tuple[str, int]:
    """The message and version that an input chooses."""
    return CASES[int.from_bytes(data[:SELECTOR_BYTES], "big") % len(CASES)]


def codecs(data: bytes) -> None:
    """Generated codecs: DecodeError or a message that survives being written and read again."""
    name, version = chosen(data)
    message = message_class(name)
    try:
        found = message.decode(data[SELECTOR_BYTES:], version)
    except DecodeError:
        return
    _check_round_trip(message, found, version)


def _check_round_trip(message: type[Message], found: Message, version: int) -> None:
    encoded = found.encode(version)
    again = message.decode(encoded, version)
    assert again.encode(version) == encoded, f"{message.NAME} {version}: other bytes"
    assert again == found or _has_nan(found), f"{message.NAME} {version}: {again} is not {found}"


def _has_nan(value: Any) -> bool:
    """Whether there is a number in it that does not even equal itself."""
    if isinstance(value, Struct):
        return any(_has_nan(getattr(value, name)) for name in value.FIELDS)
    if isinstance(value, list):
        return any(map(_has_nan, value))
    return isinstance(value, float) and isnan(value)


def construct(data: bytes) -> None:
    """Both backends take the same bytes, as the same JSON, and write them the same."""
    name, version = chosen(data)
    body = data[SELECTOR_BYTES:]
    one, other = PythonCodec(message_class(name)), _construct(name)
    try:
        found: Any = one.decode_to_json(body, version)
    except DecodeError:
        found = None
    try:
        also: Any = other.decode_to_json(body, version)
    except DecodeError:
        also = None
    where = f"{name} {version}"
    assert _text(found) == _text(also), f"{where}: {_text(found)} and {_text(also)}"
    if found is not None:
        first, second = one.encode_json(found, version), other.encode_json(found, version)
        assert first == second, f"{where}: {first.hex()} and {second.hex()}"


def _construct(name: str) -> ConstructCodec:
    found = _constructs.get(name)
    if found is None:
        found = _constructs[name] = construct_codec(_schemas.schema(name))
    return found


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def headers(data: bytes) -> None:
    """Frames, headers and the bodies behind them: a ProtocolError, or what can be written again."""
    try:
        contents = [frame[start:] for frame, start in FrameReader(FRAME_LIMIT).feed(data)]
    except ProtocolError:
        contents = []
    for content in contents:
        _request(content)
        _responses(content)


def _request(content: bytes) -> None:
    try:
        header, at = decode_request_header(content)
        api = APIS[header.api_key]
        if not api.min_version <= header.api_version <= api.max_version:
            return
        request, end = api.request.decode_at(content, at, header.api_version)
    except ProtocolError:
        return
    assert at <= end <= len(content)
    frame = encode_request(request, header.api_version, header.correlation_id, header.client_id)
    again, at = decode_request_header(frame, SIZE_BYTES)
    assert again == header, f"{again} is not {header}"
    body = api.request.decode(frame[at:], header.api_version)
    assert body == request, f"{body} is not {request}"


def _responses(content: bytes) -> None:
    """The first two bytes choose whose response it is, as they would its request's key."""
    api = list(APIS.values())[int.from_bytes(content[:1], "big") % len(APIS)]
    version = api.min_version + int.from_bytes(content[1:2], "big") % (
        api.max_version - api.min_version + 1
    )
    try:
        correlation_id, at = decode_response_header(content, 2, api.key, version)
        response, end = api.response.decode_at(content, at, version)
    except ProtocolError:
        return
    assert at <= end <= len(content)
    frame = encode_response(response, version, correlation_id)
    assert decode_response_header(frame, SIZE_BYTES, api.key, version)[0] == correlation_id
