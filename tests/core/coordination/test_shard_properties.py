"""Any run of operations, commits, failures and unloads: state, answers and log fit together."""

from __future__ import annotations

from random import Random

import pytest
from kit.examples import examples
from kit.shard_parts import MemoryLog, Parts, record

from barnabas.broker.core.coordination.machine import Outcome, Producer
from barnabas.broker.core.coordination.shard import Phase
from barnabas.broker.core.coordination.shard_writer import ShardRules
from barnabas.protocol.errors import ErrorCode, KafkaError


class CountingReply:
    """Counts its answers, and notes how far the log was committed then."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.answers = 0
        self.is_given = False

    def give(self, answer: int) -> None:
        self.answers += 1
        self.is_given = True
        value = self._run.parts.log.high_watermark
        assert answer <= value, "answered before it was committed"

    def refuse(self, error: KafkaError) -> None:
        self.answers += 1


class Run:
    """One run by its seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.rules = ShardRules(linger_ms=self.random.choice((-1, 0, 5)), timeout_ms=50)
        self.parts = Parts(self._new_log(), self.rules).load()
        self.replies: list[CountingReply] = []
        self.told: dict[int, int] = {}

    def _new_log(self) -> MemoryLog:
        log = MemoryLog()
        log.max_batch_bytes = self.random.choice((400, 1_000_000))
        return log

    def step(self) -> None:
        kind = self.random.choices(
            ("write", "empty", "run", "commit", "fail", "heal", "give up", "reload"),
            (10, 3, 6, 4, 1, 2, 0.2, 0.5),
        )[0]
        getattr(self, kind.replace(" ", "_"))()
        if self.parts.shard.phase is Phase.GONE:
            self.reload()

    def write(self) -> None:
        pick = self.random
        records = [
            record(pick.choice("abcdef"), pick.choice((None, pick.randrange(1000))))
            for _ in range(pick.randrange(1, 8))
        ]
        producer = Producer(pick.randrange(3), 0) if pick.random() < 0.1 else None
        number = len(self.replies)

        def told(code: ErrorCode) -> None:
            self.told[number] = self.told.get(number, 0) + 1

        def decide() -> Outcome[int]:
            # The last of its records is at this offset or beyond.
            end = self.parts.shard.writer.next_offset + len(records)  # a bound from below
            return Outcome(
                end,
                records,
                is_atomic=pick.random() < 0.2,
                producer=producer,
                on_appended=told,
            )

        reply = CountingReply(self)
        self.replies.append(reply)
        self.parts.shard.write(decide, reply)

    def empty(self) -> None:
        end = self.parts.log.end_offset
        reply = CountingReply(self)
        self.replies.append(reply)
        self.parts.shard.write(lambda: Outcome(end), reply)

    def run(self) -> None:
        self.parts.loop.run(self.random.choice((0, 1, 10, 60)))

    def commit(self) -> None:
        log = self.parts.log
        log.commit(self.random.randint(log.high_watermark, log.end_offset))

    def fail(self) -> None:
        self.parts.log.refusal = KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)

    def heal(self) -> None:
        self.parts.log.refusal = None

    def give_up(self) -> None:
        self.parts.log.give_up(ErrorCode.NOT_LEADER_OR_FOLLOWER)

    def reload(self) -> None:
        """Another epoch: the state is what the log says."""
        log, old = self.parts.log, self.parts
        old.shard.unload()
        log.refusal = None
        log.give_up(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        self.parts = Parts(log, self.rules).load()

    def check(self) -> None:
        parts = self.parts
        open_batch = parts.shard.writer.open
        if open_batch is None:
            assert parts.state == self._replayed(parts.log.end_offset)
        committed = self._replayed(parts.shard.committed_offset)
        assert parts.committed == committed
        assert parts.shard.committed_offset <= parts.log.high_watermark
        assert all(reply.answers <= 1 for reply in self.replies)
        assert all(times == 1 for times in self.told.values())

    def _replayed(self, upto: int) -> dict[str, int]:
        found: dict[str, int] = {}
        for batch in self.parts.log.load():
            for one, offset in batch.records:
                if offset >= upto:
                    continue
                key = one.key.group  # type: ignore[attr-defined]  # they are offset commits
                if one.value is None:
                    found.pop(key, None)
                else:
                    found[key] = one.value.offset  # type: ignore[attr-defined]  # the same
        return found

    def end(self) -> None:
        """Everything is written and committed: everybody has an answer."""
        self.heal()
        self.parts.loop.run(100)
        self.parts.log.commit()
        self.check()
        assert all(reply.answers == 1 for reply in self.replies)


@pytest.mark.parametrize("seed", range(examples(60)))
def test_state_log_and_answers_fit_together(seed: int) -> None:
    """State equals the replay of the log, nobody is answered before the commit, everybody once
    (CRT-06, CRT-07, CRT-09)."""
    run = Run(seed)
    for _ in range(120):
        run.step()
        run.check()
    run.end()
