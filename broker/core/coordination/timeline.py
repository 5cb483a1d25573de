"""State that can be read as it was, and taken back: values versioned by log offset (CRT-07).

A coordinator applies records before they are in the log. Each batch of them opens a layer, named by
the batch's base offset, in which the old values of what it changes are kept. A batch that could not
be written is taken back by restoring them; once the high watermark has passed a batch its layer is
dropped, since nobody asks any more how it was before (CRT-09).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final, Generic, Protocol, TypeVar, cast

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

_ABSENT: Final = object()
"""In place of the old value of a key that was not there."""

LATEST: Final = 2**63 - 1
"""As an offset to read at: with all changes, also those that are not committed."""


class _Versioned(Protocol):
    """A part of the state that takes old values back."""

    def restore(self, old: dict[object, object]) -> None: ...


class _Layer:
    """What one batch changed: of each part, the values that were there before it."""

    __slots__ = ("base_offset", "old")

    def __init__(self, base_offset: int) -> None:
        self.base_offset = base_offset
        self.old: dict[_Versioned, dict[object, object]] = {}


class Timeline:
    """The open layers of one shard's state, oldest first; its parts report their changes to it."""

    __slots__ = ("_layers",)

    def __init__(self) -> None:
        self._layers: deque[_Layer] = deque()

    def open_layer(self, base_offset: int) -> None:
        """Changes from now on belong to the batch that begins at `base_offset`."""
        assert not self._layers or self._layers[-1].base_offset <= base_offset, "offsets go up"
        self._layers.append(_Layer(base_offset))

    def commit(self, offset: int) -> None:
        """Everything below `offset` is committed: reads at an older state end.

        A layer counts as committed as a whole when the next one begins at or below `offset`; the
        last one does when `offset` is beyond it, so callers commit at ends of batches.
        """
        layers = self._layers
        while layers and layers[0].base_offset < offset:
            if len(layers) > 1 and layers[1].base_offset > offset:
                break  # the watermark stands inside of this batch
            layers.popleft()

    def revert(self, base_offset: int) -> None:
        """Take back all changes of the layers from `base_offset` on."""
        layers = self._layers
        while layers and layers[-1].base_offset >= base_offset:
            for part, old in layers.pop().old.items():
                part.restore(old)

    # --- for the parts ------------------------------------------------------------------------

    def keep(self, part: _Versioned, key: object, value: object) -> None:
        """Note the value that `key` has before its first change in this layer."""
        if self._layers:
            self._layers[-1].old.setdefault(part, {}).setdefault(key, value)

    def changes_from(self, part: _Versioned, offset: int) -> Iterator[dict[object, object]]:
        """Old values of a part in the layers that are not committed at `offset`, oldest first."""
        for layer in self._layers:
            if layer.base_offset >= offset and (old := layer.old.get(part)) is not None:
                yield old


class TimelineDict(Generic[KeyT, ValueT]):
    """A dict whose changes can be taken back. Values are immutable, or version themselves."""

    __slots__ = ("_now", "_timeline")

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._now: dict[KeyT, ValueT] = {}

    def __len__(self) -> int:
        return len(self._now)

    def __contains__(self, key: KeyT) -> bool:
        return key in self._now

    def __iter__(self) -> Iterator[KeyT]:
        return iter(self._now)

    def __getitem__(self, key: KeyT) -> ValueT:
        return self._now[key]

    def get(self, key: KeyT) -> ValueT | None:
        """The latest value; None if there is none."""
        return self._now.get(key)

    def values(self) -> Iterator[ValueT]:
        """The latest values."""
        return iter(self._now.values())

    def items(self) -> Iterator[tuple[KeyT, ValueT]]:
        """The latest keys and values."""
        return iter(self._now.items())

    def __setitem__(self, key: KeyT, value: ValueT) -> None:
        self._timeline.keep(self, key, self._now.get(key, _ABSENT))
        self._now[key] = value

    def pop(self, key: KeyT) -> ValueT | None:
        """Remove a key; its value, or None if it was not there."""
        if key not in self._now:
            return None
        value = self._now.pop(key)
        self._timeline.keep(self, key, value)
        return value

    def at(self, key: KeyT, offset: int) -> ValueT | None:
        """The value when the log ended at `offset`; None if there was none."""
        for old in self._timeline.changes_from(self, offset):
            if key in old:
                found = old[key]
                return None if found is _ABSENT else cast("ValueT", found)
        return self._now.get(key)

    def items_at(self, offset: int) -> Iterator[tuple[KeyT, ValueT]]:
        """All keys and values when the log ended at `offset`."""
        before: dict[object, object] = {}
        for old in self._timeline.changes_from(self, offset):
            for changed, value in old.items():
                before.setdefault(changed, value)
        for key, value in self._now.items():
            if key not in before:
                yield key, value
        for changed, kept in before.items():
            if kept is not _ABSENT:
                yield cast("KeyT", changed), cast("ValueT", kept)

    def restore(self, old: dict[object, object]) -> None:
        """Put old values back; the timeline calls it."""
        for changed, value in old.items():
            key = cast("KeyT", changed)
            if value is _ABSENT:
                self._now.pop(key, None)
            else:
                self._now[key] = cast("ValueT", value)


class TimelineCell(Generic[ValueT]):
    """One value whose changes can be taken back. The value is immutable."""

    __slots__ = ("_now", "_timeline")

    def __init__(self, timeline: Timeline, value: ValueT) -> None:
        self._timeline = timeline
        self._now = value

    @property
    def value(self) -> ValueT:
        """The latest value."""
        return self._now

    def set(self, value: ValueT) -> None:
        """Change it."""
        self._timeline.keep(self, "", self._now)
        self._now = value

    def at(self, offset: int) -> ValueT:
        """The value when the log ended at `offset`."""
        for old in self._timeline.changes_from(self, offset):
            return cast("ValueT", old[""])
        return self._now

    def restore(self, old: dict[object, object]) -> None:
        """Put the old value back; the timeline calls it."""
        self._now = cast("ValueT", old[""])
