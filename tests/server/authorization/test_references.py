"""Names that a request says again and again are decided once, and told of once (ACL-20)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from kit.authorization import acl_for
from kit.broker import running
from kit.list_logger import ListLogger

from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.broker.core.security.acl_index import AclIndex
from barnabas.broker.core.security.authorizer import Authorizer
from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.core.security.resources import Operation, topic_resource
from barnabas.broker.observe.audit import Audit
from barnabas.broker.serving import rights
from barnabas.broker.serving.rights import AccessControl, LimitedRights
from barnabas.protocol.header import RequestHeader
from barnabas.protocol.messages.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)


class Scene:
    """One request of somebody without rights, whose steps end when `finish` is called."""

    def __init__(self) -> None:
        self.index = AclIndex()
        self.authorizer = Authorizer(lambda: self.index)
        self.log = ListLogger()
        self._later: list[Callable[[], object]] = []
        self.access = AccessControl(
            self.authorizer, Audit(self.log, lambda: 0.0, 10**6), soon=self._later.append
        )
        asker: Any = SimpleNamespace(
            header=RequestHeader(1, 11, 1, "c"),
            principal=ANONYMOUS,
            client_host="10.0.0.1",
            listener_name="L",
            forwarded_by=None,
        )
        self.rights = LimitedRights(self.access, asker)

    def ask(self, name: str, times: int = 1) -> list[bool]:
        return [self.rights.may(Operation.READ, topic_resource(name)) for _ in range(times)]

    def finish(self) -> list[tuple[object, object]]:
        """What the audit is told: resources and references, of this step alone."""
        before = len(self.log.lines)
        for work in self._later:
            work()
        self._later.clear()
        lines = self.log.lines[before:]
        return [(fields["resource"], fields["references"]) for _, _, fields in lines]


def test_one_decision_a_name() -> None:
    """ACL-20, SEC-07: and one line, which counts the references."""
    scene = Scene()
    assert scene.ask("a", 3) + scene.ask("b") + scene.ask("a", 2) == [False] * 6
    assert scene.finish() == [("Topic:LITERAL:a", 5), ("Topic:LITERAL:b", 1)]
    assert scene.authorizer.denied == 2
    assert scene.finish() == []


def test_later_steps_of_a_request() -> None:
    """ACL-20: what is asked again after a wait is not decided again, but told of."""
    scene = Scene()
    scene.ask("a", 2)
    assert scene.finish() == [("Topic:LITERAL:a", 2)]
    scene.ask("a")
    assert scene.finish() == [("Topic:LITERAL:a", 1)]
    assert scene.authorizer.denied == 1


def test_entries_that_change_meanwhile() -> None:
    """ACL-20, ACL-21: what was decided in the same request before is void."""
    scene = Scene()
    scene.ask("a", 2)
    scene.index.add(bytes(16), acl_for("TOPIC:a:READ", str(ANONYMOUS)))
    assert scene.ask("a", 2) == [True, True]
    (told,) = scene.log.lines
    assert told[2]["references"] == 2, "the refusals, when they became void"
    assert scene.finish() == []
    assert (scene.authorizer.denied, scene.authorizer.allowed) == (1, 1)


def test_very_many_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACL-20: what is kept of a request has a bound, and nothing is left out of the audit."""
    monkeypatch.setattr(rights, "DECIDED_MAX", 3)
    scene = Scene()
    for name in "abcda":
        scene.ask(name)
    assert len(scene.rights._decided) <= 3
    told = scene.finish()
    assert len(scene.log.lines) == 5
    assert told[-1] == ("Topic:LITERAL:a", 1)


async def test_a_request_that_repeats_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ACL-20: each entry is refused, and the audit has one line."""
    partition = ListOffsetsPartition(partition_index=0, timestamp=-1)
    asked = ListOffsetsTopic(name="t", partitions=[partition])
    settings: dict[str, Any] = {"authorizer_class_name": STANDARD_AUTHORIZER}
    async with running(tmp_path, **settings) as bench, bench.connect() as client:
        answer = await client.ask(ListOffsetsRequest(replica_id=-1, topics=[asked] * 7), 1)
    assert {row.error_code for topic in answer.topics for row in topic.partitions} == {29}
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (denied,) = [line for line in lines if line["event"] == "denied"]
    assert (denied["resource"], denied["references"]) == ("Topic:LITERAL:t", 7)
