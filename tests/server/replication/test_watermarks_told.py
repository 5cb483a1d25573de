"""What a leader has told once it does not tell again: a follower must not lose it (227-02)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kit.waiting import until

from barnabas.protocol.message import Message

from .followers import LEADER, TOPIC_ID, following
from .leaders import FakeLeader, same

OTHER_ID = bytes(14) + b"\x0b\x08"


class SlowLeader:
    """Holds answers back: all on the second connection, and the second one on the first."""

    def __init__(self, leader: FakeLeader) -> None:
        self._leader = leader
        self._serve = leader.serve
        self.side_may_go = asyncio.Event()
        self.main_may_go = asyncio.Event()
        self.held = 0

    async def serve(self, request: Message, *, is_main: bool) -> Message:
        """As the leader, later."""
        is_second = is_main and len(self._leader.requests) == 1
        answer = await self._serve(request, is_main=is_main)
        if not is_main or is_second:
            self.held += 1
            await (self.main_may_go if is_main else self.side_may_go).wait()
        return answer


async def test_a_late_answer_still_tells_the_watermark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """392-13: its records are here already, but its watermark is newer, and is not told again."""
    async with following(tmp_path, replica_fetch_wait_max_ms=20_000) as follower:
        leader = follower.leader
        first, led = leader.lead(TOPIC_ID), leader.lead(OTHER_ID)
        follower.partition().follow(LEADER, 0)
        await until(lambda: leader.parked)
        slow = SlowLeader(leader)
        monkeypatch.setattr(leader, "serve", slow.serve)
        led.append(3)
        late = follower.partition(OTHER_ID)
        late.follow(LEADER, 0)
        await until(lambda: slow.held == 1)
        # Its records were sent before they were committed; now they are, and are sent once more.
        led.commit()
        first.append()
        leader.tell()
        await until(lambda: slow.held == 2)
        slow.side_may_go.set()
        await until(lambda: same(late, led))
        assert late.high_watermark == 0
        slow.main_may_go.set()
        await until(lambda: late.high_watermark == 3)
