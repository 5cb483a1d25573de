"""What a fuzzer feeds to the bound by which the hot path lets compressed batches through."""

from __future__ import annotations

from typing import Final

import cramjam

from barnabas.broker.core.replication.inflation import inflation_bound
from barnabas.protocol.batch_errors import BatchError
from barnabas.protocol.compression import Codec, decompress

LIMIT: Final = 1 << 18


def inflation(data: bytes) -> None:
    """The bound is never below what really comes out (ENV-13); the first byte chooses the codec."""
    if data:
        codec = Codec(1 + data[0] % 4)
        bound = inflation_bound(codec, memoryview(data)[1:])
        size = _size(codec, data[1:])
        assert size <= bound, f"{codec.name}: {size} bytes, bound {bound}"


def _size(codec: Codec, data: bytes) -> int:
    """What comes out, up to a limit, whatever the bytes say of it themselves; 0 for garbage."""
    if codec == Codec.SNAPPY:
        try:
            return len(decompress(codec, data, LIMIT))
        except BatchError:
            return 0
    into = {Codec.GZIP: cramjam.gzip, Codec.LZ4: cramjam.lz4, Codec.ZSTD: cramjam.zstd}[codec]
    try:
        return int(into.decompress_into(data, bytearray(LIMIT)))
    except Exception as error:  # of cramjam: it has one class for all that may be wrong
        return LIMIT + 1 if "failed to write whole buffer" in str(error) else 0
