"""What one seed simulates: sizes, faults, times and features, each drawn once.

Every knob of trouble is off in half of the seeds: a cluster under every fault at once makes no
progress and tests nothing. A profile is plain data and can be written, read, and changed by hand.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from random import Random
from typing import Any, Self


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """All knobs of a run. Rates are per node and simulated minute unless said otherwise."""

    family: str = ""
    """Whose rounds of faults are played (`families/`); empty: only what the knobs below ask for."""
    duration_s: float = 20.0
    """Time with workload and faults; the healed tail comes on top."""
    brokers: int = 3
    controllers: int = 0
    """Controllers on nodes of their own; 0: the first brokers are controllers too."""
    producers: int = 2
    consumers: int = 2
    pollers: int = 1
    probers: int = 0
    """Clients that ask odd questions and compare the answers with the rules."""
    poll_pause_s: float = 0.1
    """Mean time between two questions of a poller; after a long one it may ask an old leader."""
    topics: int = 1
    partitions: int = 3
    """Of each topic."""
    replication_factor: int = 3
    min_insync_replicas: int = 2
    sends_per_s: float = 20.0
    """Of each producer."""
    value_bytes_max: int = 200
    weak_producers: int = 0
    """So many of the producers have acks=1; 0: it is drawn for each."""
    request_timeout_ms: int = 3000
    """Of clients."""
    metadata_age_ms: int = 5000
    """Of every other client; the rest asks anew every five seconds only."""
    producer_life_s: float = 0.0
    """Mean time after which a producer ends and another one takes its place; 0: never."""
    churns_topics: bool = False
    """Whether an admin client creates and deletes topics all the time."""
    compacts: bool = False
    """Whether there is a compacted topic, and a client that keeps a table in it."""
    purges: bool = False
    """Whether an administrator deletes records from the beginning of the logs."""

    group_members: int = 0
    """Of each of two groups, one of each protocol, that read a topic of their own; 0: no groups."""
    hoarders: int = 0
    """Clients that have a node hold as much memory as they can; its limits are small then."""
    transactions: bool = False
    """Whether there are programs that write in transactions, and readers of what is committed."""

    delay_min_ms: float = 0.1
    delay_mean_ms: float = 0.3
    resets_per_min: float = 0.0
    """Connections of the whole cluster that are reset, with their last bytes delivered or not."""
    cuts_per_min: float = 0.0
    """Partitions of the network, of all kinds, in the whole cluster."""
    cut_s: float = 3.0
    kills: float = 0.0
    power_losses: float = 0.0
    pauses: float = 0.0
    pause_s: float = 2.0
    graceful_restarts: float = 0.0
    down_s: float = 2.0
    storm_probability: float = 0.0
    """How often a node that came back dies again at once."""
    disk_delay_ms: float = 0.5
    """Mean time of an fsync."""
    disk_stalls: float = 0.0
    stall_s: float = 1.0
    wipes: float = 0.0
    """A node comes back with an empty disk, or another disk, in the same slot."""
    old_copies: float = 0.0
    """A node comes back with its directory as it was some time ago, copied from a backup."""
    bit_rot: float = 0.0
    """A bit flips on the disk of a node that is down; later it gets an empty disk."""
    disk_errors: float = 0.0
    """Reads, writes or fsyncs fail for a while (EIO); then it is mended and the node restarted."""
    full_disks: float = 0.0
    """The same with a disk that has hardly any room left (ENOSPC)."""
    disk_trouble_s: float = 2.0
    client_crashes: float = 0.0
    """Of each client: producers come back with another id, consumers at their last position."""
    moves_per_min: float = 0.0
    """Reassignments of one partition to other brokers, in the whole cluster."""
    unregistrations: float = 0.0
    """Of each broker: it dies, is taken out of the cluster, and comes back."""
    clock_rate_spread: float = 0.0
    """0.05: clocks run up to 5 % fast or slow."""
    wall_jumps: float = 0.0

    timeouts_divisor: float = 1.0
    """Kafka's default timeouts are divided by this, so that timers race."""
    lag_divisor: float = 1.0
    """`replica.lag.time.max.ms` is divided by this once more."""
    snapshot_records: int = 16384
    cuts_metadata: bool = False
    """Whether the metadata log is cut behind each snapshot, so that others must download it."""
    segment_bytes: int = 1 << 20
    index_interval_bytes: int = 4096
    retention_bytes: int = -1
    retention_ms: int = -1
    retention_check_s: float = 300.0
    """Between two looks at what retention removes."""
    snapshot_chunk_bytes: int = 1 << 20
    """Most bytes of a snapshot in one answer."""
    leaves_behind: bool = False
    """Whether at the end a node is away until it can come back by a snapshot only (L-7)."""
    fetch_bytes: int = 1 << 20
    """Most bytes of a partition in an answer to a fetch, twice that in all; drawn so that followers
    can still copy faster than producers write."""
    flush_messages: int = 0
    """1: acknowledged means flushed (`flush.messages`); 0: Kafka's default, no fsync."""
    has_selector: bool = False
    keeps_pending_in_sync: bool = False
    fetch_session_slots: int = 1000
    buggify: bool = False

    @property
    def node_ids(self) -> range:
        return range(1, self.brokers + self.controllers + 1)

    @property
    def voters(self) -> list[int]:
        """Node ids of the controllers."""
        if self.controllers:
            return list(range(self.brokers + 1, self.brokers + self.controllers + 1))
        return [1, 2, 3] if self.brokers >= 3 else [1]

    def replaced(self, **changes: Any) -> Self:
        """The same with some knobs changed."""
        return dataclasses.replace(self, **changes)

    def to_json(self) -> str:
        """Knobs by name."""
        return json.dumps(dataclasses.asdict(self), indent=1)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Raises ValueError for a knob that is not known."""
        knobs = json.loads(text)
        known = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(knobs) - known)
        if unknown:
            raise ValueError(f"unknown knobs: {', '.join(unknown)}; there are {sorted(known)}")
        return cls(**knobs)

    def differences(self, other: Profile) -> dict[str, Any]:
        """Knobs of this profile that `other` has otherwise."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != getattr(other, field.name)
        }


QUIET = Profile()
"""No faults at all: what reduction goes back to, knob by knob."""


def draw(seed: int, *, duration_s: float = 20.0, brokers: int | None = None) -> Profile:
    """The profile of a seed; every knob of trouble is off half of the time, or more."""
    random = Random(f"profile {seed}")

    def sometimes(low: float, high: float) -> float:
        return round(random.uniform(low, high), 3) if random.random() < 0.5 else 0.0

    def rarely(low: float, high: float) -> float:
        return round(random.uniform(low, high), 3) if random.random() < 0.25 else 0.0

    count = random.choice((3, 3, 3, 4, 5)) if brokers is None else brokers
    replication_factor = min(random.choice((1, 2, 3, 3, 3)), count)
    divisor = random.choice((1.0, 3.0, 10.0))
    return Profile(
        duration_s=duration_s,
        brokers=count,
        controllers=random.choice((0, 0, 3, 1)) if count >= 3 else 0,
        producers=random.randint(1, 3),
        consumers=random.randint(1, 3),
        pollers=random.randint(1, 2),
        probers=1,
        topics=random.randint(1, 2),
        partitions=random.choice((1, 2, 3, 6)),
        replication_factor=replication_factor,
        min_insync_replicas=random.randint(1, max(1, replication_factor - 1)),
        sends_per_s=random.choice((5.0, 20.0, 50.0)),
        churns_topics=random.random() < 0.3,
        delay_min_ms=random.choice((0.05, 0.1, 1.0)),
        delay_mean_ms=random.choice((0.2, 0.5, 2.0, 15.0 / divisor)),
        resets_per_min=sometimes(1, 30),
        cuts_per_min=sometimes(2, 10),
        cut_s=round(random.expovariate(1 / 4.0) + 0.05, 3),
        kills=sometimes(0.5, 4),
        power_losses=sometimes(0.5, 2),
        pauses=sometimes(0.5, 4),
        pause_s=round(random.expovariate(1 / 3.0) + 0.05, 3),
        graceful_restarts=sometimes(0.5, 3),
        down_s=round(random.expovariate(1 / 2.0) + 0.02, 3),
        storm_probability=sometimes(0.1, 0.5),
        disk_delay_ms=random.choice((0.2, 1.0, 5.0)),
        disk_stalls=sometimes(0.5, 3),
        stall_s=round(random.expovariate(1 / 1.5) + 0.05, 3),
        clock_rate_spread=sometimes(0.01, 0.05),
        wall_jumps=sometimes(0.5, 2),
        timeouts_divisor=divisor,
        snapshot_records=random.choice((20, 100, 500, 16384)),
        segment_bytes=random.choice((2048, 16384, 1 << 20)),
        index_interval_bytes=random.choice((64, 1024, 4096)),
        retention_bytes=random.choice((-1, -1, 20_000)),
        flush_messages=random.choice((0, 0, 1)),
        has_selector=random.random() < 0.5,
        keeps_pending_in_sync=random.random() < 0.5,
        fetch_session_slots=random.choice((0, 1, 2, 1000)),
        buggify=random.random() < 0.5,
        producer_life_s=sometimes(1, 10),
        cuts_metadata=random.random() < 0.5,
        wipes=rarely(0.3, 1.0),
        old_copies=rarely(0.3, 1.0),
        disk_errors=rarely(0.3, 1.5),
        full_disks=rarely(0.3, 1.0),
        disk_trouble_s=round(random.expovariate(1 / 2.0) + 0.05, 3),
        client_crashes=sometimes(1, 6),
        moves_per_min=rarely(3, 20),
        unregistrations=rarely(0.2, 0.8),
        retention_ms=random.choice((-1, -1, -1, 1500, 6000)),
        retention_check_s=random.choice((1.0, 4.0, 300.0)),
        snapshot_chunk_bytes=random.choice((512, 4096, 1 << 20)),
        leaves_behind=random.random() < 0.15,
        fetch_bytes=random.choice((2000, 8000, 1 << 20, 1 << 20)),
    )
