"""Which ways between the members of an in-process cluster are open.

A member is a node, by its number, or `CLIENTS`, which is everybody else. A way has a direction:
what A sends to B can be held back while what B sends arrives. No bytes are moved here; `relay.py`
asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Member = int | str

CLIENTS: Final = "clients"
"""All that connects and is no node of the cluster."""


class Links:
    """Cuts, pauses and deaths; those who hold bytes back are called when something opens."""

    def __init__(self) -> None:
        self._cuts: dict[tuple[Member, Member], None] = {}
        self._paused: dict[Member, None] = {}
        self._dead: dict[Member, None] = {}
        self._listeners: dict[Callable[[], object], None] = {}

    def is_open(self, source: Member, target: Member) -> bool:
        """Whether bytes from `source` reach `target` now."""
        if source in self._paused or target in self._paused:
            return False
        return (source, target) not in self._cuts

    def is_dead(self, member: Member) -> bool:
        """Whether the member was killed and not started again: its connections are refused."""
        return member in self._dead

    def cut(self, source: Member, target: Member) -> None:
        """From now on nothing that `source` sends reaches `target`."""
        self._cuts[source, target] = None

    def heal(self) -> None:
        """End all cuts; paused members stay paused."""
        self._cuts.clear()
        self._tell()

    def pause(self, member: Member) -> None:
        """The member receives and sends nothing."""
        self._paused[member] = None

    def resume(self, member: Member) -> None:
        """The member receives and sends what was held back."""
        self._paused.pop(member, None)
        self._tell()

    def is_paused(self, member: Member) -> bool:
        """Whether the member is paused."""
        return member in self._paused

    @property
    def paused(self) -> list[Member]:
        """All paused members."""
        return list(self._paused)

    def bury(self, member: Member) -> None:
        """The member is dead: connections that it still tries to open are refused."""
        self._paused.pop(member, None)
        self._dead[member] = None

    def revive(self, member: Member) -> None:
        """The member is alive again."""
        self._dead.pop(member, None)

    def add_listener(self, listener: Callable[[], object]) -> None:
        """Call `listener` whenever a way may have opened."""
        self._listeners[listener] = None

    def remove_listener(self, listener: Callable[[], object]) -> None:
        """Do not call `listener` any more."""
        self._listeners.pop(listener, None)

    def _tell(self) -> None:
        for listener in list(self._listeners):
            listener()
