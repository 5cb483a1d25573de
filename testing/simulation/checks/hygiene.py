"""I-30: what nobody may leave behind: unhandled exceptions, bugs in logs, parked requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from barnabas.testing.simulation.hooks import HookBus, InvariantError
from barnabas.testing.simulation.incarnation import CURRENT, Incarnation

if TYPE_CHECKING:
    from barnabas.testing.simulation.machines import Machines


class Hygiene:
    """Collects the nodes' log lines, and looks around at the end."""

    def __init__(self, bus: HookBus) -> None:
        self._bus = bus
        self.lines = 0
        bus.listen_to_lines(self._on_log)

    def _on_log(self, level: str, event: str, fields: dict[str, object]) -> None:
        """A line of a node's log; an unexpected error is a bug."""
        self.lines += 1
        error = fields.get("error", "")
        shown = {name: value for name, value in fields.items() if name != "exc_info"}
        self._bus.note(f"{owner_name()} log {level}: {event} {shown}")
        if level == "error" and "exc_info" in fields:
            cause = fields["exc_info"]
            self._bus.fail(InvariantError("I-30", f"{event}: {error} {where_of(cause)}"))

    def on_standstill(self, owner: Incarnation, seconds: float, kind: str) -> None:
        """A callback of a node worked for longer than anybody may: its loop stood still."""
        if owner.node.startswith("node-"):
            self._bus.fail(
                InvariantError(
                    "CPU", f"{owner.node}#{owner.number} works {seconds:.1f} s in one go: {kind}"
                )
            )

    def check_unhandled(self, machines: Machines) -> None:
        """Exceptions that no task's owner ever looked at."""
        for context in machines.loop.unhandled:
            error = context.get("exception")
            raise InvariantError(
                "I-30", f"unhandled: {context.get('message')} {error!r} {where_of(error)}"
            )

    def check_quiet(self, machines: Machines) -> None:
        """Without clients nobody waits: no parked consumer fetch, no unexpected error counted."""
        for machine in machines.running:
            assert machine.node is not None
            unexpected = machine.node.metrics.unexpected_errors
            if unexpected:
                raise InvariantError("I-30", f"{machine.name}: {unexpected} unexpected errors")
            if machine.is_broker:
                for partition in machine.node.broker.replicas:
                    check_pending(machine.name, partition)


def check_pending(node: str, partition: Any) -> None:
    """I-11: what counts as pending is what followers have open, two requests each at most."""
    leader = partition.leader
    if leader is None:
        return
    open_at_most = 2 * len(leader.followers)
    if leader.pending_count > open_at_most:
        raise InvariantError(
            "I-11",
            f"{node} {partition.topic}-{partition.index}: {leader.pending_count} fetches are"
            f" pending, its followers can have {open_at_most} open",
        )


def owner_name() -> str:
    """Whose code runs now."""
    owner = CURRENT.get()
    return "simulator" if owner is None else f"{owner.node}#{owner.number}"


def where_of(error: object) -> str:
    """Where an exception was raised: the last frames of its traceback."""
    trace = getattr(error, "__traceback__", None)
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " < ".join(reversed(frames[-6:]))
