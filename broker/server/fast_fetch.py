"""Encodes the response to a Fetch: headers in small pieces, records as the bytes that were read.

Large records are never copied into a joined buffer; the connection hands the pieces to the kernel
in one `writev`. Records that are still in their file stay there: `trickle.py` reads them as they
are sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import cast

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.messages.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from barnabas.protocol.varints import uvarint

from ..core.log.stored_records import StoredRecords

FLEXIBLE_SINCE = 12
SESSIONS_SINCE = 7
LOG_START_SINCE = 5
PREFERRED_SINCE = 11
TOPIC_IDS_SINCE = 13
ENDPOINTS_SINCE = 16

OWN_PIECE_FROM = 8192
"""Records of at least this size are a piece of their own; smaller ones are cheaper to copy."""

_INT16 = Struct(">h")
_INT32 = Struct(">i")
_HEAD = Struct(">iii")  # length, correlation id, throttle time
_FLEXIBLE_HEAD = Struct(">iixi")
_SESSION = Struct(">hi")
_ROW = Struct(">ihqq")
_INT64 = Struct(">q")
_ABORTED = Struct(">qq")
# Contents of tagged fields; the last byte is the count, 0, of their own tagged fields.
_DIVERGING = Struct(">iqx")
_LEADER = Struct(">iix")
_SNAPSHOT = Struct(">qix")


class LatePieces(list["Buffer | StoredRecords"]):
    """The pieces of an answer, some of which are still in a file."""

    __slots__ = ()


Pieces = Sequence["Buffer"] | LatePieces


def encode_fetch(response: FetchResponse, version: int, correlation_id: int) -> Pieces:
    """The whole frame, in pieces."""
    writer = _Writer(version)
    for topic in response.responses:
        writer.topic(topic)
    return writer.finish(response, correlation_id)


class _Writer:
    """Builds the pieces of one response; `_open` is the small piece that is still growing."""

    __slots__ = ("_is_flexible", "_is_late", "_open", "_pieces", "_size", "_version")

    def __init__(self, version: int) -> None:
        self._version = version
        self._is_flexible = version >= FLEXIBLE_SINCE
        self._is_late = False
        self._pieces: list[Buffer | StoredRecords] = []
        self._open = bytearray()
        self._size = 0

    def topic(self, topic: FetchableTopicResponse) -> None:
        out = self._open
        if self._version >= TOPIC_IDS_SINCE:
            out += topic.topic_id
        else:
            name = topic.topic.encode()
            out += uvarint(len(name) + 1) if self._is_flexible else _INT16.pack(len(name))
            out += name
        count = len(topic.partitions)
        out += uvarint(count + 1) if self._is_flexible else _INT32.pack(count)
        for data in topic.partitions:
            self._partition(data)
        if self._is_flexible:
            self._open.append(0)

    def _partition(self, data: PartitionData) -> None:
        out = self._open
        version = self._version
        out += _ROW.pack(
            data.partition_index, data.error_code, data.high_watermark, data.last_stable_offset
        )
        if version >= LOG_START_SINCE:
            out += _INT64.pack(data.log_start_offset)
        self._aborted(data)
        if version >= PREFERRED_SINCE:
            out += _INT32.pack(data.preferred_read_replica)
        self._records(data.records)
        if self._is_flexible:
            if (
                data.diverging_epoch.epoch != -1
                or data.current_leader.leader_id != -1
                or data.snapshot_id.epoch != -1
            ):
                self._rare(data)
            else:
                self._open.append(0)

    def _rare(self, data: PartitionData) -> None:
        tags: list[tuple[int, bytes]] = []
        if data.diverging_epoch.epoch != -1:
            diverging = data.diverging_epoch
            tags.append((0, _DIVERGING.pack(diverging.epoch, diverging.end_offset)))
        if data.current_leader.leader_id != -1:
            leader = data.current_leader
            tags.append((1, _LEADER.pack(leader.leader_id, leader.leader_epoch)))
        if data.snapshot_id.epoch != -1:
            snapshot = data.snapshot_id
            tags.append((2, _SNAPSHOT.pack(snapshot.end_offset, snapshot.epoch)))
        self._tags(tags)

    def _tags(self, tags: list[tuple[int, bytes]]) -> None:
        out = self._open
        out += uvarint(len(tags))
        for tag, content in tags:
            out += uvarint(tag)
            out += uvarint(len(content))
            out += content

    def _aborted(self, data: PartitionData) -> None:
        out = self._open
        aborted = data.aborted_transactions
        if aborted is None:
            out += b"\0" if self._is_flexible else b"\xff\xff\xff\xff"
            return
        out += uvarint(len(aborted) + 1) if self._is_flexible else _INT32.pack(len(aborted))
        for one in aborted:
            out += _ABORTED.pack(one.producer_id, one.first_offset)
            if self._is_flexible:
                out.append(0)

    def _records(self, records: Buffer | StoredRecords | None) -> None:
        size = 0 if records is None else len(records)
        out = self._open
        out += uvarint(size + 1) if self._is_flexible else _INT32.pack(size)
        if isinstance(records, StoredRecords):
            self._is_late = True
        elif records is None or size < OWN_PIECE_FROM:
            out += records or b""
            return
        self._size += len(out) + size
        self._pieces += (bytes(out), records)
        self._open = bytearray()

    def _endpoints(self, response: FetchResponse) -> None:
        """The addresses of the leaders that rows name: tag 0 of the whole response."""
        content = bytearray(uvarint(len(response.node_endpoints) + 1))
        for one in response.node_endpoints:
            host = one.host.encode()
            content += _INT32.pack(one.node_id)
            content += uvarint(len(host) + 1) + host
            content += _INT32.pack(one.port)
            rack = None if one.rack is None else one.rack.encode()
            content += b"\0" if rack is None else uvarint(len(rack) + 1) + rack
            content.append(0)
        self._tags([(0, bytes(content))])

    def finish(self, response: FetchResponse, correlation_id: int) -> Pieces:
        """Put the header in front; it contains the length, and so it comes last."""
        if self._is_flexible:
            if response.node_endpoints and self._version >= ENDPOINTS_SINCE:
                self._endpoints(response)
            else:
                self._open.append(0)
        self._size += len(self._open)
        count = len(response.responses)
        tail = uvarint(count + 1) if self._is_flexible else _INT32.pack(count)
        if self._version >= SESSIONS_SINCE:
            tail = _SESSION.pack(response.error_code, response.session_id) + tail
        head = _FLEXIBLE_HEAD if self._is_flexible else _HEAD
        length = head.size - 4 + len(tail) + self._size
        front = head.pack(length, correlation_id, response.throttle_time_ms) + tail
        pieces = self._pieces
        if not pieces:
            return [front + self._open]
        pieces.append(bytes(self._open))
        if self._is_late:
            late = LatePieces((front,))
            late += pieces
            return late
        in_memory = cast("list[Buffer]", pieces)
        in_memory[0] = front + bytes(in_memory[0])  # the first is always a head, and small
        return in_memory
