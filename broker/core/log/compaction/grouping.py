"""Which segments are cleaned into one (CMP-12): small ones are merged, or they would add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ..rules import LogRules
from ..segment import RELATIVE_OFFSET_MAX

_BATCH_BYTES_MIN: Final = 61


class Extent(NamedTuple):
    """What grouping asks of a segment."""

    base_offset: int
    end_offset: int
    size: int


def groups_of(extents: Sequence[Extent], rules: LogRules) -> Iterator[range]:
    """Numbers of neighbours that become one segment each, in order.

    Together they have no more bytes than a segment may have, no more index entries than its indexes
    take, and no offset that these could not reach. One that is too large by itself stays alone.
    """
    interval = max(rules.index_interval_bytes, _BATCH_BYTES_MIN)
    begin = size = 0
    for number, extent in enumerate(extents):
        size += extent.size
        fits = (
            size <= rules.segment_bytes
            and size // interval <= rules.time_entries_max
            and extent.end_offset - extents[begin].base_offset <= RELATIVE_OFFSET_MAX
        )
        if not fits and number > begin:
            yield range(begin, number)
            begin, size = number, extent.size
    if extents:
        yield range(begin, len(extents))
