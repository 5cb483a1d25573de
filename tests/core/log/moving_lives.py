"""Random lives of a log that moves between two directories, and power that fails at any step."""

from __future__ import annotations

from random import Random

from kit.log_batches import BASE_TIME
from kit.logs import ManualClock, config_of, env_of, offsets_of, read_all
from kit.replica_stores import FIRST_ID, topic
from kit.replicas import OWN_ID, Fetchers, Flushes

from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.compaction.cleaner_offsets import vouched_end
from barnabas.broker.core.log.identity import MetaProperties, write_meta_properties
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.reads import finish
from barnabas.broker.core.replication.future_replica import FutureReplica
from barnabas.broker.core.replication.log_loading import LogLoader
from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.core.replication.replica_store import ReplicaStore
from barnabas.broker.core.replication.surroundings import NoController
from barnabas.broker.core.replication.truncation import Restart
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.simulation.disk import SimulatedDisk

from .lives import Life

PATHS = {"/d": b"d" * 16, "/e": b"e" * 16}
KEY = ("t", 0)


class MovingLife(Life):
    """A follower's log, in one of two directories, and perhaps on its way to the other."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.disk = SimulatedDisk(Random(seed + 1))
        self.clock = ManualClock()
        self.config = config_of(
            internal_segment_bytes=self.random.choice([250, 500, 900]),
            index_interval_bytes=150,
            retention_ms=-1,
        )
        self.epoch = 0
        self.flushed_end = 0
        for path, own_id in PATHS.items():
            self.disk.set_up_directory(path)
            meta = MetaProperties("a-cluster", OWN_ID, uuid_to_text(own_id))
            write_meta_properties(self.disk, path, meta)
        self.image = ClusterImage("a-cluster")
        for record in topic(replicas=[1, 2], isr=[1, 2], leader=2, directories=[b"d" * 16] * 2):
            self.image.apply(record, self.image.last_offset + 1)
        self.moved = self.resumed = 0
        self.load()
        self.states = [(0, {})]
        self.deeds = {
            self.append: 55,
            self.flush: 6,
            self.checkpoint: 7,
            self.truncate: 10,
            self.retire: 6,
            self.advance: 3,
            self.begin_anew: 2,
            self.roll: 2,
            self.close: 3,
            self.lose_power: 6,
            self.be_killed: 3,
            self.begin_move: 8,
            self.move_on: 90,
            self.remove_files: 4,
        }

    # --- the node -----------------------------------------------------------------------------

    @property
    def partition(self) -> Partition:
        found = self.store.get("t", 0)
        assert found is not None
        return found

    @property
    def log(self) -> PartitionLog:  # type: ignore[override]  # it changes
        return self.partition.log

    @property
    def directory(self) -> LogDirectory:  # type: ignore[override]  # it changes
        return self.store.directory_of(self.partition)

    def load(self) -> None:
        env = env_of(self.disk, self.clock)
        env.random.seed(self.random.random())
        directories = [LogDirectory(path, env) for path in PATHS]
        for directory in directories:
            directory.open()
        self.store = ReplicaStore(
            OWN_ID,
            BrokerConfig(),
            directories,
            flushes=Flushes(),
            report=lambda event, fields: None,
        )
        self.store.connect(Fetchers(), NoController(), lambda partition, failure: None)
        LogLoader(self.store).load(self.image)
        self.partition.configure(self.config)
        self.log.high_watermark = self.log.log_end_offset
        self.resumed += len(self.store.moves)
        self.check_folders()
        if self.random.random() < 0.7:
            self.name(self.directory)  # as the broker does when it starts

    def name(self, directory: LogDirectory) -> None:
        """The metadata has the replica there."""
        change = PartitionChangeRecord(
            partition_id=0, topic_id=FIRST_ID, directories=[PATHS[directory.path], b"x" * 16]
        )
        self.image.apply(change, self.image.last_offset + 1)

    def check_folders(self) -> None:
        names = [name for path in PATHS for name in self.disk.list_directory(path)]
        assert names.count("t-0") == 1, names
        futures = [name for name in names if name.endswith("-future")]
        assert len(futures) == len(self.store.moves), names

    # --- moves --------------------------------------------------------------------------------

    def begin_move(self) -> None:
        move = self.store.moves.of(self.partition)
        if move is not None:
            if self.random.random() < 0.3:
                self.store.moves.cancel(self.partition)
                self.name(self.directory)
            return
        (target,) = set(self.store.directories) - {self.directory}
        self.store.moves.begin(self.partition, self.directory, target)
        target.cleaner_write().run()
        target.checkpoint_write().run()

    def move_on(self) -> None:
        """One step, as the broker's workers do them."""
        move = self.store.moves.of(self.partition)
        if move is None:
            return
        decided = move.divergence()
        if decided is not None:
            self.cut(move, 0 if isinstance(decided, Restart) else decided.offset, decided.offset)
        elif move.lag:
            data = finish(move.reading())
            assert isinstance(data, (bytes, bytearray, memoryview))
            move.append(data)
        else:
            self.finish(move)

    def cut(self, move: FutureReplica, sure: int, offset: int) -> None:
        if sure < vouched_end(move.log):
            move.target.lower(KEY, sure, move)
            move.target.recovery_point_write().run()
        if sure != offset or not offset:
            move.log.truncate_fully_and_start_at(offset)
        else:
            move.log.durability.distrust_from(offset)
            move.log.truncate_to(offset)
            move.target.recovery_point_write().run()
        move.target.release(KEY, move)

    def finish(self, move: FutureReplica) -> None:
        move.follow_offsets()
        if not move.is_announced or not move.is_durable:
            move.log.flush()
            move.announced_ms = self.clock.now_ms
            self.name(move.target)
            return
        move.target.cleaner_write().run()
        move.target.checkpoint_write().run()
        if move.may_replace:
            before = read_all(self.log), self.epochs(), self.log.log_start_offset
            self.store.moves.replace(move)
            assert (read_all(self.log), self.epochs(), self.log.log_start_offset) == before
            self.moved += 1
            self.check_folders()

    # --- what is another here -----------------------------------------------------------------

    def checkpoint(self) -> None:
        for directory in self.store.directories:
            directory.write_checkpoints(durable=self.random.random() < 0.3)

    def retire(self) -> None:
        """As a follower: what is below the start."""
        self.log.retire_segments(BASE_TIME, by_rules=False)
        renaming = self.log.retirement.begin()
        renaming.run()
        self.log.retirement_ended(renaming, None)

    def remove_files(self) -> None:
        self.clock.now_ms += 60_000
        for directory in self.store.directories:
            directory.deletions.run_due(self.clock.monotonic_ms())

    def close(self) -> None:
        before, end, epochs = read_all(self.log), self.log.log_end_offset, self.epochs()
        for directory in self.store.directories:
            directory.close()
        self.load()
        assert read_all(self.log) == before
        assert self.log.log_end_offset == end
        self.check_epochs(epochs)
        self.states = []
        self.flushed_end = end

    def be_killed(self) -> None:
        """What was written is still there; the start may be what the checkpoint says."""
        before, start, end = read_all(self.log), self.log.log_start_offset, self.log.log_end_offset
        self.load()
        start = max(start, self.log.log_start_offset)
        assert _since(start, read_all(self.log)) == _since(start, before)
        assert self.log.log_end_offset == max(end, start)


def _since(start: int, batches: list[bytes]) -> list[bytes]:
    return [raw for raw in batches if offsets_of(raw)[1] >= start]
