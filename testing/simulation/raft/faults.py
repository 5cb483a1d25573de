"""What goes wrong in a run, and what clients and administrators ask for meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log
from random import Random
from typing import Final

from barnabas.broker.core.raft.messages import AddVoter, RemoveVoter, ReplicaKey
from barnabas.broker.core.raft.voters import Voter, VoterAddress, Voters

from .cluster import Cluster
from .machine import NOBODY_ASKED, Machine
from .oracle import InvariantError

RECORDS_MAX: Final = 4
BACKLOG_MAX: Final = 200
"""Records that clients have under way before they wait."""
LEADER_DIES_SHARE: Final = 0.7
"""Of damages: those after which the leader dies at once."""
RAISES_SHARE: Final = 0.5
"""Of quorums with configured voters: those in which somebody asks for voters of the log."""
RAISES_EVERY: Final = 2.0
"""Fetch time-outs between two times that he asks."""
_QUORUM_PATIENCE: Final = 3.0
"""Fetch time-outs after which a leader without its majority must have stood down (1.5, and room
for messages that were on their way)."""


class Faults:
    """Keeps injecting until `stop` is called."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.random = cluster.random
        self.is_on = True
        self.payload = 0
        self.damages = Random(f"damages {cluster.seed}")
        self.generations: dict[int, int] = {}
        profile = cluster.profile
        self._repeat(profile.append_ms, self.append)
        self._repeat(profile.fetch_ms / 2, self.check_leaders)
        for rate, fault in (
            (profile.cut_rate, self.cut),
            (profile.heal_rate, self.heal),
            (profile.kill_rate, self.kill),
            (profile.pause_rate, self.pause),
            (profile.disk_stall_rate, self.stall_disk),
            (profile.wipe_rate, self.wipe),
            (profile.membership_rate, self.change_voters),
            (profile.resign_rate, self.resign),
            (profile.stop_rate, self.stop_politely),
            (profile.raise_rate, self.raise_start),
        ):
            if rate:
                self._repeat(1000.0 / rate, fault)
        if profile.damage_rate:
            self._damage_later(0.0)
        if cluster.static is not None and self.random.random() < RAISES_SHARE:
            self._repeat(RAISES_EVERY * profile.fetch_ms, self.raise_level)

    def _repeat(self, mean_ms: float, call: Callable[[float], None]) -> None:
        def again(now: float) -> None:
            if self.is_on or call in (self.append, self.check_leaders):
                call(now)
                # An exponential pause; `expovariate` says the same with one more call.
                self.cluster.at(now - log(1.0 - self.random.random()) * mean_ms, None, again)

        self.cluster.at(self.random.expovariate(1.0 / mean_ms), None, again)

    def _any(self, machines: list[Machine]) -> Machine | None:
        return self.random.choice(machines) if machines else None

    def _up(self) -> list[Machine]:
        now = self.cluster.now
        return [
            one for one in self.cluster.machines.values() if one.is_up and one.paused_until <= now
        ]

    # Work -----------------------------------------------------------------------------------

    def append(self, now: float) -> None:
        """Every node that believes to lead gets records."""
        for machine in self.cluster.machines.values():
            # Most have never led: asking them costs more than all that follows.
            if machine.led_since_ms == inf or not machine.is_up or machine.paused_until > now:
                continue
            raft = machine.raft
            if raft.is_leader and machine.log.end_offset - raft.high_watermark < BACKLOG_MAX:
                self.payload += 1
                machine.append(self.payload, 1 + self.payload % RECORDS_MAX, now)

    def check_leaders(self, now: float) -> None:
        """595-07: nobody leads for long without its majority."""
        fetch_ms = self.cluster.profile.fetch_ms
        for machine in self._up():
            raft = machine.raft
            if not raft.is_leader:
                continue
            times = [
                machine.heard_ms.get(one.voter_id, 0.0)
                for one in raft.voters.members
                if one.voter_id != machine.node_id
            ]
            if raft.is_voter:
                times.append(now)
            times.sort(reverse=True)
            heard = times[len(times) // 2]
            if machine.counted_voters != raft.voters:  # then another majority counts from now on
                machine.counted_voters, machine.counted_since_ms = raft.voters, now
            led_since = max(machine.led_since_ms, machine.counted_since_ms)
            since = max(heard, led_since, machine.paused_until)
            if now - since > _QUORUM_PATIENCE * fetch_ms:
                raise InvariantError(
                    f"595-07: node {machine.node_id} leads epoch {raft.epoch} without a majority"
                )

    def raise_start(self, now: float) -> None:
        """The leader cleans its log."""
        machine = self._any([one for one in self._up() if one.raft.is_leader])
        if machine is not None and machine.log.ids:
            machine.raise_log_start(self.random.choice(machine.log.ids), now)

    def resign(self, now: float) -> None:
        """A leader is asked to stand down."""
        machine = self._any([one for one in self._up() if one.raft.is_leader])
        if machine is not None:
            machine.raft.resign(machine.raft.epoch, now)
            machine.settle(now)

    # Network --------------------------------------------------------------------------------

    def cut(self, now: float) -> None:
        """One direction, one node, or two halves."""
        ids = list(self.cluster.machines)
        kind = self.random.random()
        if kind < 0.3:
            pairs = [(self.random.choice(ids), self.random.choice(ids))]
        elif kind < 0.7:
            alone = self.random.choice(ids)
            pairs = [pair for one in ids for pair in ((alone, one), (one, alone))]
        else:
            half = {one for one in ids if self.random.random() < 0.5}
            pairs = [(a, b) for a in ids for b in ids if (a in half) != (b in half)]
        self.cluster.blocked.update(pairs)

    def heal(self, now: float) -> None:
        """All links work again."""
        self.cluster.blocked.clear()

    # Nodes ----------------------------------------------------------------------------------

    def _restart_later(self, machine: Machine, now: float) -> None:
        pause = self.random.expovariate(1.0 / self.cluster.profile.restart_ms)
        self.cluster.at(now + pause, None, self.cluster.boot, machine)

    def kill(self, now: float) -> None:
        """A process dies, or the power of one node or of all goes."""
        machine = self._any(self._up())
        if machine is None:
            return
        is_power_loss = self.random.random() < self.cluster.profile.power_loss_share
        victims = self._up() if is_power_loss and self.random.random() < 0.1 else [machine]
        for victim in victims:
            victim.kill(now, is_power_loss=is_power_loss)
            self._restart_later(victim, now)

    def pause(self, now: float) -> None:
        """A process stands still."""
        machine = self._any(self._up())
        if machine is not None:
            mean = 2.0 * self.cluster.profile.fetch_ms
            machine.paused_until = now + self.random.expovariate(1.0 / mean)

    def stall_disk(self, now: float) -> None:
        """A disk makes nothing durable for a while."""
        machine = self._any(self._up())
        if machine is not None:
            mean = 2.0 * self.cluster.profile.fetch_ms
            machine.disk_stalled_until = now + self.cluster.stalls.expovariate(1.0 / mean)

    def stop_politely(self, now: float) -> None:
        """A graceful stop: the leader names successors, then the process ends."""
        machine = self._any(self._up())
        if machine is not None:
            machine.raft.stop(now)
            machine.settle(now)
            machine.kill(now, is_power_loss=False)
            self._restart_later(machine, now)

    # Voters ---------------------------------------------------------------------------------

    def _lost(self, voters: Voters) -> list[Voter]:
        """Voters whose disk exists no more."""
        machines = self.cluster.machines
        return [
            one
            for one in voters.members
            if one.voter_id not in machines or machines[one.voter_id].directory != one.directory_id
        ]

    def _voter_sets(self) -> list[Voters]:
        """Every set that some node goes by."""
        found = []
        for machine in self.cluster.machines.values():
            known = [it.control for it in machine.log.controls() if isinstance(it.control, Voters)]
            found += known[-2:]
            if machine.is_up:
                found.append(machine.raft.voters)
        return [one for one in found if one.members]

    def wipe(self, now: float) -> None:
        """A node loses its disk, if every voter set can bear it."""
        machine = self._any(self._up())
        if machine is None:
            return
        for voters in self._voter_sets():
            if not voters.has(machine.node_id, machine.directory):
                continue
            damaged = sum(1 for one in self.cluster.machines.values() if one.lacks_records)
            if len(self._lost(voters)) + damaged + 1 > (len(voters.members) - 1) // 2:
                return
        machine.kill(now, is_power_loss=True)
        generation = self.generations.get(machine.node_id, 0) + 1
        self.generations[machine.node_id] = generation
        machine.wipe(self.cluster.directory_of(machine.node_id, generation))
        self._restart_later(machine, now)

    def _damage_later(self, now: float) -> None:
        mean_ms = 1000.0 / self.cluster.profile.damage_rate
        self.cluster.at(now + self.damages.expovariate(1.0 / mean_ms), None, self.damage)

    def damage(self, now: float) -> None:
        """What a node has on its disk can be read no more, in part, if the others can bear it.

        It comes back soon, and often the leader dies, so that it is asked for its vote.
        """
        if self.is_on:
            self._damage_later(now)
            up = self._up()
            machine = self.damages.choice(up) if up else None
            if machine is not None and self._can_bear_damage(machine):
                machine.kill(now, is_power_loss=True)
                machine.damage(self.damages.randrange(machine.log.synced_count + 1))
                self.cluster.at(now + 1.0, None, self.cluster.boot, machine)
                if self.damages.random() < LEADER_DIES_SHARE:
                    self._kill_leaders(now)

    def _kill_leaders(self, now: float) -> None:
        for leader in self.cluster.leaders():
            leader.kill(now, is_power_loss=False)
            pause = self.damages.uniform(1.0, 10.0) * self.cluster.profile.election_ms
            self.cluster.at(now + pause, None, self.cluster.boot, leader)

    def _can_bear_damage(self, machine: Machine) -> bool:
        """Whether a majority of every voter set has kept all that it ever had."""
        machines = self.cluster.machines
        damaged = {one.node_id for one in machines.values() if one.lacks_records} | {
            machine.node_id
        }
        for voters in self._voter_sets():
            gone = {one.voter_id for one in self._lost(voters)} | (damaged & {*voters.ids})
            if len(gone) > (len(voters.members) - 1) // 2:
                return False
        return True

    def raise_level(self, now: float) -> None:
        """853-01: kraft.version 1 is asked for, whether it can be had or not."""
        machine = self._any([one for one in self._up() if one.raft.is_leader])
        if machine is None or machine.raft.kraft_version > 0:
            return
        if machine.raft.kraft_version_obstacle(1) is not None:
            return
        machine.raft.raise_kraft_version(1, machine.raft.epoch, now)
        machine.settle(now)

    def change_voters(self, now: float) -> None:
        """Add a controller that is no voter, or remove a voter; those without a disk first.

        Not while a voter abstains: of the voters that remain it could be one too many.
        """
        if any(one.lacks_records for one in self.cluster.machines.values()):
            return
        leaders = [one for one in self._up() if one.raft.is_leader]
        machine = self._any(leaders)
        if machine is None:
            return
        voters = machine.raft.voters
        lost = self._lost(voters)
        outside = [one for one in self.cluster.machines.values() if one.node_id not in voters.ids]
        if lost:
            gone = self.random.choice(lost)
            key = ReplicaKey(gone.voter_id, gone.directory_id)
            request: AddVoter | RemoveVoter = RemoveVoter(None, key)
        elif outside and self.random.random() < 0.6:
            new = self.random.choice(outside)
            port = 9000 + new.node_id
            address = VoterAddress("CONTROLLER", f"node{new.node_id}", port)
            voter = Voter(new.node_id, new.directory, (address,))
            request = AddVoter(None, self.cluster.profile.fetch_ms, voter)
        else:
            gone = self.random.choice(voters.members)
            request = RemoveVoter(None, ReplicaKey(gone.voter_id, gone.directory_id))
        machine.on_request(NOBODY_ASKED, 0, 0, request, now)
