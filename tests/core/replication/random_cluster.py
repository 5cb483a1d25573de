"""Three replicas of a partition and their controller, moved by chance, checked at each step."""

from __future__ import annotations

from pathlib import Path
from random import Random

from kit.replicas import LAG_MS, Replica, epoch_of, truncate

from barnabas.broker.core.cluster.topic_image import PartitionImage
from barnabas.broker.core.replication.isr_change import IsrAnswer
from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.core.replication.resting_session import FetchTarget
from barnabas.broker.core.replication.truncation import (
    EpochEnd,
    LocalLog,
    Truncation,
    position_after_out_of_range,
    truncation_by_epoch,
)
from barnabas.broker.handlers.fetch.rules import Reader, check_readable, diverging_epoch
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.fetch_request import FetchPartition

IDS: tuple[int, ...] = (1, 2, 3)


MIN_IN_SYNC = 2


STEPS = 400


ALL = 1 << 30


class Cluster:
    """The replicas, and the one state that a controller has of their partition."""

    def __init__(self, directory: Path, random: Random) -> None:
        self.random = random
        self.replicas = {
            node_id: Replica(
                directory / str(node_id), node_id=node_id, min_insync_replicas=MIN_IN_SYNC
            )
            for node_id in IDS
        }
        self.image = PartitionImage(IDS, IDS, 1)
        self.images = [self.image]
        self.applied = dict.fromkeys(IDS, 0)
        self.committed = b""
        for node_id in IDS:
            self.learn(node_id)

    # --- the controller ---

    def decide(self, image: PartitionImage) -> None:
        self.image = image._replace(partition_epoch=self.image.partition_epoch + 1)
        self.images.append(self.image)

    def learn(self, node_id: int) -> None:
        """This broker applies the next state that it does not know."""
        at = self.applied[node_id]
        if at == len(self.images):
            return
        self.applied[node_id] = at + 1
        image, partition = self.images[at], self.replicas[node_id].partition
        if image.leader == node_id:
            partition.lead(image)
        else:
            partition.follow(image.leader, image.leader_epoch)

    def elect(self) -> None:
        """The leader is fenced: it leaves the set, another member leads."""
        others = tuple(member for member in self.image.isr if member != self.image.leader)
        if others:
            image = self.image._replace(
                isr=others,
                leader=self.random.choice(others),
                leader_epoch=self.image.leader_epoch + 1,
            )
            self.decide(image)
            partition = self.replicas[image.leader].partition
            held = self.readable(partition, partition.log.log_end_offset)
            assert held.startswith(self.committed), "I-3: elected without what was committed"

    def answer(self, node_id: int) -> None:
        """497-01: one proposal of this broker is judged, and answered."""
        port = self.replicas[node_id].controller
        if not port.open:
            return
        change, done = port.open.pop(0)
        if change.leader_epoch < self.image.leader_epoch:
            done(IsrAnswer(ErrorCode.FENCED_LEADER_EPOCH))
        elif change.partition_epoch < self.image.partition_epoch:
            done(IsrAnswer(ErrorCode.INVALID_UPDATE_VERSION))
        elif self.random.random() < 0.2:
            done(IsrAnswer(ErrorCode.INELIGIBLE_REPLICA))
        else:
            members = tuple(member for member, _ in change.isr)
            self.decide(self.image._replace(isr=members))
            if self.random.random() < 0.5:
                self.learn(node_id)
            now = self.image
            answer = IsrAnswer(
                0, node_id, now.leader_epoch, now.isr, 0, partition_epoch=now.partition_epoch
            )
            done(answer)

    # --- the brokers ---

    def append(self, node_id: int) -> None:
        if self.replicas[node_id].partition.is_leader:
            self.replicas[node_id].append(self.random.randrange(1, 4))

    def fetch(self, node_id: int) -> None:
        """One fetch of a follower from the leader that it knows of."""
        follower = self.replicas[node_id].partition
        if follower.is_leader or follower.leader_id not in self.replicas:
            return
        leader = self.replicas[follower.leader_id]
        offset, last_epoch, start = follower.as_follower(follower.leader_epoch).position()
        target = FetchTarget(
            "t",
            FetchPartition(
                fetch_offset=offset,
                last_fetched_epoch=last_epoch,
                log_start_offset=start,
                current_leader_epoch=follower.leader_epoch,
            ),
        )
        try:
            reader = Reader(node_id, epoch_of(node_id), 17)
            check_readable(leader.partition, target, reader)
            if last_epoch >= 0:
                told = diverging_epoch(leader.partition, target, reader)
                if told is not None:
                    self.cut(follower, told.epoch, told.end_offset)
                    return
        except KafkaError as error:
            if error.code is ErrorCode.OFFSET_OUT_OF_RANGE:
                self.go_back(follower, leader.partition)
            return
        leader.fetched(node_id, offset)
        log = leader.partition.log
        records = log.read(offset, 150, log.log_end_offset)
        state = follower.as_follower(follower.leader_epoch)
        state.append(memoryview(bytes(records)), log.high_watermark, 0)

    def cut(self, follower: Partition, epoch: int, end_offset: int) -> None:
        log = follower.log
        local = LocalLog(log.leader_epochs, log.high_watermark, log.log_end_offset)
        truncate(follower, truncation_by_epoch(local, EpochEnd(epoch, end_offset)).offset)

    def go_back(self, follower: Partition, leader: Partition) -> None:
        decided = position_after_out_of_range(
            follower.log.log_end_offset, leader.log.log_start_offset, leader.log.log_end_offset
        )
        assert isinstance(decided, Truncation)
        follower.as_follower(follower.leader_epoch).truncate(decided.offset)

    def let_pass(self) -> None:
        """Time for who is behind to be found out."""
        for replica in self.replicas.values():
            replica.clock.now_ms += LAG_MS / 2 + 1
            if replica.partition.leader is not None:
                replica.partition.leader.expire(replica.clock.now_ms)

    # --- what must hold ---

    def readable(self, partition: Partition, end: int) -> bytes:
        return bytes(partition.log.read(0, ALL, end)) if end else b""

    def check(self) -> None:
        partitions = [replica.partition for replica in self.replicas.values()]
        for partition in sorted(partitions, key=lambda one: not one.is_leader):
            known = self.readable(partition, partition.high_watermark)
            shorter = min(len(known), len(self.committed))
            assert known[:shorter] == self.committed[:shorter], "I-4: committed is immutable"
            if partition.is_leader and len(known) > len(self.committed):
                self.committed = known
                for member in partition.as_leader().in_sync.maximal:
                    held = self.replicas[member].partition.log.log_end_offset
                    assert held >= partition.high_watermark, "I-3: not on all that must hold it"
                assert len(partition.as_leader().in_sync.maximal) >= MIN_IN_SYNC, "I-6"
            elif len(known) > len(self.committed):
                raise AssertionError("I-3: a follower shows what no leader has committed")

    def step(self) -> None:
        node_id = self.random.choice(IDS)
        kinds = (self.append, self.fetch, self.fetch, self.fetch, self.learn, self.answer)
        chosen = self.random.random()
        if chosen < 0.03:
            self.elect()
        elif chosen < 0.06:
            self.let_pass()
        else:
            self.random.choice(kinds)(node_id)
        self.check()

    def heal(self) -> None:
        """Everybody learns and fetches until nothing changes any more."""
        for _ in range(100):
            for node_id in IDS:
                for act in (self.learn, self.fetch, self.answer):
                    act(node_id)
                    self.check()
