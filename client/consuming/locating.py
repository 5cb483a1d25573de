"""Where to begin with partitions that a group assigned: at committed offsets, else by policy."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping

from ..errors import ClientError, error_of, is_retriable
from ..groups.committed import CommittedOffsets, identity_of
from ..groups.membership import Membership
from ..groups.reactions import OFFSET_FETCH, Reaction, reaction_to
from ..groups.values import OffsetAndMetadata
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from .look_ups import LookUps
from .positions import PartitionState

log = logging.getLogger("barnabas.client")


class Locating:
    """Looks committed offsets up in the background, as long as partitions have no position."""

    def __init__(
        self,
        cluster: Cluster,
        offsets: CommittedOffsets,
        states: Mapping[TopicPartition, PartitionState],
        without_offset: Callable[[PartitionState], None],
        when_found: Callable[[], None],
    ) -> None:
        self._offsets = offsets
        self._states = states
        self._without_offset = without_offset
        self._when_found = when_found
        self._look_ups = LookUps(cluster, "committed offsets", self._wanted, self._look_up)
        self.membership: Membership | None = None
        """As whose member to ask."""
        self.found: dict[TopicPartition, OffsetAndMetadata] = {}
        """What was committed, as far as it was looked up here or committed since."""

    def wake(self) -> None:
        """Begin to look up what needs it, unless that is under way."""
        self._look_ups.wake()

    async def close(self) -> None:
        """Stop looking up."""
        await self._look_ups.close()

    def _wanted(self) -> dict[TopicPartition, PartitionState]:
        return {
            key: state
            for key, state in self._states.items()
            if state.position is None and state.reset_to is None and state.error is None
        }

    async def _look_up(self) -> bool:
        is_done = await self._ask(self._wanted())
        self._when_found()
        return is_done

    async def _ask(self, wanted: dict[TopicPartition, PartitionState]) -> bool:
        try:
            answers = await self._offsets.fetch_once(identity_of(self.membership), wanted)
        except ClientError as error:
            if is_retriable(error):
                log.info("no committed offsets yet: %s", error)
                return False
            left = self._wanted()  # the program may have sought elsewhere meanwhile
            for key, state in wanted.items():
                if left.get(key) is state:
                    state.fail(error)
            return True
        is_done = True
        for key, state in wanted.items():
            # The program may have sought, or the group taken it away, meanwhile.
            if self._states.get(key) is not state or state.position is not None:
                continue
            if state.reset_to is not None:
                continue  # seek_to_beginning or seek_to_end meanwhile
            if key in answers.refused:
                is_done = self._refused(state, answers.refused[key]) and is_done
            else:
                self._place(state, answers.found.get(key))
        return is_done

    async def go_back(
        self, partitions: Iterable[TopicPartition], timeout_s: float
    ) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """Put partitions that have a position where they are committed, else where the policy says.

        Which were put where; those that another member has now, or had meanwhile, are left out.
        Raises as `CommittedOffsets.fetch`.
        """
        states = {key: self._states[key] for key in partitions if key in self._states}
        if not states:
            return {}
        found = await self._offsets.fetch(self.membership, states, timeout_s)
        placed = {}
        for key, state in states.items():
            if self._states.get(key) is state:
                placed[key] = found.get(key)
                self._place(state, placed[key])
        return placed

    def _place(self, state: PartitionState, found: OffsetAndMetadata | None) -> None:
        if found is None:
            self._without_offset(state)
            return
        self.found[state.topic_partition] = found
        state.seek(found.offset, found.leader_epoch)
        state.topic_id = None

    def _refused(self, state: PartitionState, code: int) -> bool:
        """An error is never "no offset": that would skip records, or repeat them all."""
        error = error_of(code, f"the committed offset of {state.topic_partition}")
        if reaction_to(OFFSET_FETCH, code) is not Reaction.FATAL:
            log.info("%s", error)
            return False
        state.fail(error)
        return True
