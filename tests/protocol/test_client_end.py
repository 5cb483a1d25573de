"""Goal: the client's end of a connection says the same of the same bytes, whatever comes when."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barnabas.protocol.connection.client_end import (
    CORRELATION_ID_MAX,
    Asked,
    ClientEnd,
    Phase,
    ToSend,
)
from barnabas.protocol.connection.frames import FrameSizeError
from barnabas.protocol.connection.negotiation import NegotiationError
from barnabas.protocol.errors import EncodeError, ErrorCode, ProtocolError
from barnabas.protocol.header import decode_request_header, encode_response
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.protocol.messages.describe_cluster_response import DescribeClusterResponse
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.metadata_response import MetadataResponse

API_VERSIONS, METADATA, DESCRIBE_CLUSTER = 18, 3, 60
LIMIT = 1 << 20
SERVED = [
    ApiVersion(api_key=API_VERSIONS, min_version=0, max_version=4),
    ApiVersion(api_key=METADATA, min_version=2, max_version=9),
    ApiVersion(api_key=DESCRIBE_CLUSTER, min_version=0, max_version=1),
]

End = ClientEnd[str]


def versions_frame(correlation_id: int = 0, version: int = 3, code: int = 0) -> bytes:
    response = ApiVersionsResponse(error_code=code, api_keys=SERVED)
    return encode_response(response, version, correlation_id)


def opened() -> End:
    """An end that knows what the broker serves."""
    end = End("me", LIMIT)
    end.open("opening", 0.0, 10.0)
    assert told(end, versions_frame()) == [("opening", {18: (0, 4), 3: (2, 9), 60: (0, 1)})]
    assert end.phase is Phase.READY
    return end


def told(end: End, data: bytes, now: float = 1.0) -> list[Any]:
    """The events, as plain values."""
    return [
        (event.waiter, event.response) if isinstance(event, Asked) else event
        for event in end.receive(data, now)
    ]


def ask(end: End, waiter: str, *, now: float = 1.0, deadline: float = 9.0) -> bytes:
    request = DescribeClusterRequest()
    return end.request(request, 1, DescribeClusterResponse, waiter, now, deadline)


def answer(correlation_id: int, cluster_id: str = "c") -> bytes:
    return encode_response(DescribeClusterResponse(cluster_id=cluster_id), 1, correlation_id)


# --- answers ----------------------------------------------------------------------------------


@given(
    requests=st.lists(st.text(max_size=3), max_size=6),
    ending=st.sampled_from([b"", b"\xff\xff\xff\xff", b"\0\0\0\0", answer(77), answer(9)[:11]]),
    data=st.data(),
)
def test_any_cut_of_the_stream_gives_the_same_events(
    requests: list[str], ending: bytes, data: st.DataObject
) -> None:
    """Versions and answers, then perhaps something that is no answer, or a part of one."""
    frames = [answer(number, text) for number, text in enumerate(requests, start=1)]
    stream = b"".join([*frames, ending])

    def events_of(pieces: list[bytes]) -> tuple[list[Any], str]:
        end = opened()
        for text in requests:
            ask(end, text)
        seen: list[Any] = []
        try:
            for piece in pieces:
                for event in end.receive(piece, 1.0):
                    assert isinstance(event, Asked)
                    seen.append((event.waiter, event.response.cluster_id))
        except ProtocolError as error:
            # Of a length that is none, as many bytes are shown as are there.
            return seen, f"{type(error).__name__}: {error}"
        return seen, f"{end.in_flight} left, {end.held!r} held"

    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(stream) - 1)), max_size=8)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    whole = events_of([stream])
    assert whole == events_of(pieces) == events_of([bytes([byte]) for byte in stream])
    assert whole[0] == [(text, text) for text in requests]


def test_answers_before_what_is_none_are_not_lost() -> None:
    """ENV-01: the driver has the answers before it hears of the broken frame behind them."""
    end = opened()
    ask(end, "first")
    ask(end, "second")
    events = end.receive(answer(1) + b"\x7f\xff\xff\xff", 1.0)
    first = next(events)
    assert isinstance(first, Asked)
    assert first.waiter == "first"
    with pytest.raises(FrameSizeError, match="response frame of 2147483647 bytes") as caught:
        next(events)
    assert caught.value.seen == b"\x7f\xff\xff\xff"
    assert end.close() == ["second"]


@pytest.mark.parametrize(
    ("frame", "text"),
    [
        (answer(2), r"correlation id 2 where 1 was due"),
        (answer(7), r"correlation id 7 where 1 was due"),
        (b"\0\0\0\0", "ResponseHeader"),
        (b"\0\0\0\3abc", "ResponseHeader"),
        (b"\0\0\0\5\0\0\0\1\0", "DescribeClusterResponse"),
        (len(answer(1) + b"x" * 4).to_bytes(4, "big") + answer(1)[4:] + b"x" * 8, "left over"),
        (b"\xff\xff\xff\xfe", "frame of -2 bytes"),
        ((LIMIT + 1).to_bytes(4, "big"), "at most 1048576 are allowed"),
    ],
)
def test_what_is_no_answer_is_an_error(frame: bytes, text: str) -> None:
    """ENV-01, ENV-08: also the answer to a later request, for they come in order."""
    end = opened()
    ask(end, "first")
    ask(end, "second")
    with pytest.raises(ProtocolError, match=text):
        told(end, frame)
    assert end.close() == ["first", "second"]


def test_an_answer_that_nobody_asked_for_is_an_error() -> None:
    end = opened()
    with pytest.raises(ProtocolError, match="nothing was asked for"):
        told(end, answer(1))


@pytest.mark.parametrize("said", [answer(0), b"SSH-2.0-OpenSSH_9.6\r\n"])
def test_what_comes_before_anything_was_asked_is_an_error(said: bytes) -> None:
    """A server of another kind greets first."""
    end = End("me", LIMIT)
    with pytest.raises(ProtocolError):
        told(end, said)
    assert not end.has_answered


def test_correlation_ids_are_counted_and_wrap() -> None:
    """A request without an answer takes one too; after the highest comes 0."""
    end = opened()
    end._correlation_id = CORRELATION_ID_MAX - 1
    frames = [
        end.post(DescribeClusterRequest(), 1),
        ask(end, "last"),
        ask(end, "first"),
    ]
    ids = [decode_request_header(frame, 4)[0].correlation_id for frame in frames]
    assert ids == [CORRELATION_ID_MAX - 1, CORRELATION_ID_MAX, 0]
    assert end.in_flight == 2
    assert [waiter for waiter, _ in told(end, answer(CORRELATION_ID_MAX) + answer(0))] == [
        "last",
        "first",
    ]


def test_a_request_that_its_version_cannot_carry_changes_nothing() -> None:
    end = opened()
    request = MetadataRequest(allow_auto_topic_creation=False)
    with pytest.raises(EncodeError):
        end.request(request, 2, MetadataResponse, "never", 1.0, 9.0)
    assert end.in_flight == 0
    assert decode_request_header(ask(end, "next"), 4)[0].correlation_id == 1


def test_headers_are_as_flexible_as_the_version() -> None:
    """ENV-02: the header of an answer has tagged fields where its API's version has them."""
    end = opened()
    for version in (8, 9):
        end.request(MetadataRequest(), version, MetadataResponse, f"in {version}", 1.0, 9.0)
    plain = encode_response(MetadataResponse(cluster_id="c"), 8, 1)
    flexible = encode_response(MetadataResponse(cluster_id="c"), 9, 2)
    answers = told(end, plain + flexible)
    assert [(waiter, response.cluster_id) for waiter, response in answers] == [
        ("in 8", "c"),
        ("in 9", "c"),
    ]


# --- time and the end -------------------------------------------------------------------------


def test_the_first_deadline_counts_whoever_asked_first() -> None:
    """A request with little time may stand behind one that a broker keeps for long."""
    end = opened()
    assert end.next_deadline() is None
    assert end.overdue(1e9) is None
    ask(end, "patient", deadline=30.0)
    ask(end, "hasty", deadline=2.0)
    assert end.next_deadline() == 2.0
    assert end.overdue(1.9) is None
    late = end.overdue(2.0)
    assert late is not None
    assert (late.waiter, late.name) == ("hasty", "DescribeCluster")
    told(end, answer(1) + answer(2))
    assert end.next_deadline() is None
    assert end.overdue(1e9) is None


def test_a_broker_is_silent_while_it_owes_an_answer_and_sends_nothing() -> None:
    end = opened()
    assert end.silent_s(100.0) == 0.0
    ask(end, "first", now=100.0)
    assert end.silent_s(101.0) == 1.0
    told(end, answer(1)[:5], now=102.0)
    assert end.silent_s(102.5) == 0.5
    told(end, answer(1)[5:], now=103.0)
    assert end.silent_s(200.0) == 0.0


def test_close_names_who_waits_and_nothing_comes_after_it() -> None:
    end = opened()
    ask(end, "first")
    ask(end, "second")
    told(end, answer(1)[:7])
    assert end.close() == ["first", "second"]
    assert end.close() == []
    assert told(end, answer(1)[7:] + b"\xff\xff\xff\xff") == []
    assert end.next_deadline() is None


def test_a_driver_that_closes_on_an_event_hears_no_more() -> None:
    end = opened()
    ask(end, "first")
    ask(end, "second")
    events = end.receive(answer(1) + answer(2), 1.0)
    next(events)
    assert end.close() == ["second"]
    assert list(events) == []


def test_close_before_the_versions_are_known() -> None:
    end = End("me", LIMIT)
    end.open("opening", 0.0, 10.0)
    late = end.overdue(10.0)
    assert late is not None
    assert late.name == "ApiVersions"
    assert end.close() == ["opening"]
    assert not end.has_answered


# --- versions ---------------------------------------------------------------------------------


def test_the_highest_common_version_is_taken() -> None:
    """ENV-03: the broker's list bounds ours, and the caller may bound it further."""
    end = opened()
    assert end.version_of(METADATA, 0, 13) == 9
    assert end.version_of(METADATA, 0, 5) == 5
    assert end.version_of(METADATA, 2, 2) == 2
    assert end.version_of(METADATA, 0, 1) is None
    assert end.version_of(METADATA, 10, 13) is None
    assert end.version_of(1, 0, 18) is None
    assert (end.offer(METADATA), end.offer(1)) == ("in versions 2 to 9", "not at all")


def asked_version(data: bytes) -> tuple[int, int]:
    """In which version ApiVersions is asked, by which correlation id."""
    header, body = decode_request_header(data, 4)
    assert header.api_key == API_VERSIONS
    request = ApiVersionsRequest.decode(data[body:], header.api_version)
    assert bool(request.client_software_version) == (header.api_version >= 3)
    return header.api_version, header.correlation_id


@pytest.mark.parametrize(("highest", "again"), [(1, 1), (2, 2), (0, 0), (9, 2), (None, 0)])
def test_an_old_broker_is_asked_again_in_its_version(highest: int | None, again: int) -> None:
    """ENV-03: UNSUPPORTED_VERSION comes in version 0, with the versions to try or without."""
    end = End("me", LIMIT)
    assert asked_version(end.open("opening", 0.0, 10.0)) == (3, 0)
    keys = [ApiVersion(api_key=18, min_version=0, max_version=highest or 0)]
    refusal = ApiVersionsResponse(
        error_code=ErrorCode.UNSUPPORTED_VERSION, api_keys=[] if highest is None else keys
    )
    [more] = end.receive(encode_response(refusal, 0, 0), 1.0)
    assert isinstance(more, ToSend)
    assert asked_version(more.data) == (again, 1)
    assert end.phase is Phase.NEGOTIATING
    assert end.next_deadline() == 10.0
    [(waiter, versions)] = told(end, versions_frame(1, again))
    assert (waiter, versions[METADATA]) == ("opening", (2, 9))
    assert end.version_of(METADATA, 0, 13) == 9


def test_a_broker_that_refuses_every_version_is_given_up() -> None:
    """However it lies about what it serves, it is asked once a version."""
    end = End("me", LIMIT)
    frame = end.open("opening", 0.0, 10.0)
    refusal = ApiVersionsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, api_keys=SERVED)
    asked = []
    with pytest.raises(NegotiationError) as caught:
        while True:
            version, number = asked_version(frame)
            asked.append(version)
            [more] = end.receive(encode_response(refusal, 0, number), 1.0)
            assert isinstance(more, ToSend)
            frame = more.data
    assert asked == [3, 2, 1, 0]
    assert caught.value.code == ErrorCode.UNSUPPORTED_VERSION
    assert end.close() == ["opening"]


@pytest.mark.parametrize(
    ("frame", "text"),
    [
        (versions_frame(code=ErrorCode.INVALID_REQUEST), "error code 42"),
        (encode_response(ApiVersionsResponse(), 3, 0), "without an entry"),
        (versions_frame(1), "correlation id 1 where 0 was due"),
        (b"HTTP/1.1 400 Bad Request\r\n", "frame of 1213486160 bytes"),
        (b"\x15\x03\x03\x00\x02\x02\x16", "is this a TLS port"),
    ],
)
def test_an_answer_without_versions_is_an_error(frame: bytes, text: str) -> None:
    end = End("me", LIMIT)
    end.open("opening", 0.0, 10.0)
    with pytest.raises(ProtocolError, match=text):
        told(end, frame)
    assert end.close() == ["opening"]
