"""What the active controller does when nobody asks; it has timers only while it reigns.

- Brokers whose sessions are over are fenced, at the next end of a session.
- A no-op record after `metadata.max.idle.interval.ms` without another, if other nodes read the log,
  or sooner: by younger records alone leaders know that their metadata is fresh (207-09), and each
  of them must see several while its lease lasts.
- Leaderships go back to preferred replicas, every `leader.imbalance.check.interval.seconds`.
- Unclean elections where topics allow them (966-05), every `unclean.leader.election.interval.ms`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from ...core.cluster import commands
from ...core.cluster.commands import Command
from ...core.cluster.partition_commands import BalanceLeaders, ElectUncleanLeaders
from ...core.config.broker import BrokerConfig
from ...core.ports import Env
from ...observe.logging import Logger
from .controller_service import ControllerService
from .reign import Reign

LATE_MS: Final = 100
"""A timer that is later than this shows that this process did not run: heartbeats wait unread."""

LATE_MAX: Final = 5
"""So often in a row; in between what waited was read. Else a controller that is always late would
never miss anybody."""

STILL_MS: Final = 1000
"""Who is that late stood still, and must forgive that each time."""

PAUSE_MS: Final = 20
"""The least time between two looks at sessions, and between two parts of a long balancing."""

NO_OPS_PER_LEASE: Final = 4
"""A leader's metadata is up to two of these pauses old when all is well, and a little more."""

EARLY_MS: Final = 1.0
"""A timer may be that much before its time; what is left then may be less than a clock can tell."""


class Periodic:
    """See the module. It is started at the beginning of a reign, and stopped at its end."""

    def __init__(
        self,
        service: ControllerService,
        config: BrokerConfig,
        env: Env,
        log: Logger,
        has_readers: Callable[[], bool],
    ) -> None:
        """`has_readers` says whether other nodes read the metadata log."""
        self._service = service
        self._config = config
        self._env = env
        self._clock = env.clock
        self._log = log
        self._has_readers = has_readers
        self._loop = asyncio.get_running_loop()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._late_in_a_row = 0

    def on_reign(self, reign: Reign | None) -> None:
        """A reign of this node has begun, or with None ended."""
        self.stop()
        if reign is None:
            return
        config = self._config
        self.look_at_sessions()
        self._after("no-op", self._idle_ms, self._write_no_op)
        if config.auto_leader_rebalance_enable:
            self._after("balance", self._balance_ms, self._balance)
        self._after("unclean", config.unclean_leader_election_interval_ms, self._elect_unclean)

    def stop(self) -> None:
        """Stop all timers."""
        timers, self._timers = self._timers, {}
        for timer in timers.values():
            timer.cancel()

    def _after(self, name: str, delay_ms: float, work: Callable[[], object]) -> None:
        before = self._timers.get(name)
        if before is not None:
            before.cancel()
        self._timers[name] = self._loop.call_later(delay_ms / 1000.0, work)

    # --- sessions -----------------------------------------------------------------------------

    def look_at_sessions(self) -> None:
        """Find out when the next session ends, and look again then."""
        reign = self._service.reign
        if reign is None:
            return
        now_ms = self._clock.monotonic_ms()
        longest_ms = self._config.broker_session_timeout_ms / 2
        expiry_ms = reign.controller.sessions.next_expiry_ms(reign.controller.image)
        delay_ms = longest_ms if expiry_ms is None else min(expiry_ms - now_ms, longest_ms)
        delay_ms = max(delay_ms, PAUSE_MS)
        self._after("sessions", delay_ms, lambda: self._expire(now_ms + delay_ms))

    def _expire(self, due_ms: float) -> None:
        late_ms = self._clock.monotonic_ms() - due_ms
        is_late = late_ms > LATE_MS or self._env.maybe("sessions-late")
        self._late_in_a_row = self._late_in_a_row + 1 if is_late else 0
        if is_late and (self._late_in_a_row <= LATE_MAX or late_ms > STILL_MS):
            self._forgive(max(late_ms, PAUSE_MS))
            self.look_at_sessions()
            return
        fenced = self._service.submit_unwatched(commands.FenceExpired())
        if fenced:
            self._log.warning("brokers fenced: nothing was heard of them", brokers=list(fenced))
        self.look_at_sessions()

    def _forgive(self, span_ms: float) -> None:
        reign = self._service.reign
        if reign is not None:
            reign.controller.sessions.forgive(span_ms)

    # --- the rest -----------------------------------------------------------------------------

    @property
    def _idle_ms(self) -> float:
        lease_ms = self._config.leader_metadata_staleness_max_ms / NO_OPS_PER_LEASE
        return min(self._config.metadata_max_idle_interval_ms or lease_ms, lease_ms)

    def _write_no_op(self) -> None:
        reign = self._service.reign
        if reign is None:
            return
        interval_ms = self._idle_ms
        left_ms = interval_ms - (self._clock.monotonic_ms() - reign.last_append_ms)
        if left_ms < EARLY_MS:
            left_ms = interval_ms
            if self._has_readers():
                self._service.submit_unwatched(commands.WriteNoOp())
        self._after("no-op", left_ms, self._write_no_op)

    @property
    def _balance_ms(self) -> float:
        return self._config.leader_imbalance_check_interval_seconds * 1000.0

    def _balance(self) -> None:
        self._repeat("balance", BalanceLeaders(), self._balance_ms, self._balance)

    def _elect_unclean(self) -> None:
        interval_ms = self._config.unclean_leader_election_interval_ms
        self._repeat("unclean", ElectUncleanLeaders(), interval_ms, self._elect_unclean)

    def _repeat(
        self, name: str, command: Command[int], interval_ms: float, work: Callable[[], object]
    ) -> None:
        """Repeat soon while there was something to do, since one batch is limited."""
        moved = self._service.submit_unwatched(command)
        self._after(name, PAUSE_MS if moved else interval_ms, work)
