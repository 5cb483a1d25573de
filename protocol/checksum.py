"""CRC-32C of record batches, by the C extension of the `crc32c` package."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from crc32c import crc32c as _crc32c

__all__ = ["crc32c"]

crc32c = cast("Callable[..., int]", _crc32c)
"""`crc32c(buffer, value=0)`: the checksum of any buffer, going on from `value`."""
