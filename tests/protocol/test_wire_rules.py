"""The rules of the wire envelope that codecs keep: ENV-02, ENV-05, ENV-06, ENV-07, ENV-11."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from kit.varints import uvarint

from barnabas.protocol.apis import APIS, api, message_class
from barnabas.protocol.connection.frames import FrameReader
from barnabas.protocol.errors import DecodeError, EncodeError, ProtocolError
from barnabas.protocol.header import (
    RequestHeader,
    decode_request_header,
    decode_response_header,
    encode_request,
    encode_response,
)
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.api_versions_response import ApiVersionsResponse
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.index import MODULES
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.metadata_response import MetadataResponse
from barnabas.protocol.messages.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from barnabas.protocol.messages.topic_record import TopicRecord
from barnabas.protocol.primitives import UNKNOWN_TAG_BYTES_MAX, UNKNOWN_TAGS_MAX

from .small_schemas import compiled, field


def tags(*fields: tuple[int, bytes]) -> bytes:
    """A section of tagged fields, in the order given."""
    body = b"".join(uvarint(tag) + uvarint(len(data)) + data for tag, data in fields)
    return uvarint(len(fields)) + body


def test_header_versions() -> None:
    """ENV-02: flexible versions have the newer headers, but ApiVersions' response never."""
    fetch, versions = api(1), api(18)
    assert [fetch.request_header_version(v) for v in (11, 12, 18)] == [1, 2, 2]
    assert [fetch.response_header_version(v) for v in (11, 12, 18)] == [0, 1, 1]
    assert [versions.request_header_version(v) for v in (2, 3, 4, 99)] == [1, 2, 2, 2]
    assert [versions.response_header_version(v) for v in (2, 3, 4, 99)] == [0, 0, 0, 0]
    for each in APIS.values():
        for version in range(each.min_version, each.max_version + 1):
            assert each.request.FLEXIBLE_SINCE == each.response.FLEXIBLE_SINCE
            assert each.request.API_KEY == each.key == each.response.API_KEY
            assert each.request_header_version(version) == (2 if each.is_flexible(version) else 1)


@pytest.mark.parametrize("version", [11, 12])
@pytest.mark.parametrize("client_id", [None, "", "me"])
def test_request_frames(version: int, client_id: str | None) -> None:
    """Goal: length, header and body; the body begins where the header says."""
    frame = encode_request(FetchRequest(max_wait_ms=3), version, 7, client_id)
    [(content, start)] = FrameReader(len(frame)).feed(frame + b"\0\0")
    assert content[start:] == frame[4:]
    header, body = decode_request_header(content, start)
    assert header == RequestHeader(1, version, 7, client_id)
    expected = (FetchRequest(max_wait_ms=3), len(content))
    assert FetchRequest.decode_at(content, body, version) == expected


def test_response_frames() -> None:
    """ENV-02: the response's header has a tag section in flexible versions alone."""
    plain = encode_response(MetadataResponse(), 8, 7)
    flexible = encode_response(MetadataResponse(), 9, 7)
    assert decode_response_header(plain, 4, 3, 8) == (7, 8)
    assert decode_response_header(flexible, 4, 3, 9) == (7, 9)
    versions = encode_response(ApiVersionsResponse(), 3, 7)
    assert decode_response_header(versions, 4, 18, 3) == (7, 8)


def test_header_of_a_version_that_does_not_exist() -> None:
    """ENV-03: the header of ApiVersions is read in any version, for an answer to be possible."""
    frame = bytearray(encode_request(ApiVersionsRequest(), 3, 7, "me"))
    frame[6:8] = b"\0\x63"
    header, _ = decode_request_header(bytes(frame), 4)
    assert header == RequestHeader(18, 99, 7, "me")


@pytest.mark.parametrize("data", ["", "0001", "0001000b00000007", "0001000b00000007fffe"])
def test_headers_that_are_none(data: str) -> None:
    """ENV-06: a cut header, a client id of negative length."""
    with pytest.raises(DecodeError, match=r"^RequestHeader"):
        decode_request_header(bytes.fromhex(data))
    with pytest.raises(DecodeError, match=r"^ResponseHeader"):
        decode_response_header(bytes.fromhex(data)[:3], 0, 1, 12)


def test_unknown_api_keys() -> None:
    """ENV-05: nothing can be said about the rest of such a request."""
    with pytest.raises(ProtocolError, match="unknown api key 12345"):
        decode_request_header(bytes.fromhex("3039000000000007ffff"))
    with pytest.raises(ProtocolError, match="unknown api key -1"):
        api(-1)


@pytest.mark.parametrize("size", ["ffffffff", "80000000", "06400001", "7fffffff", "15030100"])
def test_frame_sizes(size: str) -> None:
    """ENV-01: a negative or oversized length is an error before anything is allocated."""
    reader = FrameReader(100 * 1024 * 1024)
    with pytest.raises(ProtocolError, match="frame of"):
        list(reader.feed(bytes.fromhex(size)))
    reader = FrameReader(100 * 1024 * 1024)
    assert list(reader.feed(bytes.fromhex("06400000"))) == []
    assert reader.held == bytes.fromhex("06400000")


def test_unknown_tags_are_skipped() -> None:
    """ENV-07: tags that a version does not know are no error, and are not kept."""
    plain = TopicRecord(name="a").encode(0)
    unknown = tags(*[(tag, b"xy") for tag in range(UNKNOWN_TAGS_MAX)])
    assert TopicRecord.decode(plain[:-1] + unknown, 0) == TopicRecord(name="a")
    known = compiled(field("A", "int8", "2+", taggedVersions="2+", tag=0))
    assert known.decode(tags((0, b"\x05"), (7, b"xy"), (9, b"")), 2) == known(a=5)


@pytest.mark.parametrize(
    "section",
    [
        tags((1, b""), (0, b"")),
        tags((3, b""), (3, b"")),
        tags((0, b"\x01"), (0, b"\x01")),
        tags((5, b""), (0, b"\x01")),
    ],
)
def test_tags_ascend(section: bytes) -> None:
    """ENV-07: descending and repeated tags are refused, known or not."""
    for fields in ([], [field("A", "int8", "2+", taggedVersions="2+", tag=0)]):
        with pytest.raises(DecodeError, match="tags ascend"):
            compiled(*fields).decode(section, 2)


def test_sizes_of_tags() -> None:
    """ENV-11: a tag ends where it says, and within the message."""
    known = compiled(
        field("A", "int32", "2+", taggedVersions="2+", tag=0),
        field("B", "string", "2+", taggedVersions="2+", tag=1),
    )
    for section in (tags((0, b"\0" * 3)), tags((0, b"\0" * 5)), tags((1, b"\x03ab" + b"c"))):
        with pytest.raises(DecodeError, match=r"Small\.[AB]|cut short"):
            known.decode(section, 2)
    with pytest.raises(DecodeError, match="tag 9 has 200 bytes, 1 are left"):
        known.decode(b"\x01\x09" + uvarint(200) + b"a", 2)


def test_limits_of_unknown_tags() -> None:
    """ENV-11: at most 64 in a structure, each of at most 128 KiB; both skipped up to there."""
    known = compiled(field("A", "int8", "2+", taggedVersions="2+", tag=0))
    many = tags(*[(tag, b"") for tag in range(1, UNKNOWN_TAGS_MAX + 2)])
    enough = tags(*[(tag, b"") for tag in range(1, UNKNOWN_TAGS_MAX + 1)])
    large = tags((1, bytes(UNKNOWN_TAG_BYTES_MAX + 1)))
    for message in (known, compiled()):
        message.decode(enough, 2)
        message.decode(tags((1, bytes(UNKNOWN_TAG_BYTES_MAX))), 2)
        with pytest.raises(DecodeError, match="unknown tagged fields"):
            message.decode(many, 2)
        with pytest.raises(DecodeError, match="at most 131072 go"):
            message.decode(large, 2)


def test_a_flood_of_tags_is_refused_at_once() -> None:
    """ENV-11: a million empty tags, in a header that comes before any authentication."""
    header = bytes.fromhex("0001000c00000007ffff")
    flood = header + tags(*[(tag, b"") for tag in range(200_000)])
    started = time.perf_counter()
    with pytest.raises(DecodeError, match="200000 unknown tagged fields"):
        decode_request_header(flood)
    with pytest.raises(DecodeError, match="tagged fields in"):
        decode_request_header(header + uvarint(2**31) + b"\0" * 100)
    assert time.perf_counter() - started < 0.05


@pytest.mark.parametrize("count", [2**31 - 1, -2, -(2**31), 2**28])
def test_array_counts_that_cannot_be(count: int) -> None:
    """ENV-11: count times the least size of an element must fit into what is left."""
    small = (count & 0xFFFFFFFF).to_bytes(4, "big")
    body = FetchRequest().encode(4)[:-4]
    tracemalloc.start()
    with pytest.raises(DecodeError, match=r"FetchRequest\.Topics: -?\d+ elements"):
        FetchRequest.decode(body + small + bytes(64), 4)
    assert tracemalloc.get_traced_memory()[1] < 100_000
    tracemalloc.stop()
    with pytest.raises(DecodeError, match=r"MetadataRequest\.Topics"):
        MetadataRequest.decode(small + bytes(64), 4)


def test_nested_counts_use_what_is_left() -> None:
    """ENV-11: an inner array is measured against the rest, not against the whole."""
    request = FetchRequest(topics=[FetchTopic(topic="t", partitions=[FetchPartition()])])
    body = request.encode(4)
    at = body.index(b"\0\x01t") + 3
    assert body[at : at + 4] == b"\0\0\0\x01"
    with pytest.raises(DecodeError, match=r"^FetchRequest\.Topics\.Partitions: 2 elements in 16"):
        FetchRequest.decode(body[:at] + b"\0\0\0\x02" + body[at + 4 :], 4)


def test_element_budget() -> None:
    """ENV-11: a request cannot become a hundred times its size in memory."""
    names = MetadataRequest.decode(uvarint(100_001) + b"\x01\0" * 100_000 + b"\0\0\0\0", 9)
    assert names.topics is not None and len(names.topics) == 100_000
    too_many = uvarint(100_002) + b"\x01\0" * 100_001 + b"\0\0\0\0"
    with pytest.raises(DecodeError, match=r"Topics: more than 100000 elements in one message"):
        MetadataRequest.decode(too_many, 9)


def test_element_budget_of_offsets() -> None:
    """ENV-11: a group may commit a hundred thousand partitions in one request."""
    row = OffsetCommitRequestPartition(partition_index=0, committed_offset=1)
    topics = [OffsetCommitRequestTopic(name="t", partitions=[row] * 100_000)]
    data = OffsetCommitRequest(group_id="g", topics=topics).encode(9)
    assert len(OffsetCommitRequest.decode(data, 9).topics[0].partitions) == 100_000
    topics *= 2
    data = OffsetCommitRequest(group_id="g", topics=topics).encode(9)
    with pytest.raises(DecodeError, match="more than 200000 elements in one message"):
        OffsetCommitRequest.decode(data, 9)


def test_elements_without_bytes_are_bounded() -> None:
    """ENV-11: a structure that is empty in a version takes no bytes, but counts."""
    message = compiled(
        field("Items", "[]Item", fields=[field("X", "int8", "1+")]), type="request", apiKey=999
    )
    assert len(message.decode(b"\0\0\0\x05", 0).items) == 5
    with pytest.raises(DecodeError, match="more than 100000 elements"):
        message.decode(b"\x7f\xff\xff\xff", 0)


def test_text_is_strict_utf8() -> None:
    """Goal: no replacement characters: two names never become one."""
    with pytest.raises(DecodeError, match="utf-8"):
        TopicRecord.decode(b"\x03\xc3\x28" + bytes(16) + b"\0", 0)
    with pytest.raises(EncodeError, match="surrogates"):
        TopicRecord(name="\ud800").encode(0)


@pytest.mark.parametrize("version", [0, 2])
def test_strings_have_a_length_limit(version: int) -> None:
    """Goal: no string is longer than an int16 says, compact or not."""
    message = compiled(field("A", "string"))
    longest = message(a="x" * 32767)
    assert message.decode(longest.encode(version), version) == longest
    with pytest.raises(EncodeError):
        message(a="x" * 32768).encode(version)
    with pytest.raises(DecodeError, match=r"^Small\.A: 32768 bytes"):
        message.decode(uvarint(32769) + b"x" * 32768 + b"\0", 2)


@pytest.mark.parametrize("varint", ["ffffffff7f", "ffffffffff01", "8080808080808000"])
def test_varints_of_more_than_32_bits(varint: str) -> None:
    """Goal: at most five bytes, at most 32 bits."""
    with pytest.raises(DecodeError, match="more than 32 bits"):
        compiled(field("A", "bytes")).decode(bytes.fromhex(varint) + bytes(8), 2)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("int8", 128),
        ("int16", 2**15),
        ("uint16", -1),
        ("int32", 2**31),
        ("uint32", 2**32),
        ("int64", 2**63),
        ("uuid", b"short"),
        ("float64", 10**400),
        ("string", 5),
    ],
)
def test_values_outside_their_type(kind: str, value: object) -> None:
    """Goal: nothing is cut to size in silence."""
    message = compiled(field("A", kind))
    with pytest.raises(EncodeError, match=r"^Small version 0: "):
        message(a=value).encode(0)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_garbage_is_a_decode_error(name: str) -> None:
    """ENV-06: bodies of one byte repeated, and none at all, in every version."""
    message = message_class(name)
    for version in range(message.MIN_VERSION - 1, message.MAX_VERSION + 2):
        for body in (b"\xff" * 200, b"\x7f" * 200, b"\x80" * 200, b"\x01" * 2000):
            with pytest.raises(DecodeError, match=name):
                message.decode(body, version)
