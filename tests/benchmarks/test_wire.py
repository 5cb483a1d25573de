"""The load generator's bytes, and the generator itself against the null broker."""

from __future__ import annotations

import argparse
import socket
import struct
from collections.abc import Iterator

import pytest
from crc32c import crc32c

from bench import wire
from bench.echo import answer
from bench.load import Load, Outcome, produce_exchanges, summary


def test_batch_is_whole_and_its_checksum_right() -> None:
    """Goal: batch length covers all behind it, CRC-32C all behind itself; one record of 100 B."""
    batch = wire.one_record_batch(b"v" * 100, 1_700_000_000_000)
    base, length, _, magic, checksum = struct.unpack_from(">qiiBI", batch)
    assert (base, magic) == (0, 2)
    assert len(batch) == 12 + length
    assert checksum == crc32c(batch[21:])
    assert batch.count(b"v" * 100) == 1


def test_request_begins_with_its_length() -> None:
    request = wire.produce_request("t", 3, wire.one_record_batch(b"x", 0), 9)
    size, key, version, correlation_id = struct.unpack_from(">ihhi", request)
    assert size == len(request) - 4
    assert (key, version, correlation_id) == (0, wire.PRODUCE_VERSION, 9)


@pytest.mark.parametrize("data", [b"", b"\x80", b"\xff" * 6])
def test_an_answer_that_is_cut_in_a_varint_is_refused(data: bytes) -> None:
    """Goal: every mistake in an answer is the one error that callers know."""
    with pytest.raises(EOFError):
        wire.Reader(data).uvarint()


def test_metadata_answer_is_read() -> None:
    """Goal: leader and error of each partition are found behind the variable parts."""
    partition = struct.pack(">hiii", 0, 1, 7, 0) + b"\x02\x00\x00\x00\x07" * 2 + b"\x01" + b"\x00"
    topic = struct.pack(">h", 0) + wire.compact(b"t") + bytes(17) + b"\x02" + partition
    topic += struct.pack(">i", 0) + b"\x00"
    broker = (
        struct.pack(">i", 7) + wire.compact(b"localhost") + struct.pack(">i", 9092) + b"\x00\x00"
    )
    body = bytes(4) + b"\x02" + broker + b"\x00" + struct.pack(">i", 7) + b"\x02" + topic + b"\x00"
    state = wire.read_metadata(body)
    assert state.partitions == {1: (0, 7)}
    assert state.is_ready()


def test_an_error_in_list_offsets_is_raised() -> None:
    entry = struct.pack(">ihqqi", 0, 6, -1, -1, -1) + b"\x00"
    body = bytes(4) + b"\x02" + wire.compact(b"t") + b"\x02" + entry + b"\x00\x00"
    with pytest.raises(wire.RefusedError, match="error code 6"):
        wire.read_end_offsets(body)


class Peer:
    """The other end of one connection of the generator, driven by hand."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        port = self.listener.getsockname()[1]
        self.load = Load([port] * 2, 1, produce_exchanges(2, "t", 10))
        self.socket, _ = self.listener.accept()

    def close(self) -> None:
        self.socket.close()
        self.listener.close()
        for one in self.load.sockets.values():
            one.close()
        self.load.poll.close()


@pytest.fixture
def peer() -> Iterator[Peer]:
    made = Peer()
    yield made
    made.close()


def test_generator_counts_an_error_code_and_pieces_of_an_answer(peer: Peer) -> None:
    """Goal: a refused record is an error, never an ack. Method: answers prepared in the socket."""
    good = answer("t", 0)
    bad = bytearray(answer("t", 1))
    struct.pack_into(">h", bad, peer.load.error_at, 6)
    errors: dict[int, int] = {}
    (fd,) = peer.load.sockets
    peer.socket.sendall(good[10:])
    peer.load._judge(fd, good[:10], errors)
    assert errors == {}
    peer.load.turn[fd] = 1
    peer.load._judge(fd, bytes(bad), errors)
    assert errors == {6: 1}


def test_generator_runs_its_window(peer: Peer) -> None:
    """Goal: a window ends by the clock with what was answered. Method: a window of no length."""
    peer.load.start()
    peer.socket.sendall(answer("t", 0))
    assert len(peer.load.run(0.0).latencies_ns) == 0
    peer.load.finish()
    assert peer.load.acked == 1


def test_summary_in_figures() -> None:
    outcome = Outcome(seconds=2.0, generator_cpu_s=0.5)
    outcome.latencies_ns.extend(n * 1_000_000 for n in range(1, 101))
    found = summary(outcome, broker_cpu_s=1.0)
    assert found["requests_per_s"] == 50
    assert (found["p50_ms"], found["p99_ms"], found["p999_ms"]) == (50, 99, 100)
    assert found["cpu_us_per_request"] == pytest.approx(10_000)
    assert found["generator_cpu_share"] == 0.25


def test_options_reach_the_generator() -> None:
    """Goal: what `suite` passes to the generator is what its parser knows."""
    from bench.suite import load_arguments

    parser = argparse.ArgumentParser()
    for name in ("--connections", "--seconds", "--warm-up", "--topic"):
        parser.add_argument(name)
    assert parser.parse_args(load_arguments(16, 2.0, 0.5)).connections == "16"
