"""What a consumer wants of its membership, whichever protocol it is by."""

from __future__ import annotations

from typing import Protocol

from .values import CloseOption, Identity


class Membership(Protocol):
    """A member of a group; `run` is the task that keeps it one."""

    @property
    def identity(self) -> Identity:
        """Who this consumer is in a commit."""
        ...

    @property
    def is_joining(self) -> bool:
        """Whether a new generation is being decided on right now."""
        ...

    async def joined(self) -> None:
        """Wait until it is not."""
        ...

    def rejoin(self, reason: str) -> None:
        """Something that the group should know has changed, or the program wants a rebalance."""
        ...

    def on_commit(self, code: int, by: Identity) -> None:
        """A commit was refused, which may say that the membership is over."""
        ...

    async def run(self) -> None:
        """Be a member until cancelled; raises what ended it."""
        ...

    async def leave(self, option: CloseOption, reason: str) -> None:
        """Tell the group that this member goes, if `option` says so."""
        ...
