"""A slot for a node: its disk and clocks stay, its incarnations come and go.

Starting never waits: a node that cannot start yet (no quorum) goes on trying inside. The slot
keeps what a supervisor would: a node that ended by itself is started again after a pause.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from barnabas.broker.core.ports import Env
from barnabas.broker.node import Node

from .clock import SimulatedClock
from .disk import SimulatedDisk
from .hooks import HookBus, InvariantError, NodeHooks
from .incarnation import Incarnation
from .loop import OrderedTask, SimulatedLoop
from .network import SimulatedNetwork
from .node_log import NodeLog

if TYPE_CHECKING:
    from barnabas.broker.core.config.broker import BrokerConfig

RESTART_PAUSE_S = 1.0
STOP_TIMEOUT_S = 90.0
STOP_LOOK_S = 0.25
SETTLE_S = 1.0
"""Time for the loose ends of a node that was stopped: closing connections, cancelled tasks."""


@dataclass(slots=True)
class Surroundings:
    """What the machines of one run share."""

    loop: SimulatedLoop
    network: SimulatedNetwork
    bus: HookBus
    random: Random
    armed: Callable[[str], bool]
    """Whether a buggify point makes trouble in this run."""


class Machine:
    """One host with a disk on which a node runs, or not."""

    def __init__(self, config: BrokerConfig, around: Surroundings) -> None:
        self.config = config
        self.node_id = config.node_id
        self.name = f"node-{config.node_id}"
        self.disk = SimulatedDisk(Random(around.random.getrandbits(64)), forgets_directories=True)
        for directory in config.log_dirs:  # made when the machine was set up
            self.disk.set_up_directory(directory)
        self.clock = SimulatedClock(around.loop)
        self.incarnation: Incarnation | None = None
        self.node: Node | None = None
        """The node while it runs, from the moment that `Node.start` returned."""
        self.lives = 0
        self.wanted = False
        """Whether this machine should run a node: a supervisor's view."""
        self.failed_starts: list[str] = []
        self.paused_until_s = 0.0
        """When its last pause ended, or ends."""
        self._around = around

    def __repr__(self) -> str:
        return f"<{self.name} {'up' if self.is_up else 'down'}>"

    @property
    def is_broker(self) -> bool:
        return self.config.is_broker

    @property
    def is_up(self) -> bool:
        """A process runs, started or still starting."""
        return self.incarnation is not None

    @property
    def is_paused(self) -> bool:
        return self.incarnation is not None and self.incarnation.paused_until is not None

    # --- life ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Start a node, if none runs."""
        self.wanted = True
        if self.incarnation is not None:
            return
        around = self._around
        self.lives += 1
        incarnation = Incarnation(self.name, self.lives, clock_rate=self.clock.rate)
        self.incarnation = incarnation
        random = Random(around.random.getrandbits(64))
        hooks = NodeHooks(around.bus, incarnation, random, around.armed)
        env = Env(self.clock, self.disk, random, hooks)
        around.bus.note(f"{self.name}#{self.lives} starts")
        task = around.loop.spawn(incarnation, self._run(env))
        task.add_done_callback(lambda done: self._ended(incarnation, done))

    async def _run(self, env: Env) -> None:
        """A node's whole life, inside its incarnation; ends when the node gives up."""
        node = await Node.start(self.config, env, NodeLog(self._around.bus))
        self.node = node
        assert env.hooks is not None
        env.hooks.on("started", node=node)
        await node.failed.wait()
        await node.stop()

    def _ended(self, incarnation: Incarnation, task: asyncio.Task[None]) -> None:
        # Looked at in any case: who is killed in the moment of giving up leaves nothing unsaid.
        error = None if task.cancelled() else task.exception()
        if incarnation.is_dead or incarnation is not self.incarnation:
            return
        self._around.bus.note(f"{incarnation} ended by itself: {error!r}")
        if error is not None:
            self.failed_starts.append(repr(error))
            if not isinstance(error, Exception) or isinstance(error, AssertionError):
                self._around.bus.fail(InvariantError("I-30", f"{self.name} died of {error!r}"))
        self._die(silently=False)
        self._around.loop.call_later(RESTART_PAUSE_S, self._start_again)

    def _start_again(self) -> None:
        if self.wanted:
            self.start()

    def kill(self, *, silently: bool = False) -> None:
        """SIGKILL: what was written stays in the page cache; nothing of the node runs again."""
        self.wanted = False
        if self.incarnation is not None:
            self._around.bus.note(f"{self.incarnation} killed")
            self._die(silently=silently, lingers=not silently)

    def lose_power(self) -> None:
        """Like a kill, and what was not synced is lost, or torn; peers hear nothing."""
        self.wanted = False
        if self.incarnation is not None:
            self._around.bus.note(f"{self.incarnation} lost power")
            self._die(silently=True)
        self.disk.lose_power()

    def _tell(self, incarnation: Incarnation, event: str) -> None:
        told = {"log_dirs": self.config.log_dirs}
        self._around.bus.tell(self.name, incarnation.number, event, told)

    def _die(self, *, silently: bool, lingers: bool = False) -> None:
        incarnation = self.incarnation
        assert incarnation is not None
        self._tell(incarnation, "ended")
        self.incarnation = self.node = None
        self._around.loop.crash(incarnation)
        self._around.network.reset_all_of(incarnation, silently=silently, lingers=lingers)

    def pause(self, seconds: float) -> None:
        """SIGSTOP and SIGCONT: nothing of the node runs for a while."""
        if self.incarnation is not None:
            self._around.bus.note(f"{self.incarnation} paused for {seconds:.3f} s")
            self._around.loop.pause(self.incarnation, seconds)
            self.paused_until_s = max(self.paused_until_s, self._around.loop.now + seconds)

    async def stop(self) -> None:
        """SIGTERM, and SIGKILL if that does not end it (systemd's 90 seconds)."""
        self.wanted = False
        incarnation, node = self.incarnation, self.node
        if incarnation is None:
            return
        if node is None:
            self.kill()  # a process that is still starting has no clean way out yet
            return
        self._around.bus.note(f"{incarnation} stops")
        self.node = None
        task = self._around.loop.spawn(incarnation, node.stop())
        deadline_s = self._around.loop.now + STOP_TIMEOUT_S
        # Whoever is killed while it stops never comes to an end of its own.
        while not task.done() and not incarnation.is_dead:
            if self._around.loop.now >= deadline_s:
                break
            await asyncio.wait([task], timeout=STOP_LOOK_S)
        done = task.done()
        if incarnation.is_dead:
            return
        if done and task.exception() is not None:
            error = task.exception()
            self._around.bus.fail(InvariantError("I-30", f"{self.name}: stop raised {error!r}"))
        elif done:
            self._tell(incarnation, "stopped")
        await asyncio.sleep(SETTLE_S if done else 0)
        if incarnation.is_dead:
            return
        if done:
            self._around.bus.check(lambda: self._check_nothing_left(incarnation))
        self._around.bus.note(f"{incarnation} {'stopped' if done else 'did not stop in time'}")
        self._die(silently=False)

    def _check_nothing_left(self, incarnation: Incarnation) -> None:
        """I-30: a node that stopped in good order leaves no task behind."""
        left = [
            task.get_name() + " " + str(task.get_coro())
            for task in asyncio.all_tasks(self._around.loop)
            if isinstance(task, OrderedTask) and task.owner is incarnation and not _waits(task)
        ]
        if left:
            raise InvariantError("I-30", f"{incarnation} stopped, but these go on: {sorted(left)}")


def _waits(task: asyncio.Task[Any]) -> bool:
    """The simulator's own task that waits for the node to fail."""
    return "Machine._run" in str(task.get_coro())
