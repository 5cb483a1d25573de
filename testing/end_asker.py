"""Asks one broker where partitions end, whoever leads them.

It names no leader epoch, as Java's Admin does not: nothing but what the broker itself knows keeps
it from answering as a leader that was replaced.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from barnabas.broker.core.ports import Clock
from barnabas.broker.server.peer_channel import PeerChannel
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)

_LATEST: Final = -1
_VERSIONS: Final = (7, 7)
_ANSWER_MS: Final = 2000.0


class EndAsker:
    """A client of one broker; `close` ends it."""

    def __init__(
        self, address: tuple[str, int], clock: Clock, topic: str, partitions: Iterable[int]
    ) -> None:
        self._channel = PeerChannel(lambda: address, client_id="end-asker", clock=clock)
        wanted = [
            ListOffsetsPartition(partition_index=number, timestamp=_LATEST) for number in partitions
        ]
        self._request = ListOffsetsRequest(
            replica_id=-1, topics=[ListOffsetsTopic(name=topic, partitions=wanted)]
        )

    async def ask(self) -> dict[int, int]:
        """Partition -> its end, of those that the broker tells. Raises PeerError."""
        answer = await self._channel.call(self._request, timeout_ms=_ANSWER_MS, versions=_VERSIONS)
        return {
            row.partition_index: row.offset
            for row in answer.topics[0].partitions
            if not row.error_code
        }

    def close(self) -> None:
        """Ask no more."""
        self._channel.close()
