"""Any history of keyed batches, transactions and producers, compacted at any time in between."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.compacting import headers_of, records_of
from kit.examples import examples
from kit.logs import read_all

from barnabas.protocol.compression import Codec

from .keyed_life import RETENTION_MS, KeyedLife, Pairs, read_committed

KEYS = st.sampled_from([b"a", b"b", b"c", b"", b"a key of more than 16 bytes", b"e", b"f"])
VALUES = st.one_of(st.none(), st.binary(max_size=40))
PAIRS = st.lists(st.tuples(KEYS, VALUES), min_size=1, max_size=4).map(tuple)
PRODUCERS = st.integers(1, 3)

DEEDS = st.one_of(
    st.tuples(st.just("write"), PAIRS, st.sampled_from(list(Codec))),
    st.tuples(st.just("write as"), PAIRS, PRODUCERS),
    st.tuples(st.just("transact"), PAIRS, PRODUCERS),
    st.tuples(st.just("transact"), PAIRS, PRODUCERS),
    st.tuples(st.just("end"), PRODUCERS, st.booleans()),
    st.tuples(st.just("end"), PRODUCERS, st.booleans()),
    st.tuples(st.just("roll")),
    st.tuples(st.just("wait"), st.sampled_from([10, RETENTION_MS // 2, RETENTION_MS + 1])),
    st.tuples(st.just("compact"), st.sampled_from([1, 2, 5, 1000])),
    st.tuples(st.just("reopen"), st.booleans(), st.sampled_from([(), (".snapshot",), (".index",)])),
)


def do(life: KeyedLife, deed: tuple[object, ...]) -> None:
    name, *args = deed
    if name == "write":
        life.write(*args)  # type: ignore[arg-type]  # as DEEDS has them
    elif name == "write as":
        pairs, producer = args
        if producer not in life.open:
            life.write(pairs, producer=producer)  # type: ignore[arg-type]  # as above
    elif name == "transact":
        life.transact(*args)  # type: ignore[arg-type]  # as above
    elif name == "end":
        life.end(args[0], commit=bool(args[1]))  # type: ignore[arg-type]  # as above
    elif name == "roll":
        life.log.roll()
    elif name == "wait":
        life.wait(args[0])  # type: ignore[arg-type]  # as above
    elif name == "compact":
        life.compact(args[0])  # type: ignore[arg-type]  # as above
    else:
        life.reopen(clean=bool(args[0]), without=args[1])  # type: ignore[arg-type]  # as above


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(DEEDS, max_size=60))
def test_nothing_is_lost_that_must_stay(deeds: list[tuple[object, ...]]) -> None:
    """CMP-04 to CMP-11: the last value of each key, tombstones for their time, producers, offsets;
    a reader at any offset gets on, and so it is after opening the log anew."""
    life = KeyedLife()
    for deed in deeds:
        do(life, deed)
    life.log.roll()
    life.compact()
    life.check()
    life.reopen(clean=False, without=(".snapshot",))
    life.check()


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(DEEDS, max_size=40))
def test_a_second_round_finds_nothing_to_do(deeds: list[tuple[object, ...]]) -> None:
    """CMP-07: after the passes that markers need, the same round changes no byte any more."""
    life = KeyedLife()
    for deed in deeds:
        do(life, deed)
    life.log.roll()
    life.compact()
    records = read_committed(life.log)
    before = read_all(life.log)
    for _ in range(3):
        before = read_all(life.log)
        life.log.compaction.clean_end = 0
        life.compact()
        assert read_committed(life.log) == records
    assert read_all(life.log) == before


def live(life: KeyedLife, random: Random, deeds: int) -> None:
    """A long history, which rolls segments and leaves little of most of them."""
    keys = [b"a", b"b", b"", b"a key of more than 16 bytes", *(b"%d" % one for one in range(5))]

    def pairs() -> Pairs:
        count = random.randint(1, 4)
        values = [random.choice([None, random.randbytes(random.randrange(40))]) for _ in range(4)]
        return tuple((random.choice(keys), values[one]) for one in range(count))

    for _ in range(deeds):
        producer = random.randint(1, 3)
        kind = random.choices(
            ["write", "write as", "transact", "end", "roll", "wait", "compact", "reopen"],
            [30, 15, 30, 20, 2, 4, 8, 3],
        )[0]
        do(
            life,
            {
                "write": ("write", pairs(), random.choice(list(Codec))),
                "write as": ("write as", pairs(), producer),
                "transact": ("transact", pairs(), producer),
                "end": ("end", producer, random.random() < 0.5),
                "roll": ("roll",),
                "wait": ("wait", random.choice([10, RETENTION_MS // 2, RETENTION_MS + 1])),
                "compact": ("compact", random.choice([1, 2, 5, 1000, 1000])),
                "reopen": (
                    "reopen",
                    random.random() < 0.5,
                    random.choice([(), (".snapshot",), (".index",)]),
                ),
            }[kind],
        )


@pytest.mark.parametrize("seed", range(examples(16)))
def test_long_histories(seed: int) -> None:
    """CMP-04 to CMP-11, as above, where segments are rolled, merged and emptied."""
    random = Random(seed)
    life = KeyedLife()
    live(life, random, 150)
    for producer in list(life.open):
        life.end(producer, commit=random.random() < 0.5)
    life.log.roll()
    life.compact()
    life.check()
    life.wait(RETENTION_MS + 1)
    for _ in range(3):
        life.log.compaction.clean_end = 0
        life.compact()
        life.check()
        life.wait(RETENTION_MS + 1)
    kept = [record.offset for record in records_of(life.log)]
    assert kept == [record.offset for record in read_committed(life.log)], "aborted ones are gone"
    life.reopen(clean=False, without=(".snapshot", ".txnindex"))
    life.check()
    sizes = {header.record_count for header in headers_of(life.log) if not header.is_control}
    assert sizes, "batches of the producers are kept"
    markers = sum(header.is_control for header in headers_of(life.log))
    assert markers <= 7, "most transactions have left nothing, not even a marker"


@pytest.mark.parametrize("keys", [1, 3])
def test_a_map_that_is_too_small_needs_more_rounds(keys: int) -> None:
    """CMP-03: every round gets on, also where a single batch has more keys than the map takes."""
    life = KeyedLife()
    for number in range(40):
        pairs: Pairs = tuple((b"k%d" % ((number + one) % 9), b"v%d" % number) for one in range(6))
        life.write(pairs)
    life.log.roll()
    life.compact(keys)
    assert life.log.compaction.clean_end == life.log.log_end_offset
    assert len(read_committed(life.log)) == 9
