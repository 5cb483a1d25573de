"""The fault schedule: drawn once from the seed, then plain data that can be cut and replayed.

A target is a machine (`node-2`) or a role that is looked up when the time comes: `leader` (of some
partition), `follower`, `active-controller`, `any`. Every fault ends by itself after `seconds`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import NamedTuple, Self

from .profile import Profile

KINDS = (
    "kill",
    "power-loss",
    "pause",
    "stop",
    "cut",
    "reset",
    "stall",
    "wall-jump",
    "wipe",
    "old-copy",
    "bit-rot",
    "disk-error",
    "full-disk",
    "client-crash",
    "move",
    "unregister",
    "blackout",
)
DEADLY = frozenset(
    {"kill", "power-loss", "stop", "disk-error", "full-disk", "unregister", "blackout"}
)
"""Kinds whose node ends, or may end, and does not see to it that others have what it has."""

CUTS = ("isolate", "isolate-in", "isolate-out", "split", "bridge", "clients", "pair")
CUTS_OF_ROUNDS = (
    "isolate-reset",
    "isolate-reset-told",
    "follower-of-it",
    "to-leader",
    "followers-in",
    "clients-out",
    "controllers",
    "controllers-in",
    "controllers-out",
)
"""The cuts that families use; `cuts.py` says which links each takes away."""
DISK_ERRORS = ("read", "write", "fsync")
ROLES = ("leader", "leader", "active-controller", "follower", "any")
WALL_JUMP_MAX_MS = 3_600_000


class Fault(NamedTuple):
    """One fault of a schedule."""

    at_s: float
    kind: str
    target: str
    seconds: float
    detail: str = ""
    """Of a cut: its kind; of a wall-jump: milliseconds; of a disk-error: the kind of call."""
    number: int = 0
    """Drawn, so that later choices (which partition's leader) belong to the schedule."""

    def __str__(self) -> str:
        return f"{self.at_s:8.3f} {self.kind} {self.target} {self.seconds:.3f} s {self.detail}"


class Schedule(NamedTuple):
    """All faults of a run, by time."""

    faults: tuple[Fault, ...]

    def to_json(self) -> str:
        """The schedule as a list of lists."""
        return json.dumps([list(fault) for fault in self.faults])

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The schedule from such a list. Raises ValueError, TypeError if it is none."""
        return cls(tuple(Fault(*fault) for fault in json.loads(text)))

    def without(self, first: int, count: int) -> Schedule:
        """The same schedule without some of its faults."""
        return Schedule(self.faults[:first] + self.faults[first + count :])


def draw_schedule(profile: Profile, seed: int) -> Schedule:
    """The faults of a seed: each kind comes as often as the profile says, at random times."""
    random = Random(f"faults {seed}")
    minutes = profile.duration_s / 60.0
    nodes = len(profile.node_ids)
    clients = profile.producers + profile.consumers
    faults: list[Fault] = []
    for kind, rate, seconds in (
        ("kill", profile.kills * nodes, profile.down_s),
        ("power-loss", profile.power_losses * nodes, profile.down_s),
        ("pause", profile.pauses * nodes, profile.pause_s),
        ("stop", profile.graceful_restarts * nodes, profile.down_s),
        ("cut", profile.cuts_per_min, profile.cut_s),
        ("reset", profile.resets_per_min, 0.0),
        ("stall", profile.disk_stalls * nodes, profile.stall_s),
        ("wall-jump", profile.wall_jumps * nodes, 0.0),
        ("wipe", profile.wipes * nodes, profile.down_s),
        ("old-copy", profile.old_copies * nodes, profile.down_s),
        ("bit-rot", profile.bit_rot * nodes, profile.disk_trouble_s),
        ("disk-error", profile.disk_errors * nodes, profile.disk_trouble_s),
        ("full-disk", profile.full_disks * nodes, profile.disk_trouble_s),
        ("client-crash", profile.client_crashes * clients, profile.down_s),
        ("move", profile.moves_per_min, 0.0),
        ("unregister", profile.unregistrations * profile.brokers, profile.down_s),
    ):
        for at_s in _times(random, rate * minutes, profile.duration_s):
            faults += _draw(random, profile, kind, at_s, seconds)
    faults.sort()
    return Schedule(tuple(faults))


def _times(random: Random, expected: float, duration_s: float) -> Iterator[float]:
    if expected <= 0:
        return
    at_s = random.expovariate(expected / duration_s)
    while at_s < duration_s:
        yield round(at_s, 3)
        at_s += random.expovariate(expected / duration_s)


def _draw(
    random: Random, profile: Profile, kind: str, at_s: float, seconds: float
) -> Iterator[Fault]:
    role = random.choice(ROLES)
    target = f"node-{random.choice(profile.node_ids)}" if role == "any" else role
    # A fault that outlasts the run would only delay the healed end of it.
    lasting = round(min(random.uniform(0.3, 2.0) * seconds, profile.duration_s / 2), 3)
    detail = ""
    if kind == "cut":
        detail = random.choice(CUTS)
    elif kind == "wall-jump":
        detail = str(random.randint(-WALL_JUMP_MAX_MS, WALL_JUMP_MAX_MS))
    elif kind == "disk-error":
        detail = random.choice(DISK_ERRORS)
    fault = Fault(at_s, kind, target, lasting, detail, random.getrandbits(30))
    yield fault
    if kind in ("kill", "power-loss") and random.random() < profile.storm_probability:
        # The node dies again 0 to 200 ms into its recovery.
        again_s = round(at_s + lasting + random.uniform(0.0, 0.2), 3)
        yield Fault(again_s, kind, target, lasting, "", fault.number)
