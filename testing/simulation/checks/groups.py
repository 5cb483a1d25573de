"""What groups promise: I-26, I-31, I-32, and L-8 after the faults.

All of it is judged by what members were told. A commit whose answer did not come may count or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from barnabas.broker.core.cluster.topic_image import GROUPS_TOPIC
from barnabas.broker.core.coordination.loaded_batch import decode_slice
from barnabas.client import TopicPartition
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.consumer_group_metadata_key import ConsumerGroupMetadataKey
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError
from barnabas.testing.simulation.workload.group_history import (
    Commit,
    Found,
    GroupHistory,
    Handed,
    Told,
)

EventT = TypeVar("EventT")
Place = tuple[str, TopicPartition]
"""A partition as a group reads it."""

REFUSALS = frozenset(
    (
        ErrorCode.ILLEGAL_GENERATION,
        ErrorCode.UNKNOWN_MEMBER_ID,
        ErrorCode.REBALANCE_IN_PROGRESS,
        ErrorCode.GROUP_ID_NOT_FOUND,
        ErrorCode.FENCED_INSTANCE_ID,
        ErrorCode.FENCED_MEMBER_EPOCH,
        ErrorCode.STALE_MEMBER_EPOCH,
    )
)
"""A commit that was answered so is not carried out; with others it may be (CRT-08)."""

NOBODY_S = -1.0


class GroupContract:
    """Listens to what happens to the members of groups."""

    def __init__(self, bus: HookBus, history: GroupHistory, is_off: Callable[[], bool]) -> None:
        """`is_off`: whether an unclean election, which was allowed, has taken the promises away."""
        self._bus = bus
        self._is_off = is_off
        self._instances: dict[str, str | None] = {}
        """By member id: which static member it is."""
        self._heard: dict[str, int] = {}
        """By member id: the generation that it was told last."""
        self._highest: dict[str, int] = {}
        """The latest generation of each group that a member was told."""
        self._latest: dict[Place, tuple[int, str, float]] = {}
        """Who was told last: generation, member, when it heard of that first."""
        self._forgotten: set[str] = set()
        """Groups whose records were removed since a member was told of a generation."""
        self._commits: dict[Place, list[Commit]] = {}
        self._found: dict[Place, list[tuple[float, int]]] = {}
        """Offsets that answers had, and when they came."""
        self._delivered: dict[Place, int] = {}
        """Up to where all records were handed to somebody."""
        bus.listen("append", self._on_append)
        history.told.append(partial(self._check, self._on_told))
        history.handed.append(partial(self._check, self._on_handed))
        history.committing.append(partial(self._check, self._on_committing))
        history.committed.append(partial(self._check, self._on_committed))
        history.found.append(partial(self._check, self._on_found))

    def _check(self, check: Callable[[EventT], object], event: EventT) -> None:
        if not self._is_off():
            self._bus.check(check, event)

    # --- I-31: who has what -------------------------------------------------------------------

    def _on_told(self, told: Told) -> None:
        self._note_new_life(told)
        for where in told.partitions:
            place = (told.group, where)
            generation, member, heard_s = self._latest.get(place, (-1, "", NOBODY_S))
            if told.generation < generation:
                continue
            if told.member != member:
                if told.generation == generation and not self._is_same(told, member):
                    raise InvariantError(
                        "I-31",
                        f"{told.group}: in generation {generation} {where} is both {member}'s and"
                        f" {told.member}'s",
                    )
                heard_s = self._bus.loop.now
            self._latest[place] = (told.generation, told.member, heard_s)
        self._instances[told.member] = told.instance
        self._heard[told.member] = told.generation

    def _on_append(self, event: Event) -> None:
        """A group without members and offsets is forgotten: the log says so, by a record."""
        if event.fields["log"].topic != GROUPS_TOPIC:
            return
        for batch in decode_slice(event.fields["batches"]).batches:
            for record, _ in batch.records:
                if record.value is not None:
                    continue
                if isinstance(record.key, GroupMetadataKey):
                    self._forgotten.add(record.key.group)
                elif isinstance(record.key, ConsumerGroupMetadataKey):
                    self._forgotten.add(record.key.group_id)

    def _note_new_life(self, told: Told) -> None:
        """The generations of a forgotten group begin anew with the next member, in none that is
        later than was told before. Nobody knew that member, or it had been told a later one, or the
        same when others have later ones: by the consumer protocol a member comes back with its id
        (848-05)."""
        highest = self._highest.get(told.group, -1)
        heard = self._heard.get(told.member, highest + 1)
        is_back = told.generation <= min(heard, highest) and told.generation < max(heard, highest)
        if is_back and told.group in self._forgotten:
            self._forgotten.discard(told.group)
            for place in [place for place in self._latest if place[0] == told.group]:
                del self._latest[place]
            highest = -1
        self._highest[told.group] = max(highest, told.generation)

    def _is_same(self, told: Told, member: str) -> bool:
        """Whether a static member is back under another id, which may be in the same generation."""
        return told.instance is not None and self._instances.get(member) == told.instance

    def _on_committed(self, commit: Commit) -> None:
        """A success of one who was told less recently than another, and before it asked."""
        assert commit.codes is not None, "it was answered"
        for where, code in commit.codes.items():
            if code:
                continue
            place = (commit.group, where)
            generation, member, heard_s = self._latest.get(place, (-1, "", NOBODY_S))
            if member != commit.member and NOBODY_S < heard_s < commit.at_s:
                raise InvariantError(
                    "I-31",
                    f"{commit.group}: {commit.member} commits {where} at"
                    f" {commit.offsets[where]} in generation {commit.generation};"
                    f" since {heard_s:.6f} it is {member}'s, in generation {generation}",
                )

    # --- I-32: nothing is left out ------------------------------------------------------------

    def _on_handed(self, handed: Handed) -> None:
        place = (handed.group, handed.where)
        end = self._delivered.get(place, 0)
        if handed.first > end:
            raise InvariantError(
                "I-32",
                f"{handed.group}: {handed.client} begins with {handed.where}@{handed.first};"
                f" nobody got what lies between {end} and that",
            )
        self._delivered[place] = max(end, handed.end)

    def left(self, group: str, ends: Mapping[TopicPartition, int]) -> list[str]:
        """What lies below these ends and was handed to nobody of the group."""
        if self._is_off():
            return []
        found = {where: self._delivered.get((group, where), 0) for where in ends}
        return [
            f"{group} has {where} up to {found[where]} of {end}"
            for where, end in sorted(ends.items())
            if found[where] < end
        ]

    # --- I-26: what is committed --------------------------------------------------------------

    def _on_committing(self, commit: Commit) -> None:
        for where, offset in commit.offsets.items():
            place = (commit.group, where)
            self._commits.setdefault(place, []).append(commit)
            end = self._delivered.get(place, 0)
            if offset > end:
                raise InvariantError(
                    "I-32",
                    f"{commit.group}: {commit.member} commits {where} at {offset}; only what lies"
                    f" below {end} was handed to anybody",
                )

    def _on_found(self, found: Found) -> None:
        for where in found.asked:
            offset = found.offsets.get(where, -1)
            commits = self._commits.get((found.group, where), [])
            answers = self._found.setdefault((found.group, where), [])
            floors = [_acked(one, where, found.asked_s) for one in commits]
            floors += [offset for told_s, offset in answers if told_s <= found.asked_s]
            floor = max(floors, default=-1)
            if offset < floor and found.is_current:
                raise InvariantError(
                    "I-26",
                    f"{found.group}: the offset of {where} is {offset}, asked for at"
                    f" {found.asked_s:.6f}; {floor} had been committed before",
                )
            if found.is_current:
                answers.append((self._bus.loop.now, offset))
            if offset >= 0 and not any(_may_count(one, where, offset) for one in commits):
                raise InvariantError(
                    "I-26", f"{found.group}: nobody committed {where} at {offset}, which is found"
                )


def _acked(commit: Commit, where: TopicPartition, before_s: float) -> int:
    """The offset, if its success was told before that time; else -1."""
    is_acked = commit.codes is not None and commit.codes.get(where, -1) == 0
    return commit.offsets[where] if is_acked and commit.ended_s <= before_s else -1


def _may_count(commit: Commit, where: TopicPartition, offset: int) -> bool:
    if commit.offsets[where] != offset:
        return False
    return commit.codes is None or commit.codes.get(where, -1) not in REFUSALS
