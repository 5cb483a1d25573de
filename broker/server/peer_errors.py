"""How a call to another node fails."""

from __future__ import annotations


class PeerError(Exception):
    """A call to another node brought no answer; the text says why."""


class PeerUnavailableError(PeerError):
    """Nobody listens there, the connection was lost, or no address is known."""


class PeerRefusedError(PeerUnavailableError):
    """Nobody listens there: the node's process is not running."""


class PeerTimeoutError(PeerError):
    """The answer did not come in time; that connection is closed."""


class UnsupportedPeerError(PeerError):
    """The peer serves no version of this API that we can use."""


def is_refused(error: PeerError) -> bool:
    """Whether the node's process does not run."""
    return isinstance(error, PeerRefusedError)


def is_lost(error: PeerError) -> bool:
    """Whether a connection ended, rather than that an answer was late."""
    return isinstance(error, PeerUnavailableError) and not isinstance(error, PeerTimeoutError)
