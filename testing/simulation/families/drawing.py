"""What a seed draws first: its family; then all that the family leaves open."""

from __future__ import annotations

from random import Random

from barnabas.testing.simulation.faults import Schedule, draw_schedule
from barnabas.testing.simulation.profile import QUIET, Profile, draw

from . import cluster, replication
from .family import Family, Knobs

ANY = "any"
"""All knobs of a run drawn on their own, and no skeleton (`profile.draw`)."""

FAMILIES: dict[str, Family] = {
    family.name: family for family in (*replication.FAMILIES, *cluster.FAMILIES)
}

ANY_OF_100 = 20
"""So many of a hundred seeds are of no family."""

COMPACTS_OF_100 = 30
"""So many have a compacted topic."""

TRANSACTIONS_OF_100 = 35
"""So many have programs that write in transactions."""

BIT_ROT_OF_100 = 10
"""So many have disks that rot."""

BIT_ROT_PER_MIN = 4.0
"""Of each of their nodes; one that is not in sync is left alone."""

HOARDERS_OF_100 = 12
"""So many have clients that hoard."""

HOARDERS = 4

PURGES_OF_100 = 20
"""So many have an administrator who deletes records."""

GROUP_MEMBERS = (2, 2, 2, 3)
"""Of each group, in every seed."""


def draw_run(seed: int, *, family: str = "") -> Profile:
    """The profile of a seed, of the family that it draws or of `family`."""
    random = Random(f"family {seed}")
    drawn = random.choice(sorted(FAMILIES))
    if random.randrange(100) < ANY_OF_100:
        drawn = ANY
    name = family or drawn
    compacts = Random(f"compaction {seed}").randrange(100) < COMPACTS_OF_100
    members = Random(f"groups {seed}").choice(GROUP_MEMBERS)
    transactions = Random(f"transactions {seed}").randrange(100) < TRANSACTIONS_OF_100
    rots = Random(f"bit rot {seed}").randrange(100) < BIT_ROT_OF_100
    hoards = Random(f"memory {seed}").randrange(100) < HOARDERS_OF_100
    purges = Random(f"deletions {seed}").randrange(100) < PURGES_OF_100
    always: Knobs = {
        "bit_rot": BIT_ROT_PER_MIN if rots else 0.0,
        "compacts": compacts,
        "group_members": members,
        "hoarders": HOARDERS if hoards else 0,
        "purges": purges,
        "transactions": transactions,
    }
    if name == ANY:
        return draw(seed).replaced(**always)
    if name not in FAMILIES:
        raise ValueError(f"no family {name!r}; there are {ANY}, {', '.join(FAMILIES)}")
    knobs = FAMILIES[name].knobs(random)
    return QUIET.replaced(family=name, **always, **knobs)


def draw_faults(profile: Profile, seed: int) -> Schedule:
    """The faults that the knobs ask for, and those of the family."""
    schedule = draw_schedule(profile, seed)
    family = FAMILIES.get(profile.family)
    if family is None:
        return schedule
    random = Random(f"rounds {seed}")
    return Schedule(tuple(sorted((*schedule.faults, *family.faults(random, profile)))))
