"""Reads of the disk for callers that must not wait for it.

Logs are read by plain calls on the event loop. Inside `with at_hand:` no such call waits for the
device: where the data is not in memory it raises `NotAtHandError`, which carries the work that
would have waited. The caller has that work done on a thread (`BrokerServices.load`), which leaves
its result here, and then asks again from the beginning; this time the loaded data is found. So a
disk that hangs holds up only those who need it (501-10).

    while True:
        try:
            with at_hand:
                data = log.read(...)
            break
        except NotAtHandError as missing:
            await loaded(missing)
    at_hand.forget()
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any  # Any: whatever was asked for: `Disk.ask` has its type

if TYPE_CHECKING:
    from types import TracebackType

    from .ports import Disk


class NotAtHandError(Exception):
    """The caller would have to wait for the disk. `load` reads, on any thread, and only once.

    When `keep` has been called with its result, the same question is answered without the disk.
    """

    def __init__(self, at_hand: AtHand, key: Hashable, load: Callable[[], Any]) -> None:
        super().__init__(key)
        self.load = load
        self._at_hand = at_hand
        self._key = key

    def keep(self, result: Any) -> None:
        """Keep what `load` returned, or the exception that it raised, for the next attempt."""
        self._at_hand.keep(self._key, result)


class WorkError(NotAtHandError):
    """Not the disk but the processor would hold up the event loop: decompression, decoding.

    It is done on a separate thread, one piece at a time, so that no read waits behind it.
    """


class AtHand:
    """What was loaded for one request; as a context manager, no read inside waits for the disk."""

    __slots__ = ("_disk", "_found")

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._found: dict[Hashable, Any] = {}

    def __enter__(self) -> None:
        self._disk.hurry(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._disk.hurry(None)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was loaded yet."""
        return not self._found

    def keep(self, key: Hashable, result: Any) -> None:
        """Keep what was loaded, or the exception that was raised instead."""
        self._found[key] = result

    def find(self, key: Hashable) -> Any:
        """What was loaded under this key, or None. Raises what loading raised."""
        found = self._found.get(key)
        if isinstance(found, BaseException):
            raise found
        return found

    def take(self, key: Hashable) -> Any:
        """As `find`, but it is no longer kept here: a second question needs the disk again."""
        found = self.find(key)
        if found is not None:
            del self._found[key]
        return found

    def forget(self) -> None:
        """Free everything: the caller has its answer."""
        self._found.clear()
