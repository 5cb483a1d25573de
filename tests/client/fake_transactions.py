"""A coordinator of transactions for fake brokers: the tables of TXN-01 and EndTxn, and a script.

It is strict where a real one is: a record outside of its transaction is refused, and so is an end
that does not fit. What readers may see of each partition is in `visible`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages import add_partitions_to_txn_response as added
from barnabas.protocol.messages import find_coordinator_response as found
from barnabas.protocol.messages import produce_response as produced
from barnabas.protocol.messages import txn_offset_commit_response as committed
from barnabas.protocol.messages.add_offsets_to_txn_response import AddOffsetsToTxnResponse
from barnabas.protocol.messages.end_txn_response import EndTxnResponse
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse
from barnabas.protocol.record_batch import read_batch_header
from barnabas.protocol.records import decode_batch

from . import fake_handlers
from .fake_cluster import FakeCluster, FakeNode

SERVED = {10: (0, 6), 22: (0, 5), 24: (0, 3), 25: (0, 4), 26: (0, 4), 28: (0, 4)}
SERVED_WITH_EPOCHS = {**SERVED, 26: (0, 5), 28: (0, 5)}

Where = tuple[str, int]


class FakeTransaction:
    """What a coordinator knows of one transactional id."""

    def __init__(self, producer_id: int) -> None:
        self.producer_id = producer_id
        self.epoch = 0
        self.last_epoch = -1
        self.state = "Empty"
        self.partitions: set[Where] = set()
        self.groups: set[str] = set()
        self.records: list[tuple[Where, bytes | None]] = []
        self.offsets: dict[tuple[str, str, int], int] = {}


class FakeTransactions:
    """The transactions of a fake cluster; `level` is that of `transaction.version`."""

    def __init__(self, cluster: FakeCluster, node_id: int = 1, level: int = 1) -> None:
        self.cluster = cluster
        self.node_id = node_id
        self.level = level
        self.of: dict[str, FakeTransaction] = {}
        self.errors: dict[str, deque[int]] = {}
        self.hangs: set[str] = set()
        self.visible: dict[Where, list[bytes | None]] = {}
        self.offsets: dict[tuple[str, str, int], int] = {}
        """Committed offsets by group, topic and partition."""
        self.ends: list[str] = []
        """`commit` or `abort` of each transaction that was ended."""
        self.commits: list[Any] = []
        """Each TxnOffsetCommit that was taken."""
        cluster.served.update(SERVED_WITH_EPOCHS if level >= 2 else SERVED)
        cluster.served[0] = (3, 12 if level >= 2 else 11)
        cluster.features["transaction.version"] = level
        self._find_group = cluster.more.get("FindCoordinator")
        cluster.more.update(
            FindCoordinator=self._find,
            InitProducerId=self._init,
            AddPartitionsToTxn=self._add_partitions,
            AddOffsetsToTxn=self._add_offsets,
            TxnOffsetCommit=self._commit_offsets,
            EndTxn=self._end,
            Produce=self._produce,
        )

    def fail(self, name: str, *codes: int) -> None:
        """Answer the next requests of one API with these codes; 0 serves one."""
        self.errors.setdefault(name, deque()).extend(codes)

    async def _code(self, name: str, node: FakeNode) -> int:
        if name in self.hangs:
            await asyncio.Event().wait()
        scripted = self.errors.get(name)
        if scripted and (code := scripted.popleft()):
            return code
        return 0 if node.node_id == self.node_id else int(ErrorCode.NOT_COORDINATOR)

    async def _find(self, node: FakeNode, request: Any, version: int) -> Message:
        if request.key_type == 0 and self._find_group is not None:
            return await self._find_group(node, request, version)
        scripted = self.errors.get("FindCoordinator")
        code = scripted.popleft() if scripted else 0
        return found.FindCoordinatorResponse(
            coordinators=[
                found.Coordinator(
                    key=key,
                    node_id=self.node_id,
                    host="127.0.0.1",
                    port=node.cluster.nodes[self.node_id].port,
                    error_code=code,
                    error_message="",
                )
                for key in request.coordinator_keys
            ]
        )

    # ------------------------------------------------------------ identities

    async def _init(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        if request.transactional_id is None:
            return fake_handlers.init_producer_id(node, request)
        code = await self._code("InitProducerId", node)
        if code:
            return InitProducerIdResponse(error_code=code, producer_id=-1, producer_epoch=-1)
        known = self.of.get(request.transactional_id)
        if known is None:
            self.cluster.next_producer_id += 1
            known = FakeTransaction(self.cluster.next_producer_id)
            self.of[request.transactional_id] = known
        else:
            code = self._next_epoch(known, request.producer_id, request.producer_epoch)
        if code:
            return InitProducerIdResponse(error_code=code, producer_id=-1, producer_epoch=-1)
        return InitProducerIdResponse(producer_id=known.producer_id, producer_epoch=known.epoch)

    def _next_epoch(self, known: FakeTransaction, producer_id: int, epoch: int) -> int:
        """TXN-01: the code, after the epoch was raised."""
        is_current = (producer_id, epoch) == (known.producer_id, known.epoch)
        is_last = (producer_id, epoch) == (known.producer_id, known.last_epoch)
        if producer_id >= 0 and not is_current and not is_last:
            return int(ErrorCode.PRODUCER_FENCED)
        if known.state == "Ongoing":
            self._settle(known, is_commit=False)
            known.epoch += 1
            known.last_epoch = -1
            return int(ErrorCode.CONCURRENT_TRANSACTIONS)
        if producer_id >= 0 and is_last:
            return 0
        known.last_epoch = known.epoch if producer_id >= 0 else -1
        known.epoch += 1
        known.state = "Empty"
        return 0

    def fence(self, transactional_id: str) -> None:
        """Another producer has come, and the transaction is aborted."""
        known = self.of[transactional_id]
        if known.state == "Ongoing":
            self._settle(known, is_commit=False)
        known.epoch += 1
        known.state = "Empty"

    def _check(self, transactional_id: str, producer_id: int, epoch: int) -> int:
        known = self.of.get(transactional_id)
        if known is None or known.producer_id != producer_id:
            return int(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
        return 0 if known.epoch == epoch else int(ErrorCode.PRODUCER_FENCED)

    # ------------------------------------------------------------ what is in a transaction

    async def _add_partitions(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        transactional_id = request.v3_and_below_transactional_id
        code = await self._code("AddPartitionsToTxn", node)
        identity = request.v3_and_below_producer_id, request.v3_and_below_producer_epoch
        code = code or self._check(transactional_id, *identity)
        topics = []
        for topic in request.v3_and_below_topics:
            rows = [
                added.AddPartitionsToTxnPartitionResult(
                    partition_index=n, partition_error_code=code
                )
                for n in topic.partitions
            ]
            topics.append(
                added.AddPartitionsToTxnTopicResult(name=topic.name, results_by_partition=rows)
            )
            if not code:
                known = self.of[transactional_id]
                known.state = "Ongoing"
                known.partitions |= {(topic.name, n) for n in topic.partitions}
        return added.AddPartitionsToTxnResponse(results_by_topic_v3_and_below=topics)

    async def _add_offsets(self, node: FakeNode, request: Any, version: int) -> Message:
        del version
        code = await self._code("AddOffsetsToTxn", node)
        code = code or self._check(
            request.transactional_id, request.producer_id, request.producer_epoch
        )
        if not code:
            known = self.of[request.transactional_id]
            known.state = "Ongoing"
            known.groups.add(request.group_id)
        return AddOffsetsToTxnResponse(error_code=code)

    async def _commit_offsets(self, node: FakeNode, request: Any, version: int) -> Message:
        code = await self._code("TxnOffsetCommit", node)
        code = code or self._check(
            request.transactional_id, request.producer_id, request.producer_epoch
        )
        known = self.of.get(request.transactional_id)
        if not code and known is not None:
            if version < 5 and request.group_id not in known.groups:
                code = int(ErrorCode.INVALID_TXN_STATE)
            else:
                known.state = "Ongoing"
                self.commits.append(request)
        topics = []
        for topic in request.topics:
            rows = []
            for each in topic.partitions:
                rows.append(
                    committed.TxnOffsetCommitResponsePartition(
                        partition_index=each.partition_index, error_code=code
                    )
                )
                if not code and known is not None:
                    key = (request.group_id, topic.name, each.partition_index)
                    known.offsets[key] = each.committed_offset
            topics.append(committed.TxnOffsetCommitResponseTopic(name=topic.name, partitions=rows))
        return committed.TxnOffsetCommitResponse(topics=topics)

    async def _produce(self, node: FakeNode, request: Any, version: int) -> Message:
        """As any fake broker, for batches of the transaction they say that they are of."""
        scripted = self.errors.get("Produce")
        code = scripted.popleft() if scripted else 0
        checked: dict[Where, int] = {}
        for topic in request.topic_data:
            for data in topic.partition_data:
                where = topic.name, data.index
                checked[where] = code or self._check_batch(request, where, data.records, version)
        good = [
            (topic, [each for each in topic.partition_data if not checked[topic.name, each.index]])
            for topic in request.topic_data
        ]
        for topic, kept in good:
            topic.partition_data = kept
        response = fake_handlers.produce(node, request)
        self._keep(request, response)
        for (name, index), refused in checked.items():
            if refused:
                row = produced.PartitionProduceResponse(index=index, error_code=refused)
                response.responses.append(
                    produced.TopicProduceResponse(name=name, partition_responses=[row])
                )
        await node.cluster.wake()
        return response

    def _check_batch(self, request: Any, where: Where, data: bytes, version: int) -> int:
        header = read_batch_header(data, 0)
        if request.transactional_id is None:
            return 0
        assert header.is_transactional, "each batch of a transactional producer is one"
        code = self._check(request.transactional_id, header.producer_id, header.producer_epoch)
        if code:
            return int(ErrorCode.INVALID_PRODUCER_EPOCH)
        known = self.of[request.transactional_id]
        if version >= 12:
            known.state = "Ongoing"
            known.partitions.add(where)
        is_in = known.state == "Ongoing" and where in known.partitions
        return 0 if is_in else int(ErrorCode.INVALID_TXN_STATE)

    def _keep(self, request: Any, response: produced.ProduceResponse) -> None:
        stored = {
            (topic.name, row.index)
            for topic in response.responses
            for row in topic.partition_responses
            if not row.error_code
        }
        for topic in request.topic_data:
            for data in topic.partition_data:
                where = topic.name, data.index
                if where in stored:
                    known = self.of[request.transactional_id]
                    values = [(where, each.value) for each in decode_batch(data.records, 0)]
                    if values[0] not in known.records:  # a duplicate is answered, not stored
                        known.records += values

    # ------------------------------------------------------------ its end

    async def _end(self, node: FakeNode, request: Any, version: int) -> Message:
        code = await self._code("EndTxn", node)
        known = self.of.get(request.transactional_id)
        if not code and (known is None or known.producer_id != request.producer_id):
            code = int(ErrorCode.INVALID_PRODUCER_ID_MAPPING)
        if code or known is None:
            return EndTxnResponse(error_code=code)
        if version >= 5:
            code = self._end_with_epoch(known, request.producer_epoch, request.committed)
            if code:
                return EndTxnResponse(error_code=code)
            return EndTxnResponse(producer_id=known.producer_id, producer_epoch=known.epoch)
        if known.epoch != request.producer_epoch:
            return EndTxnResponse(error_code=int(ErrorCode.PRODUCER_FENCED))
        wanted = "CompleteCommit" if request.committed else "CompleteAbort"
        if known.state == "Ongoing":
            self._settle(known, is_commit=request.committed)
        elif known.state != wanted:
            return EndTxnResponse(error_code=int(ErrorCode.INVALID_TXN_STATE))
        return EndTxnResponse()

    def _end_with_epoch(self, known: FakeTransaction, epoch: int, is_commit: bool) -> int:
        """The columns of TV2."""
        wanted = "CompleteCommit" if is_commit else "CompleteAbort"
        if epoch + 1 == known.epoch and known.state.startswith("Complete"):
            return 0 if known.state == wanted else int(ErrorCode.INVALID_TXN_STATE)
        if epoch != known.epoch:
            return int(ErrorCode.PRODUCER_FENCED)
        if known.state != "Ongoing" and is_commit:
            return int(ErrorCode.INVALID_TXN_STATE)
        self._settle(known, is_commit=is_commit)
        known.epoch += 1
        return 0

    def _settle(self, known: FakeTransaction, *, is_commit: bool) -> None:
        self.ends.append("commit" if is_commit else "abort")
        if is_commit:
            for where, value in known.records:
                self.visible.setdefault(where, []).append(value)
            self.offsets.update(known.offsets)
        known.state = "CompleteCommit" if is_commit else "CompleteAbort"
        known.partitions, known.groups = set(), set()
        known.records, known.offsets = [], {}
