"""From options and the state of the cluster to ranges of offsets, one a Spark task; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from barnabas.client.structs import TopicPartition

from .errors import DataLossError, PlanError
from .offsets import EARLIEST, LATEST, Bound, BoundKind
from .options import ReadOptions, Selection

Positions = dict[TopicPartition, int]


class OffsetSource(Protocol):
    """What a plan asks a cluster for."""

    def partitions(self, selection: Selection) -> list[TopicPartition]:
        """Every partition that is selected, sorted.

        Raises:
            PlanError: a topic or a partition that is named does not exist.
        """
        ...

    def earliest(self, partitions: Iterable[TopicPartition]) -> Positions:
        """First offset that can be read."""
        ...

    def latest(self, partitions: Iterable[TopicPartition]) -> Positions:
        """Offset after the last record that can be read."""
        ...

    def at_times(self, times_ms: Mapping[TopicPartition, int]) -> dict[TopicPartition, int | None]:
        """First offset whose timestamp is at or after the given one; None when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class OffsetRange:
    """Records of one partition from `start` up to, but without, `end`."""

    at: TopicPartition
    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start


def plan_batch(options: ReadOptions, source: OffsetSource) -> list[OffsetRange]:
    """What a batch reads: fixed here, so that a task that is tried again reads the same.

    Raises:
        PlanError: the cluster has not what the options name.
        DataLossError: a start lies before what the log still has (with `failOnDataLoss`).
    """
    partitions = source.partitions(options.selection)
    start = resolve_start(options, partitions, source)
    end = resolve_end(options.end, partitions, source)
    ranges = [OffsetRange(at, start[at], end[at]) for at in partitions]
    for planned in ranges:
        if planned.size < 0:
            raise PlanError(
                f"{planned.at}: starts at offset {planned.start}, which is after "
                f"its end, {planned.end}"
            )
    ranges = check_available(ranges, source, fail_on_data_loss=options.fail_on_data_loss)
    return split(ranges, options.min_partitions, options.max_records_per_partition)


def resolve_start(
    options: ReadOptions, partitions: list[TopicPartition], source: OffsetSource
) -> Positions:
    """The offset at which each partition starts."""
    bound = options.start
    if bound.kind is BoundKind.EARLIEST:
        return source.earliest(partitions)
    if bound.kind is BoundKind.LATEST:
        return source.latest(partitions)
    if bound.kind is BoundKind.OFFSETS:
        return _numbers(bound, partitions, source)
    found = source.at_times(_times(bound, partitions))
    unmatched = [at for at in partitions if found[at] is None]
    if unmatched and options.unmatched_time == "error":
        raise PlanError(
            f"option {bound.option!r}: {unmatched[0]} has no record of that time or later; "
            "startingOffsetsByTimestampStrategy=latest starts at the end of such partitions"
        )
    return _filled(found, source.latest(unmatched) if unmatched else {})


def resolve_end(bound: Bound, partitions: list[TopicPartition], source: OffsetSource) -> Positions:
    """The offset before which each partition ends; a time that is not reached means the end."""
    if bound.kind is BoundKind.LATEST:
        return source.latest(partitions)
    if bound.kind is BoundKind.OFFSETS:
        return _numbers(bound, partitions, source)
    assert bound.kind in (BoundKind.TIMESTAMP, BoundKind.TIMESTAMPS), bound
    found = source.at_times(_times(bound, partitions))
    unmatched = [at for at in partitions if found[at] is None]
    return _filled(found, source.latest(unmatched) if unmatched else {})


def _filled(found: Mapping[TopicPartition, int | None], otherwise: Positions) -> Positions:
    return {at: otherwise[at] if offset is None else offset for at, offset in found.items()}


def _times(bound: Bound, partitions: list[TopicPartition]) -> Positions:
    if bound.kind is BoundKind.TIMESTAMP:
        return dict.fromkeys(partitions, bound.timestamp_ms)
    _check_complete(bound, partitions)
    return {at: bound.positions[at] for at in partitions}


def _numbers(bound: Bound, partitions: list[TopicPartition], source: OffsetSource) -> Positions:
    """Offsets as given, with -2 and -1 looked up."""
    _check_complete(bound, partitions)
    result = dict(bound.positions)
    for number, look_up in ((EARLIEST, source.earliest), (LATEST, source.latest)):
        named = [at for at in partitions if result[at] == number]
        if named:
            result.update(look_up(named))
    return result


def _check_complete(bound: Bound, partitions: list[TopicPartition]) -> None:
    missing = sorted(set(partitions) - set(bound.positions))
    surplus = sorted(set(bound.positions) - set(partitions))
    if missing or surplus:
        raise PlanError(
            f"option {bound.option!r} must name exactly the partitions that are read; "
            + (f"missing: {_listed(missing)}" if missing else f"not read: {_listed(surplus)}")
        )


def _listed(partitions: list[TopicPartition]) -> str:
    names = [str(at) for at in partitions[:5]]
    return ", ".join(names) + (" ..." if len(partitions) > len(names) else "")


def check_available(
    ranges: list[OffsetRange], source: OffsetSource, *, fail_on_data_loss: bool
) -> list[OffsetRange]:
    """Compare with what the logs have; without `failOnDataLoss`, read what is left.

    Raises:
        DataLossError: records of a range are gone, or its end is past the end of the log.
    """
    wanted = [each.at for each in ranges if each.size > 0]
    if not wanted:
        return ranges
    first, last = source.earliest(wanted), source.latest(wanted)
    result = []
    for each in ranges:
        if each.size > 0:
            low, high = first[each.at], last[each.at]
            if fail_on_data_loss and each.start < low:
                raise _loss(each, f"the log starts at offset {low}")
            if fail_on_data_loss and each.end > high:
                raise _loss(each, f"the log ends at offset {high}")
            start = min(max(each.start, low), high)
            each = OffsetRange(each.at, start, max(start, min(each.end, high)))
        result.append(each)
    return result


def _loss(planned: OffsetRange, what: str) -> DataLossError:
    return DataLossError(
        *planned.at, f"offsets {planned.start} to {planned.end - 1} were asked for, but {what}"
    )


def split(
    ranges: Iterable[OffsetRange], min_parts: int | None, max_records: int | None
) -> list[OffsetRange]:
    """One range a partition, cut finer until there are `min_parts` and none has more records.

    Empty ranges are left out. The cuts follow the sizes: a partition with half of the records
    gets half of the parts, so that no task has much more work than another.
    """
    full = [each for each in ranges if each.size > 0]
    parts = {each: 1 for each in full}
    if max_records is not None:
        parts = {each: -(-each.size // max_records) for each in full}
    while min_parts is not None and sum(parts.values()) < min_parts:
        # Cut where the pieces are largest now; stop when every piece is a single record.
        largest = max(full, key=lambda each: each.size / parts[each], default=None)
        if largest is None or parts[largest] >= largest.size:
            break
        parts[largest] += 1
    return [piece for each in full for piece in _cut(each, parts[each])]


def _cut(whole: OffsetRange, parts: int) -> list[OffsetRange]:
    edges = [whole.start + whole.size * index // parts for index in range(parts + 1)]
    return [
        OffsetRange(whole.at, edges[index], edges[index + 1])
        for index in range(parts)
        if edges[index + 1] > edges[index]
    ]


def limit_records(start: Positions, end: Positions, max_records: int) -> Positions:
    """Ends for a micro-batch of at most `max_records`, shared out by what each partition has.

    Every partition that has something gets its share, one record at least, and the sum is exact.
    With more partitions than records they have their turns, batch by batch: none is starved.
    """
    waiting = {at: end[at] - start[at] for at in sorted(end) if end[at] > start[at]}
    total = sum(waiting.values())
    if total <= max_records:
        return dict(end)
    limited = {at: min(start[at], end[at]) for at in end}
    if len(waiting) > max_records:
        # Each batch moves the sum of the starts on by its limit, and so its first one by one.
        everyone = sorted(end)
        first = sum(start[at] for at in everyone) // max_records % len(everyone)
        in_turn = [at for at in (*everyone[first:], *everyone[:first]) if at in waiting]
        return limited | {at: start[at] + 1 for at in in_turn[:max_records]}
    shares = {at: max(1, size * max_records // total) for at, size in waiting.items()}
    over = sum(shares.values()) - max_records
    # The largest ones give what the smallest ones need, or get what is left.
    for at in sorted(shares, key=lambda each: -shares[each]):
        given = max(min(over, shares[at] - 1), shares[at] - waiting[at])
        shares[at] -= given
        over -= given
    return limited | {at: start[at] + share for at, share in shares.items()}
