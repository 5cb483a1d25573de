"""The audit counts what is alike, and lets no client write into it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from kit.list_logger import ListLogger

from barnabas.broker.observe.audit import KEYS_MAX, TEXT_MAX, Audit
from barnabas.broker.observe.logging import Logger


class Clock:
    def __init__(self) -> None:
        self.now_ms = 0.0

    def __call__(self) -> float:
        return self.now_ms


def nothing() -> Mapping[str, object]:
    return {}


def test_lines_that_are_alike_are_counted() -> None:
    """SEC-06: so many in a minute; the next one tells how many were left out, others are apart."""
    log, clock = ListLogger(), Clock()
    audit = Audit(log, clock, 3)
    for _ in range(10):
        audit.write("User:a", "Fetch", "denied", nothing)
    audit.write("User:b", "Fetch", "denied", nothing)
    audit.write("User:a", "Produce", "denied", nothing)
    assert len(log.lines) == 5
    clock.now_ms = 60_000.0
    audit.write("User:a", "Fetch", "denied", nothing)
    audit.write("User:a", "Fetch", "denied", nothing)
    assert [fields.get("left_out") for fields in log.events("denied")[5:]] == [7, None]


def test_what_is_left_out_costs_little() -> None:
    """SEC-06: nobody asks what would stand in a line that is not written."""
    audit = Audit(ListLogger(), Clock(), 1)
    asked = []

    def fields() -> Mapping[str, object]:
        asked.append(1)
        return {}

    for _ in range(5):
        audit.write("User:a", "Fetch", "denied", fields)
    assert asked == [1]


def test_very_many_principals() -> None:
    """SEC-06: what is counted has a bound, beyond which strangers share one count."""
    log = ListLogger()
    audit = Audit(log, Clock(), 1)
    for number in range(KEYS_MAX + 50):
        audit.write(f"User:{number}", "Fetch", "denied", nothing)
    assert len(log.lines) == KEYS_MAX + 1
    assert len(audit._counts) == KEYS_MAX + 1


def test_texts_of_clients(capsys: pytest.CaptureFixture[str]) -> None:
    """SEC-06, ATK-43: a line break stays within its JSON string, a long text is cut."""
    audit = Audit(Logger("json", log="audit"), Clock(), 10)
    evil = 'x\n{"log": "audit", "principal": "User:admin"}\u2028'
    audit.write("User:" + evil, "Fetch", "denied", lambda: {"client_id": "y" * 10_000})
    (line,) = capsys.readouterr().err.splitlines()
    read = json.loads(line)
    assert read["principal"] == "User:" + evil
    assert len(read["client_id"]) == TEXT_MAX + 1
    assert (read["log"], read["event"]) == ("audit", "denied")
