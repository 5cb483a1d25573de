"""Which quota holds for whom."""

from __future__ import annotations

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from barnabas.broker.core.quotas.entities import (
    CONNECTION_CREATION_RATE,
    CONSUMER_BYTE_RATE,
    PRODUCER_BYTE_RATE,
    QuotaEntity,
)
from barnabas.broker.core.quotas.table import Limit, QuotaTable

KEY = PRODUCER_BYTE_RATE
LEVELS: list[tuple[QuotaEntity, tuple[str | None, str | None]]] = [
    ((("client-id", "c"), ("user", "u")), ("u", "c")),
    ((("client-id", None), ("user", "u")), ("u", "c")),
    ((("user", "u"),), ("u", None)),
    ((("client-id", "c"), ("user", None)), ("u", "c")),
    ((("client-id", None), ("user", None)), ("u", "c")),
    ((("user", None),), ("u", None)),
    ((("client-id", "c"),), (None, "c")),
    ((("client-id", None),), (None, "c")),
]
"""In the order of precedence, and what is counted together for user u with client id c."""


@given(chosen=st.sets(st.integers(0, 7)))
def test_the_first_of_eight_levels_holds(chosen: set[int]) -> None:
    """QTA-02, QTA-03: whichever levels have the key, the first of them holds."""
    table = QuotaTable((LEVELS[level][0], KEY, level + 1.0) for level in reversed(sorted(chosen)))
    expected = None
    if chosen:
        first = min(chosen)
        expected = Limit(first + 1.0, *LEVELS[first][1])
    assert table.limit(KEY, "u", "c") == expected
    assert table.limit(CONSUMER_BYTE_RATE, "u", "c") is None
    assert table.has(KEY) == bool(chosen)


def test_keys_are_looked_up_one_by_one() -> None:
    """QTA-02: a quota of the pair without this key leaves it to the user's."""
    table = QuotaTable([(LEVELS[0][0], CONSUMER_BYTE_RATE, 5.0), (LEVELS[2][0], KEY, 7.0)])
    assert table.limit(KEY, "u", "c") == Limit(7.0, "u", None)
    assert table.limit(CONSUMER_BYTE_RATE, "u", "c") == Limit(5.0, "u", "c")


def test_others_have_no_quota() -> None:
    """QTA-02: names are compared whole, and a user is no client id."""
    table = QuotaTable([(entity, KEY, 1.0) for entity, _ in LEVELS[:3]])
    for user, client in itertools.product(("", "c", "U", "uu"), ("u", "c")):
        assert table.limit(KEY, user, client) is None


def test_what_kafka_may_have_stored_limits_nothing() -> None:
    """ATK-41: a directory that Kafka wrote may hold NaN, and host names as addresses."""
    table = QuotaTable(
        [
            (LEVELS[0][0], KEY, math.nan),
            ((("ip", "localhost"),), CONNECTION_CREATION_RATE, 1.0),
        ]
    )
    assert not table.has(KEY)
    assert not table.has(CONNECTION_CREATION_RATE)


def test_addresses() -> None:
    """QTA-01: an address has its own quota or the default one, whichever way it is written."""
    table = QuotaTable(
        [
            ((("ip", "10.0.0.1"),), CONNECTION_CREATION_RATE, 3.0),
            ((("ip", "0:0:0:0:0:0:0:1"),), CONNECTION_CREATION_RATE, 4.0),
        ]
    )
    assert table.has(CONNECTION_CREATION_RATE)
    assert table.address_limit("10.0.0.1") == 3.0
    assert table.address_limit("::1") == 4.0
    assert table.address_limit("10.0.0.2") is None
    table = QuotaTable([((("ip", None),), CONNECTION_CREATION_RATE, 5.0)])
    assert table.address_limit("10.0.0.2") == 5.0
