"""Codecs: what Kafka's clients read and write, and nothing beyond the cap (ENV-13, F-6)."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.raw_batches import COMPRESSED

from barnabas.protocol.batch_errors import InvalidBatchError, UnsupportedCodecError
from barnabas.protocol.compression import (
    Codec,
    codec_of,
    compress,
    decompress,
    with_lz4_header_checksum,
)
from barnabas.protocol.errors import ErrorCode

MIB = 1 << 20
TEXT = b"it is a truth universally acknowledged " * 400


@pytest.mark.parametrize("codec", Codec)
@given(data=st.binary(max_size=2000), times=st.integers(1, 60))
def test_round_trip(codec: Codec, data: bytes, times: int) -> None:
    """Goal: any bytes come back, and a cap of exactly their size is enough."""
    data *= times
    packed = compress(codec, data)
    assert decompress(codec, packed, max(len(data), 1)) == data
    assert decompress(codec, memoryview(bytearray(packed)), 100_000_000) == data


@pytest.mark.parametrize("codec", COMPRESSED)
def test_one_byte_over_the_cap_is_refused(codec: Codec) -> None:
    """ENV-13: INVALID_RECORD(87) as soon as the cap is passed."""
    with pytest.raises(InvalidBatchError, match="more than 15599 bytes") as caught:
        decompress(codec, compress(codec, TEXT), len(TEXT) - 1)
    assert caught.value.code == ErrorCode.INVALID_RECORD


@pytest.mark.parametrize("codec", COMPRESSED)
def test_every_cut_is_named(codec: Codec) -> None:
    """Goal: compressed bytes whose end is missing are refused, not read as less."""
    packed = compress(codec, TEXT)
    for size in range(len(packed)):
        try:
            found = decompress(codec, packed[:size], MIB)
        except InvalidBatchError:
            continue
        # Snappy's framing has no end mark: cut between blocks it is a shorter stream.
        assert codec == Codec.SNAPPY
        assert TEXT.startswith(found)
        assert len(found) % 32768 == 0


@pytest.mark.parametrize("codec", COMPRESSED)
def test_garbage_is_named(codec: Codec) -> None:
    """Goal: changed and random bytes decompress to something bounded, or are INVALID_RECORD."""
    random = Random(codec)
    packed = compress(codec, TEXT)
    for _ in range(300):
        data = bytearray(packed)
        for _ in range(random.randint(1, 4)):
            data[random.randrange(len(data))] = random.randrange(256)
        with suppress(InvalidBatchError):
            assert len(decompress(codec, data, MIB)) <= MIB
    for size in (0, 1, 5, 7, 16, 20, 64):
        with suppress(InvalidBatchError):
            assert len(decompress(codec, random.randbytes(size), MIB)) <= MIB


def test_unknown_codecs() -> None:
    """F-5: codecs 5 to 7 do not exist: UNSUPPORTED_COMPRESSION_TYPE(76)."""
    for number in (5, 6, 7):
        with pytest.raises(UnsupportedCodecError):
            codec_of(number)


# ---------------------------------------------------------------------------- framings


def test_snappy_is_written_in_the_framing_of_java_and_read_in_both() -> None:
    """Goal: Java's producer writes blocks behind a header, librdkafka writes one raw block."""
    import cramjam

    data = TEXT * 5
    packed = compress(Codec.SNAPPY, data)
    assert packed[:16] == b"\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01"
    assert decompress(Codec.SNAPPY, packed, len(data)) == data
    raw = bytes(cramjam.snappy.compress_raw(data))
    assert decompress(Codec.SNAPPY, raw, len(data)) == data
    assert decompress(Codec.SNAPPY, packed + packed, 2 * len(data)) == data + data
    with pytest.raises(InvalidBatchError, match="more than"):
        decompress(Codec.SNAPPY, packed + packed, 2 * len(data) - 1)
    assert decompress(Codec.SNAPPY, compress(Codec.SNAPPY, b""), 1) == b""


def test_lz4_frames_have_independent_blocks() -> None:
    """Goal: Java's reader refuses frames whose blocks refer to each other."""
    packed = compress(Codec.LZ4, TEXT)
    assert packed[:4] == b"\x04\x22\x4d\x18"
    assert packed[4] >> 6 == 1  # version
    assert packed[4] & 0x20  # blocks are independent


def test_lz4_of_magic_0_gets_the_right_header_checksum() -> None:
    """KAFKA-3160: the first LZ4 writer's checksum covered the magic number too."""
    packed = compress(Codec.LZ4, TEXT)
    broken = bytearray(packed)
    broken[6] ^= 0x5A
    with pytest.raises(InvalidBatchError):
        decompress(Codec.LZ4, broken, MIB)
    assert with_lz4_header_checksum(broken) == packed
    assert with_lz4_header_checksum(b"no frame") == b"no frame"
    assert with_lz4_header_checksum(packed[:6]) == packed[:6]


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.LZ4, Codec.ZSTD])
def test_levels(codec: Codec) -> None:
    """Goal: a level is used, and any level is read."""
    low, high = compress(codec, TEXT, 1), compress(codec, TEXT, 9)
    assert len(high) <= len(low)
    assert decompress(codec, low, MIB) == decompress(codec, high, MIB) == TEXT


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.LZ4, Codec.ZSTD])
def test_frames_behind_each_other_share_the_cap(codec: Codec) -> None:
    """Goal: several members or frames are one stream, as in Java; the cap is for all of them."""
    packed = compress(codec, TEXT)
    assert decompress(codec, packed * 3, 3 * len(TEXT)) == TEXT * 3
    with pytest.raises(InvalidBatchError, match="more than"):
        decompress(codec, packed * 3, 3 * len(TEXT) - 1)


# ---------------------------------------------------------------------------- bombs


def zstd_frame(window: int, *, content: bytes = b"x", declared: int | None = None) -> bytes:
    """A frame of one raw block, with a window of 2^`window` and any declared size."""
    flags = 0 if declared is None else 0xC0
    frame = b"\x28\xb5\x2f\xfd" + bytes([flags, (window - 10) << 3])
    if declared is not None:
        frame += declared.to_bytes(8, "little")
    return frame + (len(content) << 3 | 1).to_bytes(3, "little") + content


def lz4_frame(declared: int) -> bytes:
    """A frame that declares a size and holds one byte."""
    frame = b"\x04\x22\x4d\x18\x68\x40" + declared.to_bytes(8, "little")
    frame += b"\0" + (0x80000001).to_bytes(4, "little") + b"x" + bytes(4)
    return with_lz4_header_checksum(frame)


def bomb(codec: Codec) -> bytes:
    """256 MiB of zeros in little."""
    import cramjam

    zeros = bytes(256 * MIB)
    if codec == Codec.SNAPPY:
        block = bytes(cramjam.snappy.compress_raw(bytes(32 * MIB)))
        header = compress(Codec.SNAPPY, b"")
        return header + (len(block).to_bytes(4, "big") + block) * 8
    return compress(codec, zeros)


LIES: list[tuple[str, Codec, Callable[[], bytes]]] = [
    ("zstd window of 2^28", Codec.ZSTD, lambda: zstd_frame(28)),
    ("zstd window of 2^31", Codec.ZSTD, lambda: zstd_frame(31)),
    ("zstd window of 2^41", Codec.ZSTD, lambda: zstd_frame(41)),
    ("zstd declares 2^31-9", Codec.ZSTD, lambda: zstd_frame(10, declared=2**31 - 9)),
    ("zstd declares 2^63", Codec.ZSTD, lambda: zstd_frame(10, declared=1 << 63)),
    ("zstd declares 60 MiB", Codec.ZSTD, lambda: zstd_frame(10, declared=60 * MIB)),
    ("lz4 declares 2^31-9", Codec.LZ4, lambda: lz4_frame(2**31 - 9)),
    ("lz4 declares 60 MiB", Codec.LZ4, lambda: lz4_frame(60 * MIB)),
    ("snappy declares 2^31-9", Codec.SNAPPY, lambda: b"\xf7\xff\xff\xff\x07\x00x"),
    ("snappy declares 60 MiB", Codec.SNAPPY, lambda: b"\x80\x80\x80\x1e\x00x"),
    ("gzip ends with 2^32-1", Codec.GZIP, lambda: compress(Codec.GZIP, b"x")[:-4] + b"\xff" * 4),
]


@pytest.mark.parametrize(("name", "codec", "make"), LIES, ids=[lie[0] for lie in LIES])
def test_sizes_that_lie_cost_nothing(name: str, codec: Codec, make: Callable[[], bytes]) -> None:
    """F-6: a declared size is not allocated before the bytes are there."""
    data = make()
    tracemalloc.start()
    try:
        with pytest.raises(InvalidBatchError):
            decompress(codec, data, 64 * MIB)
        assert tracemalloc.get_traced_memory()[1] < MIB, name
    finally:
        tracemalloc.stop()


def test_a_window_of_2_27_is_read() -> None:
    """Goal: the largest window that Kafka's zstd readers take is taken."""
    assert decompress(Codec.ZSTD, zstd_frame(27), 100) == b"x"


@pytest.mark.parametrize("codec", COMPRESSED)
def test_bombs_stop_at_the_cap(codec: Codec, tmp_path_factory: pytest.TempPathFactory) -> None:
    """F-6: a bomb costs at most the cap plus a little, and is INVALID_RECORD(87).

    Method: in a process of its own, since the peak of this one is high from making the bomb.
    """
    path = tmp_path_factory.mktemp("bombs") / codec.name
    path.write_bytes(bomb(codec))
    code = (
        "import resource, sys\n"
        "from barnabas.protocol.compression import Codec, decompress\n"
        "from barnabas.protocol.batch_errors import InvalidBatchError\n"
        "data = open(sys.argv[2], 'rb').read()\n"
        "codec = Codec(int(sys.argv[1]))\n"
        "decompress(Codec.GZIP, bytes.fromhex(sys.argv[3]), 10)\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: decompress(codec, data, 64 << 20)\n"
        "except InvalidBatchError as error: print(int(error.code))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    warm = compress(Codec.GZIP, b"x").hex()
    run = subprocess.run(
        [sys.executable, "-c", code, str(int(codec)), str(path), warm],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    error_code, peak_kib = map(int, run.stdout.split())
    assert error_code == ErrorCode.INVALID_RECORD
    assert peak_kib * 1024 <= (64 + 32) * MIB
