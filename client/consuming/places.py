"""How far the program has dealt with what it got: what may be committed without being asked.

A program that asks for more has dealt with what it got before. So the records of its last call are
in hand until the next one, and the places before them are done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..structs import TopicPartition
from .positions import PartitionState
from .reading import Reading


class Place(NamedTuple):
    """The next record to deal with, and the epoch of the one before it, -1 when unknown."""

    offset: int
    leader_epoch: int


class Places:
    """Positions at the last call of the program, and what became of records that it got then."""

    def __init__(self, states: Mapping[TopicPartition, PartitionState], reading: Reading) -> None:
        self._states = states
        self._reading = reading
        self._done: dict[TopicPartition, Place] = {}
        self._began: dict[TopicPartition, int] = {}
        """Where the program began with each partition."""
        self.stale: set[TopicPartition] = set()
        """Partitions that were lost while the program had records of them in hand."""
        self._unsaved: set[TopicPartition] = set()
        """Partitions that were lost with records that were handed out and not committed."""

    def asked(self) -> None:
        """The program asks for more: it has dealt with everything before."""
        self._done = self.handed_out()
        self.stale.clear()
        for key, place in self._done.items():
            self._began.setdefault(key, place.offset)

    def handed_out(self) -> dict[TopicPartition, Place]:
        """After everything that the program got."""
        return {
            key: Place(state.position, state.position_epoch)
            for key, state in self._states.items()
            if state.position is not None and state.reset_to is None
        }

    def done(self) -> dict[TopicPartition, Place]:
        """Before everything that the program may still be working on."""
        found = self.handed_out()
        for key, place in self._done.items():
            if key in found and place.offset < found[key].offset:
                found[key] = place
        current = self._reading.current
        if current is not None and current.row_at > 0 and current.topic_partition in found:
            # Record by record: those before the last one are done, without a call of ours.
            found[current.topic_partition] = Place(*current.place_in_hand)
        return found

    def in_hand(self) -> set[TopicPartition]:
        """Partitions of which the program may be working on records."""
        done = self.done()
        return {key for key, place in self.handed_out().items() if done[key] != place}

    def settle(self) -> None:
        """Have the program call when it wants its next record, instead of taking it by itself."""
        self._done = self.done()
        self._reading.current = None

    def sought(self, partition: TopicPartition) -> None:
        """The program said where to go on: nothing of this partition is in hand."""
        self._done.pop(partition, None)
        if self._reading.current is self._states.get(partition):
            self._reading.current = None

    def refusals(self, wanted: Iterable[TopicPartition] | None) -> set[TopicPartition]:
        """Partitions, of these or of all, whose commit would be of an assignment that was lost.
        What the program no longer works on is told once."""
        refused = self.stale | self._unsaved
        if wanted is not None:
            refused &= set(wanted)
        self._unsaved -= refused
        return refused

    def lost(
        self, partitions: Iterable[TopicPartition], committed: Mapping[TopicPartition, int] | None
    ) -> None:
        """They are somebody else's already. `committed` says how far they were, if the program is
        the one that commits."""
        places = {key: each for key, each in self.handed_out().items() if key in set(partitions)}
        self.stale |= self.in_hand() & places.keys()
        if committed is not None:
            self._unsaved |= {
                key
                for key, place in places.items()
                if place.offset > max(self._began.get(key, place.offset), committed.get(key, 0))
            }
        self.gone(partitions)

    def gone(self, partitions: Iterable[TopicPartition]) -> None:
        """They are not this consumer's any more."""
        for each in partitions:
            self._done.pop(each, None)
            self._began.pop(each, None)
