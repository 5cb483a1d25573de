"""What members of groups were told, got, committed and found committed, as it happened.

The checks listen to it while the run goes on. A member's client is looked into where it sends and
where answers come in; nothing of what it does is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from barnabas.client import Consumer, TopicPartition
from barnabas.testing.simulation.loop import SimulatedLoop

UNKNOWN = -1
"""In place of a broker's id."""


def _listed(places: Mapping[TopicPartition, int]) -> str:
    return ", ".join(f"{where}: {number}" for where, number in sorted(places.items()))


class Told(NamedTuple):
    """An assignment that came to a member."""

    group: str
    member: str
    generation: int
    """Generation of a classic group, member epoch of a consumer group."""
    partitions: frozenset[TopicPartition]
    instance: str | None = None
    """Of a static member."""

    def __str__(self) -> str:
        listed = ", ".join(map(str, sorted(self.partitions)))
        return f"{self.group} {self.member} in {self.generation} has {listed or 'nothing'}"


class Handed(NamedTuple):
    """Records that a member's program got, one after the other."""

    group: str
    client: str
    where: TopicPartition
    first: int
    end: int
    """Behind the last one."""

    def __str__(self) -> str:
        return f"{self.client} got {self.where} {self.first} to {self.end}"


@dataclass(eq=False, slots=True)
class Commit:
    """One OffsetCommit of a member, and what it was told."""

    group: str
    member: str
    generation: int
    offsets: Mapping[TopicPartition, int]
    at_s: float
    codes: Mapping[TopicPartition, int] | None = None
    """None: no answer came, or none yet, and both are possible."""
    ended_s: float = -1.0

    def __str__(self) -> str:
        came_to = "asked" if self.codes is None else f"told {_listed(self.codes)}"
        places = _listed(self.offsets)
        return f"{self.group} {self.member} in {self.generation} commits {places}: {came_to}"


class Found(NamedTuple):
    """An answer to an OffsetFetch; partitions without an offset are asked for and not found."""

    group: str
    asked: tuple[TopicPartition, ...]
    offsets: Mapping[TopicPartition, int]
    asked_s: float
    is_current: bool = True
    """Whether it came from the coordinator. One that is cut off does not know that another took its
    place, and tells what was committed before, as Kafka's does."""

    def __str__(self) -> str:
        return f"{self.group} found {_listed(self.offsets)} asked {self.asked_s:.6f}"


@dataclass(slots=True)
class GroupHistory:
    """Everything of the groups of one run."""

    note: Callable[[str], object]
    """Writes a line into the trace."""
    coordinator_id: Callable[[], int] = lambda: UNKNOWN
    """The broker that coordinates the groups, as the newest metadata says."""
    told: list[Callable[[Told], object]] = field(default_factory=list)
    handed: list[Callable[[Handed], object]] = field(default_factory=list)
    committing: list[Callable[[Commit], object]] = field(default_factory=list)
    committed: list[Callable[[Commit], object]] = field(default_factory=list)
    found: list[Callable[[Found], object]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    """For reports: how often what happened."""

    def count(self, what: str) -> None:
        """Once more."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def tell(self, listeners: Iterable[Callable[[Any], object]], event: Any) -> None:
        """Something happened."""
        self.count(type(event).__name__.lower())
        self.note(str(event))
        for listener in listeners:
            listener(event)


def node_of(coordinator: Any) -> int:
    """The broker that a client takes for the coordinator, and has just heard of."""
    node = coordinator._node
    return UNKNOWN if node is None else int(node.node_id)


class Watched:
    """One member's client, looked into from its start on and before it subscribes."""

    def __init__(
        self,
        history: GroupHistory,
        loop: SimulatedLoop,
        group: str,
        topic: str,
        consumer: Consumer,
    ) -> None:
        """`topic`: the only one that the group reads."""
        self._history = history
        self._loop = loop
        self._group = group
        self._topic = topic
        self._instance = consumer._config.group_instance_id
        grouped: Any = consumer._group
        self._coordinator: Any = grouped._coordinator
        offsets = grouped._offsets
        self._commit, self._fetch = offsets.commit_once, offsets.fetch_once
        offsets.commit_once, offsets.fetch_once = self._commit_once, self._fetch_once

    def subscribed(self, consumer: Consumer) -> None:
        """Its membership has begun, and its task has not run yet."""
        grouped: Any = consumer._group
        member: Any = grouped._membership._member
        if hasattr(member, "on_sync"):
            self._watch_classic(member)
        else:
            self._watch_consumer(member)

    def _watch_classic(self, member: Any) -> None:
        on_sync = member.on_sync

        def heard(response: Any) -> Any:
            reaction, assigned = on_sync(response)
            if not response.error_code:
                self._told(member.member_id, member.generation, assigned)
            return reaction, assigned

        member.on_sync = heard

    def _watch_consumer(self, member: Any) -> None:
        on_answer = member.on_answer

        def heard(response: Any, asked: Any) -> Any:
            is_current = asked.member_epoch == member.epoch
            reaction = on_answer(response, asked)
            if is_current and not response.error_code and response.assignment is not None:
                partitions = frozenset(
                    TopicPartition(self._topic, number)
                    for one in response.assignment.topic_partitions
                    for number in one.partitions
                )
                self._told(member.member_id, member.epoch, partitions)
            return reaction

        member.on_answer = heard

    def _told(self, member: str, generation: int, partitions: frozenset[TopicPartition]) -> None:
        told = Told(self._group, member, generation, partitions, self._instance)
        self._history.tell(self._history.told, told)

    async def _commit_once(self, by: Any, offsets: Any) -> Any:
        places = {where: one.offset for where, one in offsets.items()}
        commit = Commit(self._group, by.member_id, by.generation, places, self._loop.now)
        self._history.tell(self._history.committing, commit)
        codes = await self._commit(by, offsets)
        commit.codes, commit.ended_s = codes, self._loop.now
        self._history.tell(self._history.committed, commit)
        return codes

    async def _fetch_once(self, by: Any, partitions: Any) -> Any:
        asked_s, before = self._loop.now, self._history.coordinator_id()
        asked = () if partitions is None else tuple(partitions)
        answers = await self._fetch(by, asked if partitions is not None else None)
        known = tuple(one for one in asked if one not in answers.refused)
        offsets = {where: one.offset for where, one in answers.found.items()}
        is_current = before == self._history.coordinator_id() == node_of(self._coordinator)
        found = Found(self._group, known, offsets, asked_s, is_current)
        self._history.tell(self._history.found, found)
        return answers
