"""The history against the files: lost, invisible, twice, elsewhere, back in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .history import History, Latest, Read, Send, number_of
from .segments import ReplicaLog, divergences

_SHOWN_MAX = 5


@dataclass(slots=True)
class Verdict:
    """Counts of what must be zero, and each violation in words."""

    acked: int = 0
    failed: int = 0
    lost: int = 0
    """Acknowledged and in no replica's files (I-5)."""
    invisible: int = 0
    """Acknowledged, in the files, and never read (I-19)."""
    duplicates: int = 0
    """Records at two offsets (I-21)."""
    misplaced: int = 0
    """Acknowledged at another offset than they are at."""
    foreign: int = 0
    """Values in the files that nobody sent."""
    back_in_time: int = 0
    """LATEST answers below one that was known before the question (I-18)."""
    skipped: int = 0
    """Offsets that the consumer left out or read again (I-19)."""
    violations: list[str] = field(default_factory=list)

    def add(self, count: int, text: str) -> int:
        """Note a violation if there is any; returns the count."""
        if count:
            self.violations.append(f"{count} {text}")
        return count


def judge(history: History, replicas: Mapping[int, Sequence[ReplicaLog]]) -> Verdict:
    """All checks; the workload must be drained and the nodes stopped."""
    verdict = Verdict(acked=len(history.acked))
    verdict.failed = sum(send.failed_s is not None for send in history.sends)
    _stored(verdict, history, replicas)
    _read(verdict, history)
    back = [text for text in latest_that_went_back(history.latest)]
    verdict.back_in_time = verdict.add(
        len(back), "LATEST answers went back (I-18): " + "; ".join(back[:_SHOWN_MAX])
    )
    for logs in replicas.values():
        verdict.violations += divergences(logs)
    return verdict


def _stored(
    verdict: Verdict, history: History, replicas: Mapping[int, Sequence[ReplicaLog]]
) -> None:
    places: dict[int, set[tuple[int, int]]] = {}
    foreign: list[str] = []
    for partition, logs in replicas.items():
        for log in logs:
            for offset, value in log.values.items():
                number = number_of(value)
                if number is None or number >= len(history.sends):
                    foreign.append(f"{partition}@{offset} on node {log.node_id}")
                else:
                    places.setdefault(number, set()).add((partition, offset))
    lost = [send for send in history.acked if send.number not in places]
    twice = [number for number, where in places.items() if len(where) > 1]
    moved = [
        send
        for send in history.acked
        if send.offset >= 0
        and send.number in places
        and (send.partition, send.offset) not in places[send.number]
    ]
    verdict.lost = verdict.add(len(lost), f"acked records lost (I-5): {_sends(lost)}")
    verdict.duplicates = verdict.add(
        len(twice), f"records stored twice (I-21): {sorted(twice)[:_SHOWN_MAX]}"
    )
    verdict.misplaced = verdict.add(
        len(moved), f"records not where they were acked: {_sends(moved)}"
    )
    verdict.foreign = verdict.add(
        len(foreign), "values that nobody sent: " + ", ".join(foreign[:_SHOWN_MAX])
    )
    read = {number_of(one.value) for one in history.reads}
    unread = [send for send in history.acked if send.number in places and send.number not in read]
    verdict.invisible = verdict.add(
        len(unread), f"acked records in the files but never read: {_sends(unread)}"
    )


def _read(verdict: Verdict, history: History) -> None:
    times = Counter(one.value for one in history.reads)
    twice = sum(count - 1 for count in times.values())
    verdict.duplicates += verdict.add(twice, "records were read twice")
    odd = list(steps_that_skip(history.reads))
    verdict.skipped = verdict.add(
        len(odd), "steps of the consumer that are not by one (I-19): " + "; ".join(odd[:_SHOWN_MAX])
    )


def steps_that_skip(reads: Sequence[Read]) -> list[str]:
    """I-19: offsets of a partition come one after the other; each step that does not, in words."""
    by_partition: dict[int, list[Read]] = {}
    for one in reads:
        by_partition.setdefault(one.partition, []).append(one)
    return [
        f"partition {partition}: {after.offset} after {before.offset}"
        for partition, found in by_partition.items()
        for before, after in pairwise(found)
        if after.offset != before.offset + 1
    ]


def latest_that_went_back(answers: Sequence[Latest]) -> list[str]:
    """I-18: each answer that is below one that was received before the question was asked."""
    found: list[str] = []
    for partition in sorted({one.partition for one in answers}):
        mine = [one for one in answers if one.partition == partition]
        known = sorted(mine, key=lambda one: one.answered_s)
        index, highest = 0, -1
        for one in sorted(mine, key=lambda one: one.asked_s):
            while index < len(known) and known[index].answered_s < one.asked_s:
                highest = max(highest, known[index].offset)
                index += 1
            if one.offset < highest:
                found.append(f"partition {partition}: {one.offset} after {highest}")
    return found


def _sends(sends: Sequence[Send]) -> str:
    return ", ".join(
        f"{send.number} at {send.partition}@{send.offset}" for send in sends[:_SHOWN_MAX]
    )
