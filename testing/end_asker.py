"""Asks a broker where partitions end, whether it leads them or not.

It names no leader epoch, like Java's Admin, so only what the broker itself knows can keep it from
answering as a leader that has been replaced.
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
        """The end of each partition about which the broker answers. Raises PeerError."""
        answer = await self._channel.call(self._request, timeout_ms=_ANSWER_MS, versions=_VERSIONS)
        return {
            row.partition_index: row.offset
            for row in answer.topics[0].partitions
            if not row.error_code
        }

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()
