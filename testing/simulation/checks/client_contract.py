"""What clients may rely on: I-18 to I-22, I-25, I-27; and every reader sees one history (I-4)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from typing import Any

from barnabas.client import TopicPartition
from barnabas.testing.simulation.hooks import HookBus, InvariantError
from barnabas.testing.simulation.workload.history import WEAK, History, Latest, Moved, Read, Send

from .committed import Committed, Ghost

TopicIds = Callable[[str], bytes | None]


class ClientContract:
    """Listens to the history of the clients."""

    def __init__(
        self, bus: HookBus, history: History, committed: Committed, topic_id_of: TopicIds
    ) -> None:
        self._bus = bus
        self._history = history
        self._committed = committed
        self._topic_id_of = topic_id_of
        self._next: dict[tuple[str, TopicPartition], int] = {}
        self._values: dict[TopicPartition, dict[int, bytes]] = {}
        self._places: dict[bytes, tuple[TopicPartition, int]] = {}
        self._answers: dict[TopicPartition, list[tuple[float, int]]] = {}
        self._epochs: dict[tuple[str, Any], int] = {}
        self._producers: dict[int, str] = {}
        history.on_acked.append(partial(bus.check, self._acked))
        history.on_read.append(partial(bus.check, self._read))
        history.on_moved.append(partial(bus.check, self._moved))
        history.on_joined.append(self._watch_epochs)
        history.on_foreign.append(partial(bus.check, _fail_foreign))
        history.on_wrong.append(partial(bus.check, self._wrong))
        history.on_latest.append(partial(bus.check, self._latest))
        history.on_changed.append(partial(bus.check, self._changed))

    def _ghost_of(self, where: TopicPartition) -> Ghost | None:
        """What is committed there; None while nothing is."""
        topic_id = self._topic_id_of(where.topic)
        return None if topic_id is None else self._committed.ghost_of(topic_id, where.partition)

    def _promises_are_off(self, where: TopicPartition) -> bool:
        """After an unclean election, which was allowed."""
        ghost = self._ghost_of(where)
        return ghost is not None and ghost.is_unclean

    def _acked(self, send: Send) -> None:
        if self._promises_are_off(send.where):
            return
        topic_id = self._topic_id_of(send.where.topic)
        self._committed.on_client_acked(send, topic_id)
        if send.offset >= 0 and send.acks == -1:
            self._hold(send.where, send.offset, send.value, "acknowledged")

    def _read(self, read: Read) -> None:
        ghost = self._ghost_of(read.where)
        if ghost is not None and ghost.is_unclean:
            return
        self._check_next(read)
        self._hold(read.where, read.offset, read.value, f"read by {read.consumer}")
        if ghost is None and self._topic_id_of(read.where.topic) is None:
            return
        if ghost is None or ghost.end <= read.offset:
            end = None if ghost is None else ghost.end
            raise InvariantError(
                "I-3", f"{read.consumer} reads {read.where}@{read.offset}, committed is {end}"
            )

    def _check_next(self, read: Read) -> None:
        """I-19: nothing of our topics is compacted, so offsets follow on, or a move was told."""
        key = (read.consumer, read.where)
        expected = self._next.get(key)
        if expected is not None and read.offset != expected:
            kind = "again" if read.offset < expected else "and skips what lies between"
            raise InvariantError(
                "I-19",
                f"{read.consumer} reads {read.where}@{read.offset} {kind}; next was {expected}",
            )
        self._next[key] = read.offset + 1

    def _moved(self, moved: Moved) -> None:
        """The consumer said so: what it does next is explained."""
        self._bus.note(
            f"{moved.consumer} moved {moved.where} {moved.from_offset} to {moved.to_offset}:"
            f" {moved.reason}"
        )
        self._next.pop((moved.consumer, moved.where), None)
        if moved.is_truncation and not self._promises_are_off(moved.where):
            # Consumers get committed records only, and those are never cut off.
            raise InvariantError(
                "I-20",
                f"{moved.consumer} is told that {moved.where} was truncated to {moved.to_offset};"
                f" it had read up to {moved.from_offset}, all of it committed",
            )

    def _hold(self, where: TopicPartition, offset: int, value: bytes, how: str) -> None:
        """One value at one offset, for all readers and writers (I-4), and once only (I-21)."""
        known = self._values.setdefault(where, {}).setdefault(offset, value)
        if known != value:
            raise InvariantError(
                "I-4",
                f"{where}@{offset} {how} is {value[:24]!r}, it was {known[:24]!r} before",
            )
        place = self._places.setdefault(value, (where, offset))
        if place != (where, offset) and not value.startswith(WEAK):
            ghost = self._ghost_of(where)
            if place[0] == where and ghost is not None and place[1] < ghost.forgotten:
                self._places[value] = (where, offset)
                return
            raise InvariantError(
                "I-21", f"{value[:24]!r} is at {place[0]}@{place[1]} and at {where}@{offset}"
            )

    def _changed(self, where: TopicPartition, text: str) -> None:
        """CMP-22: of each key the last value is there."""
        if not self._promises_are_off(where):
            raise InvariantError("CMP-22", f"{where}: {text}")

    def _wrong(self, rule: str, text: str, where: TopicPartition | None) -> None:
        """Somebody was answered what the rule does not allow."""
        if where is None or not self._promises_are_off(where):
            raise InvariantError(rule, text)

    def _latest(self, latest: Latest) -> None:
        """I-18: an answer is never lower than one that came before its question was asked."""
        if self._promises_are_off(latest.where):
            return
        answers = self._answers.setdefault(latest.where, [])
        # Both times and offsets ascend, so the last one before the question is the highest.
        before = bisect_left(answers, (latest.asked_s, 0))
        floor = answers[before - 1][1] if before else 0
        if latest.offset < floor:
            raise InvariantError(
                "I-18",
                f"LATEST of {latest.where}: {latest.poller} asked at {latest.asked_s:.6f} and got"
                f" {latest.offset}; {floor} had been answered before",
            )
        if not answers or latest.offset > answers[-1][1]:
            answers.append((latest.answered_s, latest.offset))

    def _watch_epochs(self, name: str, client: Any) -> None:
        """I-25, whenever the client learns something of the cluster."""
        cluster = getattr(client, "_cluster", None)
        if cluster is None:
            return
        cache = cluster.metadata
        learn, follow_hint = cache.apply, cache.apply_leader_hint

        def apply(*args: Any) -> Any:
            found = learn(*args)
            self._bus.check(self._check_epochs, name, cache)
            return found

        def apply_leader_hint(*args: Any) -> Any:
            found = follow_hint(*args)
            self._bus.check(self._check_epochs, name, cache)
            return found

        cache.apply, cache.apply_leader_hint = apply, apply_leader_hint

    def _check_epochs(self, name: str, cache: Any) -> None:
        """I-25: the leader epoch that a client knows of a partition never goes down."""
        for topic in cache.topics.values():
            for number, partition in topic.partitions.items():
                key = (name, (topic.topic_id, number))
                epoch = partition.leader_epoch
                if epoch < self._epochs.get(key, -1):
                    raise InvariantError(
                        "I-25",
                        f"{name} knew epoch {self._epochs[key]} of {topic.name}-{number},"
                        f" now {epoch}",
                    )
                self._epochs[key] = epoch

    def check_producer_ids(self, clients: list[tuple[str, Any]]) -> None:
        """I-22: no two producers have one id."""
        for name, client in clients:
            identity = getattr(getattr(client, "_sender", None), "_identity", None)
            current = getattr(identity, "_current", None)
            if current is None:
                continue
            known = self._producers.setdefault(current[0], name)
            if known != name:
                raise InvariantError("I-22", f"{known} and {name} have producer id {current[0]}")

    def check_all_acked_were_read(self, reader: str, starts: dict[TopicPartition, int]) -> None:
        """I-5, at the end: a reader of everything has seen every acknowledged record."""
        for where, acked in sorted(self._history.acked.items()):
            if self._promises_are_off(where):
                continue
            seen = self._next.get((reader, where), 0)
            for offset, send in sorted(acked.items()):
                if send.acks != -1 or offset < starts.get(where, 0):
                    continue
                if offset >= seen or self._values[where].get(offset) != send.value:
                    raise InvariantError(
                        "I-5",
                        f"{where}@{offset} ({send.producer} {send.number}) was acknowledged at"
                        f" {send.ended_s:.6f}; {reader} read up to {seen} and did not see it",
                    )


def _fail_foreign(text: str) -> None:
    """I-27: a topic's readers get what was written to this topic, not to one of the same name."""
    raise InvariantError("I-27", text)
