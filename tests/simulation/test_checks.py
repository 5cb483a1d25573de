"""Each check on a stream of events that breaks its invariant, and on one that does not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from barnabas.client.wire.metadata import MetadataCache, Node, PartitionMetadata, TopicMetadata
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import InvariantError
from barnabas.testing.simulation.workload.history import Latest, Moved, Read, Send

from .stage import HERE, TOPIC_ID, Stage, batch


@pytest.fixture
def stage() -> Stage:
    made = Stage()
    made.append(1, batch(0))
    made.append(2, batch(0))
    made.lead(1)
    made.commit(1, 1)
    assert made.rule == ""
    return made


def test_i1_two_leaders_in_one_epoch(stage: Stage) -> None:
    """I-1: at most one broker leads in a leader epoch."""
    stage.lead(2, epoch=0)
    assert stage.rule == "I-1"


def test_i2_other_batch_at_the_same_place() -> None:
    """I-2: same offset and epoch, same batch."""
    stage = Stage()
    stage.append(1, batch(0, crc=1))
    stage.append(2, batch(0, crc=2))
    assert stage.rule == "I-2"


def test_i2_other_history_below() -> None:
    """I-2: and the same batch before it."""
    stage = Stage()
    stage.append(1, batch(0) + batch(1, epoch=2))
    stage.append(2, batch(0, epoch=1) + batch(1, epoch=2))
    assert stage.rule == "I-2"


def test_i2_other_history_below_the_log_start() -> None:
    """I-2: what lies below a log's start is not compared any more, nor read; the rest is."""
    stage = Stage()
    stage.append(1, batch(0) + batch(1, epoch=2))
    stage.append(2, batch(0, epoch=1))
    stage.tell(2, "log-start", log=stage.log(2), offset=1)
    stage.append(2, batch(1, epoch=2) + batch(2, epoch=2))
    assert stage.rule == ""
    stage.append(1, batch(2, epoch=2, crc=8))
    assert stage.rule == "I-2"


def test_i3_watermark_above_a_member(stage: Stage) -> None:
    """I-3: the watermark waits for every member of the maximal set."""
    stage.append(1, batch(1))
    stage.commit(1, 2)
    assert stage.rule == "I-3"


def test_i3_leader_without_committed_records(stage: Stage) -> None:
    """I-3: whoever leads a later epoch holds all that was committed before."""
    stage.log(3)
    stage.lead(3, epoch=1)
    assert stage.rule == "I-3"


def test_i3_late_leader_of_an_earlier_epoch(stage: Stage) -> None:
    """I-3: who learns late that it was elected need not hold what later epochs committed."""
    stage.log(3)
    stage.lead(2, epoch=2)
    stage.append(2, batch(1, epoch=2))
    stage.commit(2, 2, epoch=2, isr=(2,))
    stage.append(3, batch(0))
    stage.lead(3, epoch=1)
    assert stage.rule == ""


def test_i4_truncation_of_committed_records(stage: Stage) -> None:
    """I-4: what is committed is never cut off."""
    stage.truncate(2, 0)
    assert stage.rule == "I-4"


def test_i4_truncation_of_what_was_not_committed(stage: Stage) -> None:
    """I-4: a suffix that nobody committed may go."""
    stage.append(2, batch(1))
    stage.truncate(2, 1)
    assert stage.rule == ""


def test_i5_acknowledged_and_not_committed(stage: Stage) -> None:
    """I-5: a client is told of committed records only."""
    send = Send("p", 1, HERE, b"p|1|", -1, 0.0, 1.0)
    stage.history.begin(send)
    stage.history.acknowledge(send, 5, 0.5)
    assert stage.rule == "I-5"


def test_i6_acknowledged_with_too_few(stage: Stage) -> None:
    """I-6: the watermark does not move with less than min.insync.replicas."""
    stage.append(1, batch(1))
    stage.commit(1, 2, isr=(1,), min_in_sync=2)
    assert stage.rule == "I-6"


def test_i10_member_that_lacks_records(stage: Stage) -> None:
    """I-10: members hold everything below the watermark."""
    partition = stage.partition(1)
    stage.tell(1, "isr-committed", partition=partition, isr=(1, 3), partition_epoch=1)
    assert stage.rule == "I-10"


def test_i10_joining_without_what_is_committed(stage: Stage) -> None:
    """I-10, 497-04: nobody joins below the watermark."""
    proposal(stage, 1, 2, 3)
    assert stage.rule == "I-10"


def proposal(stage: Stage, *members: int, relinquish: bool = False) -> None:
    change = SimpleNamespace(isr=tuple((one, -1) for one in members), relinquish=relinquish)
    name = "relinquish" if relinquish else "isr-proposed"
    stage.tell(1, name, partition=stage.partition(1), change=change)


def test_i11_member_dropped_while_its_fetch_is_open(stage: Stage) -> None:
    """I-11: a follower stays while its fetch is being worked on (501-05)."""
    stage.tell(1, "pending-added", partition=stage.partition(1), replica_id=2, key="k")
    proposal(stage, 1)
    assert stage.rule == "I-11"


def test_i11_member_dropped_after_its_fetch(stage: Stage) -> None:
    """I-11: and may go when the fetch is over."""
    stage.tell(1, "pending-added", partition=stage.partition(1), replica_id=2, key="k")
    stage.tell(1, "pending-removed", partition=stage.partition(1), replica_id=2, key="k")
    proposal(stage, 1)
    assert stage.rule == ""


def test_i12_hand_over_that_changes_the_set(stage: Stage) -> None:
    """I-12: a hand-over keeps the set, the old leader last (501-12)."""
    proposal(stage, 2, 1, relinquish=True)
    assert stage.rule == ""
    proposal(stage, 1, 2, relinquish=True)
    assert stage.rule == "I-12"


def test_i13_start_above_the_watermark(stage: Stage) -> None:
    """I-13: nothing that is not committed is deleted."""
    log = stage.log(1)
    log.log_start_offset, log.log_end_offset = 5, 9
    stage.tell(1, "log-start", log=log, offset=5)
    assert stage.rule == "I-13"


def test_i16_applied_backwards(stage: Stage) -> None:
    """I-16: a node never applies an offset twice."""
    image = SimpleNamespace(last_offset=-1)
    stage.tell(1, "metadata-applied", offset=5, image=image)
    stage.tell(1, "metadata-applied", offset=4, image=image)
    assert stage.rule == "I-16"


def test_i1_two_leaders_of_the_quorum(stage: Stage) -> None:
    """I-1: at most one node leads the quorum in an epoch."""
    stage.tell(1, "elected", epoch=3)
    stage.tell(2, "elected", epoch=3)
    assert stage.rule == "I-1"


def test_i7_watermark_of_the_quorum_goes_back(stage: Stage) -> None:
    """I-7: it is monotone in each incarnation."""
    stage.tell(1, "quorum-hw", high_watermark=5, epoch=1)
    stage.tell(1, "quorum-hw", high_watermark=4, epoch=1)
    assert stage.rule == "I-7"


def test_i14_log_without_snapshot(stage: Stage) -> None:
    """I-14: a metadata log begins at 0, or where a snapshot of its node reaches."""
    names = ["00000000000000000000.log", f"{50:020}-{1:010}.checkpoint"]
    log = SimpleNamespace(
        topic="__cluster_metadata", partition=0, name="m", topic_id=bytes(16), segments=[],
        log_start_offset=0, log_end_offset=90, high_watermark=90, directory="/m",
        env=SimpleNamespace(disk=SimpleNamespace(list_directory=lambda _: names)),
    )  # fmt: skip
    stage.tell(1, "log-opened", log=log)
    log.log_start_offset = 50
    stage.tell(1, "log-start", log=log, offset=50)
    assert stage.rule == ""
    log.log_start_offset = 60
    stage.tell(1, "log-start", log=log, offset=60)
    assert stage.rule == "I-14"


def test_i15_metadata_let_go_that_somebody_needs() -> None:
    """I-15, 630-07: what a live replica does not have stays; who is gone is not waited for."""
    stage = Stage()

    def opened(node: int, end: int) -> Any:
        log = SimpleNamespace(
            topic="__cluster_metadata", partition=0, name="m", topic_id=bytes(16), segments=[],
            log_start_offset=0, log_end_offset=end, high_watermark=end, directory="/m",
            env=SimpleNamespace(
                disk=SimpleNamespace(list_directory=lambda _: [f"{50:020}-{1:010}.checkpoint"])
            ),
        )  # fmt: skip
        stage.tell(node, "log-opened", log=log)
        return log

    log = opened(1, 90)
    opened(2, 60)
    opened(3, 40)
    log.log_start_offset = 50
    stage.live = [2]
    stage.tell(1, "log-start", log=log, offset=50)
    assert stage.rule == ""
    stage.live = [2, 3]
    stage.tell(1, "log-start", log=log, offset=50)
    assert stage.rule == "I-15"


def test_i18_latest_goes_back(stage: Stage) -> None:
    """I-18: an answer is not lower than one that came before its question."""
    stage.history.answered(Latest("a", HERE, 7, 1.0, 2.0))
    stage.history.answered(Latest("b", HERE, 5, 1.5, 3.0))  # asked before: may be older
    assert stage.rule == ""
    stage.history.answered(Latest("b", HERE, 6, 2.5, 3.0))
    assert stage.rule == "I-18"


def read(stage: Stage, offset: int, value: bytes = b"v") -> None:
    stage.history.read(Read("c", HERE, offset, value, 0))


def test_i19_skip_without_a_word(stage: Stage) -> None:
    """I-19: offsets follow on, unless the consumer said that it moved."""
    stage.append(1, batch(1, 3))
    stage.append(2, batch(1, 3))
    stage.commit(1, 4)
    read(stage, 0, b"a")
    stage.history.moved(Moved("c", HERE, 1, 2, "out of range"))
    read(stage, 2, b"b")
    assert stage.rule == ""
    read(stage, 1, b"c")
    assert stage.rule == "I-19"


def test_i20_told_of_a_truncation_that_was_none(stage: Stage) -> None:
    """I-20: what a consumer has read is committed, so it is never told that it was cut off."""
    reason = "the log was truncated"
    stage.history.moved(Moved("c", HERE, 5, 3, "out of range"))
    assert stage.rule == ""
    stage.history.moved(Moved("c", HERE, 5, 3, reason, is_truncation=True))
    assert stage.rule == "I-20"


def test_i22_two_producers_with_one_id(stage: Stage) -> None:
    """I-22: producer ids are given once; an epoch more of the same producer is no other id."""

    def producer(producer_id: int, epoch: int) -> Any:
        identity = SimpleNamespace(_current=(producer_id, epoch))
        return SimpleNamespace(_sender=SimpleNamespace(_identity=identity))

    stage.contract.check_producer_ids([("p", producer(1, 0)), ("q", producer(2, 0))])
    stage.contract.check_producer_ids([("p", producer(1, 1)), ("q", producer(2, 0))])
    with pytest.raises(InvariantError, match=r"I-22: p and q have producer id 1"):
        stage.contract.check_producer_ids([("p", producer(1, 1)), ("q", producer(1, 0))])


def test_i25_a_client_goes_back_to_an_earlier_leader(stage: Stage) -> None:
    """I-25: seen at once, by whichever way the client has learned it."""
    cache = MetadataCache()
    stage.history.joined("c", SimpleNamespace(_cluster=SimpleNamespace(metadata=cache)))
    cache.nodes = {1: Node(1, "h", 1), 2: Node(2, "h", 2)}
    known = PartitionMetadata(0, 1, 4, (1, 2), (1, 2), (), 0)
    cache.topics["t"] = TopicMetadata("t", TOPIC_ID, {0: known})
    assert cache.apply_leader_hint("t", 0, 2, 5, None)
    assert stage.rule == ""
    cache.topics["t"].partitions[0] = known
    assert not cache.apply_leader_hint("t", 0, 2, 3, None)
    assert stage.rule == "I-25"


def test_i27_records_of_another_topic(stage: Stage) -> None:
    """I-27: a reader of a topic says that it got what was written to another of the same name."""
    stage.history.foreign("churn-0-0@3 holds what was written to topic number 1")
    assert stage.rule == "I-27"


def test_i21_one_value_at_two_offsets(stage: Stage) -> None:
    """I-21: an idempotent producer's record is stored once."""
    stage.append(1, batch(1))
    stage.append(2, batch(1))
    stage.commit(1, 2)
    read(stage, 0, b"a")
    read(stage, 1, b"a")
    assert stage.rule == "I-21"


def test_i21_a_leader_that_began_after_the_first_copy(stage: Stage) -> None:
    """I-21: retention took the first copy, and the leader began its log behind it (98-03): it has
    no state of that producer. A leader that had the first copy has."""
    stage.append(1, batch(1))
    stage.commit(1, 2, isr=(1,))
    read(stage, 1, b"a")
    log = stage.log(2)
    log.first_segment_offset = log.log_start_offset = log.log_end_offset = 5
    stage.tell(2, "truncate", log=log, offset=5)
    for offset in (5, 6):
        stage.append(2, batch(offset))
    stage.lead(2, 1)
    stage.commit(2, 7, 1, isr=(2,))
    stage.history.read(Read("d", HERE, 5, b"a", 0))
    assert stage.rule == ""
    stage.history.read(Read("d", HERE, 6, b"a", 0))
    assert stage.rule == "I-21"


def test_i4_two_values_at_one_offset(stage: Stage) -> None:
    """I-4: every reader sees the same history."""
    read(stage, 0, b"a")
    stage.history.read(Read("d", HERE, 0, b"b", 0))
    assert stage.rule == "I-4"


def test_i3_read_of_what_is_not_committed(stage: Stage) -> None:
    """I-3: consumers get committed records only."""
    read(stage, 0, b"a")
    read(stage, 1, b"b")
    assert stage.rule == "I-3"


def test_i8_an_epoch_goes_back(stage: Stage) -> None:
    """I-8: a node that still has its disk knows the epochs of the quorum that it was in."""
    stage.tell(1, "epoch", epoch=4)
    stage.tell(1, "epoch", epoch=4)
    assert stage.rule == ""
    stage.tell(1, "epoch", epoch=3)
    assert stage.rule == "I-8"


def test_i8_is_about_a_disk(stage: Stage) -> None:
    """I-8: a node on another disk has forgotten them, and may hear of an old one first."""
    stage.tell(1, "epoch", epoch=4)
    stage.disk.replaced += 1
    stage.tell(1, "epoch", epoch=3)
    assert stage.rule == ""
    stage.tell(1, "epoch", epoch=2)
    assert stage.rule == "I-8"


def test_an_election_that_may_lose_records_ends_promises_about_them(stage: Stage) -> None:
    """98-03: a leader that lost a producer's batches takes a gap; other promises still hold."""
    ghost = stage.committed.ghost_of(TOPIC_ID, HERE.partition)
    assert ghost is not None
    ghost.is_unclean = True
    stage.history.wrong("98-03", "a gap is stored", HERE)
    assert stage.rule == ""
    stage.history.wrong("227-02", "a session forgot a partition")
    assert stage.rule == "227-02"


def test_a_gap_that_is_stored_is_told(stage: Stage) -> None:
    """98-03: while the partition's promises hold."""
    stage.history.wrong("98-03", "a gap is stored", HERE)
    assert stage.rule == "98-03"


def test_an_event_without_a_name_is_told() -> None:
    """Goal: product code and the list of events agree."""
    stage = Stage()
    stage.tell(1, "no-such-event")
    assert stage.rule == "trace"


def test_a_check_that_fails_by_itself_is_no_fault_of_the_node() -> None:
    """Goal: nothing but a verdict comes of it; raised into the node it would be taken for an error
    of the node's own, and perhaps be caught there."""

    def check(event: Event) -> None:
        raise KeyError(event.name)

    stage = Stage()
    stage.bus.listen("vote", check)
    stage.tell(1, "vote", epoch=1, voted_id=1)
    assert stage.rule == "trace"
