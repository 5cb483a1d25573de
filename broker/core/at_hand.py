"""What only the disk can tell, for those who must not wait for it.

Logs are read by plain calls on the event loop. Inside `with at_hand:` no such call waits for the
device: what is not in memory raises `NotAtHandError`, which carries the work that would have
waited. Whoever asked has it done on a thread (`BrokerServices.load`), which leaves its result here,
and asks once more from the beginning; what was loaded is then found. So a disk that stands still
holds up who needs it, and nobody else (501-10).

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
    """The disk would have to be waited for; `load` does it, on any thread, and may be called once.

    After `keep` has its result the same question is answered without the disk.
    """

    def __init__(self, at_hand: AtHand, key: Hashable, load: Callable[[], Any]) -> None:
        super().__init__(key)
        self.load = load
        self._at_hand = at_hand
        self._key = key

    def keep(self, result: Any) -> None:
        """Leave what `load` returned; an exception is raised to whoever asks again."""
        self._at_hand.keep(self._key, result)


class WorkError(NotAtHandError):
    """Not the disk but a processor would hold everybody up: decompression, decoding.

    Done on a thread of its own, one piece at a time, so that no read waits behind it.
    """


class AtHand:
    """What was loaded for one request. As a context manager: nothing inside waits for the disk."""

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
        """What was loaded, or the exception that came instead."""
        self._found[key] = result

    def find(self, key: Hashable) -> Any:
        """What was loaded; None if nothing was. Raises what loading raised."""
        found = self._found.get(key)
        if isinstance(found, BaseException):
            raise found
        return found

    def take(self, key: Hashable) -> Any:
        """The same, for what the asker keeps from now on: a second question needs the disk."""
        found = self.find(key)
        if found is not None:
            del self._found[key]
        return found

    def forget(self) -> None:
        """Whoever asked has its answer: nothing large stays behind."""
        self._found.clear()
