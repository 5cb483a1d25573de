"""The writer of Fetch answers against the generated one, with all that is rare."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.broker.core.log.stored_records import StoredRecords
from barnabas.broker.server.fast_fetch import LatePieces, encode_fetch
from barnabas.broker.storage.files import RealDisk
from barnabas.protocol.header import encode_response
from barnabas.protocol.messages.fetch_response import (
    AbortedTransaction,
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
    SnapshotId,
)


def answer(version: int, records: bytes) -> FetchResponse:
    """Rows of each kind that the version knows."""
    rows = [
        PartitionData(partition_index=1, records=records, high_watermark=5),
        PartitionData(partition_index=2, error_code=3),
        PartitionData(
            aborted_transactions=[AbortedTransaction(producer_id=9, first_offset=8)],
            records=b"few",
        ),
    ]
    if version >= 12:
        rows += [
            PartitionData(diverging_epoch=EpochEndOffset(epoch=3, end_offset=1 << 40)),
            PartitionData(
                error_code=6,
                current_leader=LeaderIdAndEpoch(leader_id=7, leader_epoch=300),
                records=records,
            ),
            PartitionData(
                current_leader=LeaderIdAndEpoch(leader_id=0, leader_epoch=0),
                snapshot_id=SnapshotId(end_offset=99, epoch=2),
            ),
        ]
    topic = FetchableTopicResponse(partitions=rows)
    if version >= 13:
        topic.topic_id = bytes(range(16))
    else:
        topic.topic = "täglich"
    response = FetchResponse(responses=[topic])
    if version >= 7:
        response.session_id = 77
    if version >= 16:
        response.node_endpoints = [
            NodeEndpoint(node_id=1, host="höst", port=9092, rack=None),
            NodeEndpoint(node_id=2, host="", port=1, rack="r" * 200),
        ]
    return response


@pytest.mark.parametrize("version", range(4, 19))
def test_as_the_generated_encoder(version: int) -> None:
    """Goal: the same bytes in every version, whatever stands in a row."""
    for records in (b"short", b"x" * 100_000):
        expected = encode_response(answer(version, records), version, 5)
        pieces = encode_fetch(answer(version, records), version, 5)
        assert b"".join(bytes(piece) for piece in pieces) == expected


def _no_error(error: OSError) -> None:
    raise AssertionError(error)


@pytest.mark.parametrize("version", [4, 11, 12, 18])
def test_records_that_stay_in_their_file(version: int, tmp_path: Path) -> None:
    """ENV-08: the frame announces what the file holds, and nothing of it is read for that."""
    content = b"y" * 30_000
    expected = encode_response(answer(version, content), version, 5)
    file = RealDisk().open(str(tmp_path / "f"), create=True)
    file.append([content])
    response = answer(version, content)
    for row in response.responses[0].partitions:
        if row.records == content:
            lent = file.lend(len(content), 0)
            assert lent is not None
            stored = StoredRecords(lent, 1, _no_error)
            row.records = stored  # type: ignore[assignment] # as a handler does
    pieces = encode_fetch(response, version, 5)
    assert isinstance(pieces, LatePieces)
    assert sum(len(piece) for piece in pieces if isinstance(piece, bytes)) < 2000
    assert b"".join(bytes(piece) for piece in pieces) == expected
