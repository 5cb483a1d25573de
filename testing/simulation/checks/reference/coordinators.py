"""Shards of coordinators: what counts as committed, what is taken back, what is loaded: CRT."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final
from weakref import WeakKeyDictionary

from barnabas.broker.core.coordination.groups.offsets.committed import Committed
from barnabas.broker.core.coordination.shard import Shard
from barnabas.broker.core.coordination.shard_timers import LoopTimers
from barnabas.broker.core.coordination.shard_writer import ShardWriter
from barnabas.broker.core.coordination.timeline import _ABSENT, Timeline, TimelineDict
from barnabas.broker.server.coordinators.led_shards import LedShards
from barnabas.protocol.errors import ErrorCode

from .comparing import Rule, answer_of

OFFSETS = (Committed, ErrorCode, type(None))
"""What looking offsets up brings."""

LOADED_ENDS: Final[WeakKeyDictionary[Any, int]] = WeakKeyDictionary()
"""Where the log ended above the watermark when a shard was loaded; 0: the watermark was there."""


def committed(timeline: Any, offset: int) -> Generator[None, Any, None]:
    """CRT-07: what is not committed can still be taken back."""
    open_layers = [one for one in timeline._layers if one.base_offset >= offset]
    yield
    left = list(timeline._layers)
    kept = left[len(left) - len(open_layers) :] if len(left) >= len(open_layers) else None
    assert kept == open_layers, f"at {offset} layers are gone that are not committed"


def kept(timeline: Any, part: Any, key: Any, value: Any) -> Generator[None, Any, None]:
    """CRT-07: of a batch that changes something twice the value before the batch is kept."""
    layers = timeline._layers
    before = layers[-1].old.get(part, {}).get(key, value) if layers else value
    yield
    if layers:
        assert layers[-1].old[part][key] is before, f"{key!r} would not come back as it was"


def reverted(timeline: Any, base_offset: int) -> Generator[None, Any, None]:
    """CRT-07: the state is that before the batch, in all of its parts."""
    old: dict[Any, dict[Any, Any]] = {}
    for layer in timeline._layers:
        if layer.base_offset >= base_offset:
            for part, values in layer.old.items():
                known = old.setdefault(part, {})
                for key, value in values.items():
                    known.setdefault(key, value)
    yield
    assert all(one.base_offset < base_offset for one in timeline._layers), "a layer is left"
    for part, values in old.items():
        for key, value in values.items():
            found = part._now.get(key, _ABSENT) if isinstance(part, TimelineDict) else part._now
            assert found is value, f"{key!r} is {found!r} after it was taken back to {value!r}"


def taken_back(writer: Any, batch: Any, error: Any) -> Generator[None, Any, None]:
    """CRT-07: a batch that was not written leaves nothing behind."""
    del error
    layers = writer._timeline._layers
    yield
    is_left = any(one.base_offset >= batch.base_offset for one in layers)
    assert not is_left, f"the state has what was not written at {batch.base_offset}"
    assert writer.open is not batch, "the batch is still open"


def settled(writer: Any) -> Generator[None, Any, None]:
    """CRT-06, CRT-09: what is answered and read lies below the high watermark."""
    before = writer.committed_offset
    yield
    as_log = writer._log
    if writer.committed_offset == before or not as_log.is_led:
        return
    watermark = as_log._partition.high_watermark
    assert writer.committed_offset <= watermark, (
        f"{writer.committed_offset} counts as committed, the watermark is {watermark}"
    )


def replayed(
    writer: Any, base_offset: int, end_offset: int, high_watermark: int
) -> Generator[None, Any, None]:
    """CRT-14: of what is loaded that counts as committed which the watermark has passed."""
    before, layers = writer.committed_offset, len(writer._timeline._layers)
    yield
    is_committed = end_offset <= high_watermark
    expected = end_offset if is_committed else before
    assert writer.committed_offset == expected, (
        f"{base_offset} to {end_offset} was loaded, the watermark is {high_watermark}, committed"
        f" is {writer.committed_offset}"
    )
    has_layer = len(writer._timeline._layers) > layers
    assert has_layer != is_committed, f"{base_offset} can be taken back: {has_layer}"


def read(shard: Any, look: Any, may_be_old: bool = False) -> Generator[None, Any, None]:
    """CRT-09: offsets are told as they were where the watermark is; and unless they may be old, not
    before it has passed what was loaded."""
    expected = answer_of(look, shard.machine, shard.writer.committed_offset)
    found = yield
    if isinstance(found, list) and not may_be_old:
        loaded, committed = LOADED_ENDS[shard], shard.writer.committed_offset
        assert committed >= loaded, f"committed is {committed}, it was loaded up to {loaded}"
    if isinstance(found, list) and all(type(one) in OFFSETS for one in found):
        assert found == expected, f"it is {found}, committed is {expected}"


def activated(shard: Any) -> Generator[None, Any, None]:
    """CRT-14: the log was replayed to its end."""
    replayed, end = shard.writer.next_offset, shard.writer._log.end_offset
    LOADED_ENDS[shard] = shard.writer.written[-1].end_offset if shard.writer.written else 0
    yield
    assert replayed == end, f"replayed to {replayed}, the log ends at {end}"


def looked(shards: Any, number: int) -> Generator[None, Any, None]:
    """CRT-13: one shard where this broker leads, of that epoch, and none elsewhere."""
    partition = shards._node.replicas.get(shards._kind.topic, number)
    known = shards._epochs.get(number, -1)
    yield
    led = shards._led.get(number)
    if partition is None:
        assert led is None, "a shard is left of a replica that is gone"
    elif partition.leader_epoch > known:
        epoch = partition.leader_epoch
        expected = epoch if partition.is_leader else None
        found = None if led is None else led.epoch
        assert found == expected, f"in epoch {epoch} its shard is of {found}, not {expected}"


def tried_again(timers: Any, key: Any, operation: Any, error: Any) -> Generator[None, Any, None]:
    """CRT-17: what a timer could not do now is done later, unless the shard is gone."""
    del operation, error
    yield
    assert timers._is_closed or key in timers._set, f"{key!r} will not be tried again"


RULES = (
    Rule("CRT-07", Timeline, "commit", committed, is_after=True),
    Rule("CRT-07", Timeline, "keep", kept, is_after=True),
    Rule("CRT-07", Timeline, "revert", reverted, is_after=True),
    Rule("CRT-07", ShardWriter, "_take_back", taken_back, is_after=True),
    Rule("CRT-14", ShardWriter, "loaded", replayed, is_after=True),
    Rule("CRT-09", ShardWriter, "settle", settled, is_after=True),
    Rule("CRT-09", Shard, "read", read, is_after=True),
    Rule("CRT-14", Shard, "activate", activated, is_after=True),
    Rule("CRT-17", LoopTimers, "_try_again", tried_again, is_after=True),
    Rule("CRT-13", LedShards, "_look", looked, is_after=True),
)
