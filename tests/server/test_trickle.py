"""Records that are read as they are sent: what becomes of an answer that the disk does not give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from barnabas.broker.core.log.stored_records import StoredRecords
from barnabas.broker.core.ports import Buffer
from barnabas.broker.core.replication.wakeups import Wakeups
from barnabas.broker.server.trickle import Trickle


class Lent:
    """A place in a file that cannot be read."""

    is_cut = False

    def __init__(self, *, is_cached: bool) -> None:
        self._is_cached = is_cached

    def __len__(self) -> int:
        return 100

    def read_now(self, size: int, at: int) -> None:
        if self._is_cached:
            self.read(size, at)

    def read(self, size: int, at: int) -> bytes:
        raise OSError(5, f"planted, {size} from {at} on")


class Outlet:
    """A connection: what it sent, and why it was closed."""

    is_writable = True

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.reasons: list[str] = []

    def write_pieces(self, transport: object, pieces: list[bytes]) -> None:
        del transport
        self.sent += pieces

    def on_trickled(self) -> None:
        raise AssertionError("it is not all sent")

    def close(self, reason: str) -> None:
        self.reasons.append(reason)


@pytest.mark.parametrize("is_cached", [True, False])
def test_a_disk_that_does_not_give_what_is_being_sent(is_cached: bool) -> None:
    """P-14: the connection is closed, and the log goes offline, wherever the read happens (seed
    500994)."""
    outlet: Any = Outlet()
    failures: list[OSError] = []
    lent: Any = Lent(is_cached=is_cached)
    stored = StoredRecords(lent, 1, failures.append)

    def read_late(read: Callable[[], Buffer], done: Callable[[OSError], object]) -> None:
        try:
            read()
        except OSError as error:
            done(error)

    transport: Any = None
    trickle = Trickle(outlet, transport, read_late, lambda call: call())
    trickle.add([b"before", stored, b"after"])
    trickle.go_on()
    assert outlet.reasons == ["the disk does not give what was being sent"]
    assert [error.errno for error in failures] == [5]
    assert b"after" not in outlet.sent


def test_one_that_fails_keeps_nobody_asleep() -> None:
    """Goal: a bug in one fetch costs the others nothing."""
    woken: list[str] = []
    deferred: list[Callable[[], None]] = []
    wakeups = Wakeups(deferred.append)

    class Sleeper:
        def __init__(self, name: str) -> None:
            self.name = name

        def wake_up(self) -> None:
            woken.append(self.name)
            if self.name == "b":
                raise RuntimeError("planted")

    for name in "abcd":
        sleeper: Any = Sleeper(name)
        wakeups.add(sleeper)
    with pytest.raises(RuntimeError, match="planted"):
        deferred.pop()()
    assert woken == ["a", "b"]
    deferred.pop()()
    assert woken == ["a", "b", "c", "d"]
    assert deferred == []
