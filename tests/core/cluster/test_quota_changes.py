"""AlterClientQuotas as the controller decides it: refusals, and which records are written."""

from __future__ import annotations

import math

import pytest
from kit.controllers import Cluster

from barnabas.broker.core.cluster.commands import AlterClientQuotas, QuotaChange
from barnabas.broker.core.cluster.quota_changes import RECORDS_MAX
from barnabas.protocol.errors import ErrorCode

PRODUCE, PERCENT, CONNECTIONS = (
    "producer_byte_rate",
    "request_percentage",
    "connection_creation_rate",
)
ALICE = (("user", "alice"),)
ADDRESS = (("ip", "10.0.0.1"),)

Entity = tuple[tuple[str, str | None], ...]


def change(
    cluster: Cluster, entity: Entity, *limits: tuple[str, float | None]
) -> tuple[int, str | None]:
    (answer,) = cluster.do(AlterClientQuotas((QuotaChange(entity, limits),)))
    return answer.code, answer.message


@pytest.mark.parametrize(
    ("entity", "key", "value", "words"),
    [
        ((), PRODUCE, 1, "empty client quota entity"),
        ((("group", "g"),), PRODUCE, 1, "entity type: group"),
        ((("user", ""),), PRODUCE, 1, "Empty user"),
        ((("user", "a"), ("user", "b")), PRODUCE, 1, "duplicate entity type user"),
        ((("user", "u" * 40_000),), PRODUCE, 1, "at most 32767 bytes"),
        ((*ADDRESS, *ALICE), CONNECTIONS, 1, "should not be combined"),
        ((("ip", "localhost"),), CONNECTIONS, 1, "localhost is not a valid IP address"),
        (ALICE, "bytes", 1, "Invalid configuration key bytes"),
        (ALICE, CONNECTIONS, 1, "Invalid configuration key"),
        (ADDRESS, PRODUCE, 1, "Invalid configuration key"),
        (ALICE, PRODUCE, 0, "greater than 0"),
        (ALICE, PRODUCE, -0.0, "greater than 0"),
        (ALICE, PERCENT, -1, "greater than 0"),
        (ALICE, PRODUCE, 1.5, "fractional"),
        (ADDRESS, CONNECTIONS, 1.5, "fractional"),
        (ALICE, PRODUCE, 1e300, "too large for a LONG"),
        (ADDRESS, CONNECTIONS, 3e9, "too large for an INT"),
        (ALICE, PRODUCE, math.nan, "must be a number"),
        (ALICE, PERCENT, math.nan, "must be a number"),
        (ALICE, PERCENT, math.inf, "too large for a DOUBLE"),
        (ALICE, PRODUCE, math.inf, "too large for a LONG"),
    ],
)
def test_what_is_refused(entity: Entity, key: str, value: float, words: str) -> None:
    """QTA-01, QTA-04, ATK-41, ATK-42: INVALID_REQUEST, with words that name what is wrong."""
    cluster = Cluster(1)
    code, message = change(cluster, entity, (key, value))
    assert code == ErrorCode.INVALID_REQUEST
    assert words in (message or "")
    assert cluster.image.security.quotas == {}


def test_limits_are_set_and_removed() -> None:
    """QTA-04, QTA-06: what is set survives in the log; an unchanged value writes no record."""
    cluster = Cluster(1)
    pair = (("user", "alice"), ("client-id", None))
    assert change(cluster, pair, (PRODUCE, 1000), (PERCENT, 0.5)) == (0, None)
    end = len(cluster.log)
    assert change(cluster, pair[::-1], (PRODUCE, 1000)) == (0, None)
    assert change(cluster, ALICE, (PERCENT, None), ("no such key", None)) == (0, None)
    assert len(cluster.log) == end
    assert change(cluster, pair, (PERCENT, None)) == (0, None)
    assert {key: one.value for key, one in cluster.image.security.quotas.items()} == {
        ((("client-id", None), ("user", "alice")), PRODUCE): 1000
    }
    assert cluster.replayed() == cluster.image


def test_named_twice_is_refused_everywhere() -> None:
    """QTA-04: of an entity or a key that is named twice nothing is changed; others are."""
    cluster = Cluster(1)
    twice = (("client-id", "c"), *ALICE)
    answers = cluster.do(
        AlterClientQuotas(
            (
                QuotaChange(twice, ((PERCENT, 1.0),)),
                QuotaChange(ADDRESS, ((CONNECTIONS, 3.0),)),
                QuotaChange(twice[::-1], ((PERCENT, 2.0),)),
                QuotaChange(ALICE, ((PERCENT, 1.0), (PERCENT, None))),
            )
        )
    )
    assert [answer.code for answer in answers] == [42, 0, 42, 42]
    assert list(cluster.image.security.quotas) == [(ADDRESS, CONNECTIONS)]


def test_a_validation_writes_nothing() -> None:
    """QTA-04: the same answers, and no record."""
    cluster = Cluster(1)
    asked = (QuotaChange(ALICE, ((PERCENT, 1.0),)), QuotaChange((), ()))
    records, answers = cluster.decide(AlterClientQuotas(asked, validate_only=True))
    assert records == []
    assert [answer.code for answer in answers] == [0, 42]


def test_one_request_has_a_bound() -> None:
    """QTA-04: more records than one batch may have are refused as a whole."""
    changes = tuple(
        QuotaChange((("user", f"u{number}"),), ((PERCENT, 1.0),))
        for number in range(RECORDS_MAX + 1)
    )
    assert Cluster(1).refusal(AlterClientQuotas(changes)) is ErrorCode.POLICY_VIOLATION
