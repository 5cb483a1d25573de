"""Goal: whatever part of an exactly-once write runs again, each row is seen once; without Spark."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable, Sequence

import pyarrow as pa
import pytest

from barnabas.client import Admin
from barnabas.client.errors import ProducerFencedError
from barnabas.spark.errors import WriteError
from barnabas.spark.exactly_once import ExactlyOnce, PreparedRows
from barnabas.spark.options import parse_write_options
from barnabas.spark.part import Part

from .exactly_once import committed_offsets, committed_values, open_transactions
from .topics import fill, wait_for

pytestmark = pytest.mark.slow

QUERIES = itertools.count()
SCHEMA = pa.schema([("value", pa.binary())])


class Query:
    """A streaming query as its sink sees it: batches of tasks, each with its rows."""

    def __init__(self, bootstrap: str, topic: str, **options: str) -> None:
        self.bootstrap, self.topic = bootstrap, topic
        self.name = f"query-{next(QUERIES)}"
        given = {
            "barnabas.bootstrap.servers": bootstrap,
            "deliveryGuarantee": "exactly-once",
            "topic": topic,
            **options,
        }
        self.sink = ExactlyOnce(parse_write_options(given))

    def task(self, batch_id: int | None, number: int, rows: Sequence[str]) -> PreparedRows:
        """One task of a batch; its message as the driver gets it."""
        values = pa.array([each.encode() for each in rows], pa.binary())
        batches = [pa.record_batch([values], schema=SCHEMA)]
        message = self.sink.write(Part(self.name, number, batch_id), iter(batches))
        received = pickle.loads(pickle.dumps(message))
        assert isinstance(received, PreparedRows)
        return received

    def tasks(self, batch_id: int, rows: Sequence[Sequence[str]]) -> list[PreparedRows]:
        """All tasks of a batch."""
        return [self.task(batch_id, number, each) for number, each in enumerate(rows)]

    def commit_only(self, *messages: PreparedRows) -> None:
        """The driver commits these, and dies."""

        async def work() -> None:
            async with Admin(bootstrap_servers=self.bootstrap) as admin:
                for each in messages:
                    assert each.transaction is not None
                    await admin.commit_prepared_transaction(each.transaction)

        wait_for(work())

    def note(self, messages: Sequence[PreparedRows]) -> None:
        """What the driver does before it commits the first."""

        async def work() -> None:
            async with Admin(bootstrap_servers=self.bootstrap) as admin:
                await self.sink.note_tasks(admin, messages)

        wait_for(work())

    def seen(self) -> list[str]:
        """The values that readers see."""
        return [each.decode() for each in wait_for(committed_values(self.bootstrap, self.topic))]

    def left_open(self) -> list[str]:
        """Transactional ids of this query with an open transaction."""
        return wait_for(open_transactions(self.bootstrap, f"barnabas-spark-{self.name}"))


@pytest.fixture
def query(bootstrap: str, new_topic: Callable[[], str]) -> Query:
    topic = new_topic()
    fill(bootstrap, topic, [[], []])
    return Query(bootstrap, topic)


def test_nothing_is_seen_before_the_driver_commits(query: Query) -> None:
    """KIP-98: and then the rows of all tasks are."""
    messages = query.tasks(0, [["a", "b"], [], ["c"]])
    assert query.seen() == []
    query.sink.commit(messages)
    assert query.seen() == ["a", "b", "c"]
    query.sink.commit(query.tasks(1, [["d"], ["e"]]))
    assert query.seen() == ["a", "b", "c", "d", "e"]
    assert query.left_open() == []


def test_a_task_that_runs_again_replaces_the_first_run(query: Query) -> None:
    """KIP-98: the zombie is fenced, and what it wrote is never seen."""
    zombie = query.task(0, 0, ["a", "b"])
    message = query.task(0, 0, ["a", "b"])
    with pytest.raises(ProducerFencedError):
        query.commit_only(zombie)
    query.sink.commit([message])
    assert query.seen() == ["a", "b"]


def test_a_batch_that_is_aborted_and_run_again(query: Query) -> None:
    """A task of it failed."""
    query.sink.abort([query.task(0, 0, ["a"]), None, query.task(0, 2, ["c"])])
    assert query.left_open() == []
    assert query.seen() == []
    query.sink.commit(query.tasks(0, [["a"], ["b"], ["c"]]))
    assert query.seen() == ["a", "b", "c"]


def test_a_killed_task_leaves_nothing_open(query: Query) -> None:
    """Spark kills the tasks beside one that failed: they tell nothing, and readers would wait."""
    first, killed = query.task(0, 0, ["a"]), query.task(0, 1, ["b"])
    query.sink.abort([first, None])
    assert query.left_open() == []
    with pytest.raises(ProducerFencedError):
        query.commit_only(killed)
    query.task(None, 0, ["c"])
    query.sink.abort([None, None], query.name)
    assert query.left_open() == []
    assert query.seen() == []


def test_a_task_that_begins_after_the_abort_writes_nothing(query: Query) -> None:
    """Spark does not wait for the tasks that it kills: one may begin when the others are fenced.
    Nobody would end its transaction, and readers would wait for it."""
    query.sink.abort([query.task(None, 0, ["a"]), None], query.name)
    with pytest.raises(WriteError, match=f"write .*{query.name} was aborted before"):
        query.task(None, 1, ["b"])
    assert query.left_open() == []
    query.sink.abort([query.task(0, 0, ["a"]), None], query.name)
    query.sink.commit(query.tasks(0, [["a"], ["b"]]))
    assert query.seen() == ["a", "b"]


@pytest.mark.parametrize("ended", [[], [0], [1], [0, 2], [0, 1, 2]])
def test_a_driver_that_dies_between_commits(query: Query, ended: list[int]) -> None:
    """What is committed is skipped by the next run, and what is not is written."""
    rows = [["a", "b"], ["c"], ["d"]]
    messages = query.tasks(4, rows)
    query.note(messages)
    query.commit_only(*(messages[number] for number in ended))
    again = query.tasks(4, rows)
    assert [each.is_skipped for each in again] == [number in ended for number in range(3)]
    query.sink.commit(again)
    assert query.seen() == ["a", "b", "c", "d"]
    assert query.left_open() == []
    groups = [f"barnabas-spark-{query.name}-{number}" for number in range(3)]
    assert wait_for(committed_offsets(query.bootstrap, groups, query.topic)) == [5, 5, 5]


def test_a_batch_that_is_complete_is_skipped(query: Query) -> None:
    """Spark died before it noted that the batch was done."""
    rows = [["a"], ["b"]]
    query.sink.commit(query.tasks(0, rows))
    query.sink.commit(query.tasks(0, rows))
    assert query.seen() == ["a", "b"]


def test_a_commit_that_failed_is_aborted_as_spark_does(query: Query) -> None:
    """What is committed stays so, the rest is aborted, and the next run completes it."""
    rows = [["a"], ["b"]]
    messages = query.tasks(0, rows)
    query.note(messages)
    query.commit_only(messages[0])
    query.sink.abort(messages)
    assert query.left_open() == []
    assert query.seen() == ["a"]
    query.sink.commit(query.tasks(0, rows))
    assert query.seen() == ["a", "b"]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([["a"], ["b"], ["c"]], "with 2 rows, and now has 1"),
        ([["a", "b"], ["c"]], "in part, by 3 tasks, and now it has 2"),
        ([["a", "b"], ["c"], [], ["d"]], "in part, by 3 tasks, and now it has 4"),
        ([[], ["a", "b", "c"], ["d"]], "task 0 of batch 0 .* is committed, and has no rows now"),
    ],
    ids=["fewer-rows", "fewer-tasks", "more-tasks", "no-rows"],
)
def test_other_tasks_cannot_complete_a_batch(
    query: Query, rows: list[list[str]], text: str
) -> None:
    """Rows that are spread differently would be seen twice, or never: an error, and no harm."""
    messages = query.tasks(0, [["a", "b"], ["c"], ["d"]])
    query.note(messages)
    query.commit_only(messages[0])

    def run_again() -> None:
        again = query.tasks(0, rows)
        try:
            query.sink.commit(again)
        except WriteError:
            query.sink.abort(again)
            raise

    with pytest.raises(WriteError, match=text):
        run_again()
    assert query.seen() == ["a", "b"]
    query.sink.commit(query.tasks(0, [["a", "b"], ["c"], ["d"]]))
    assert query.seen() == ["a", "b", "c", "d"]


def test_other_tasks_may_take_a_batch_of_which_nothing_is_committed(query: Query) -> None:
    """The driver died before it ended the first."""
    query.note(query.tasks(0, [["a", "b"], ["c"], ["d"]]))
    query.sink.commit(query.tasks(0, [["a", "b", "c", "d"]]))
    assert query.seen() == ["a", "b", "c", "d"]
    assert query.left_open() == [], "those that have no successor are fenced"


def test_a_checkpoint_that_is_older_than_the_topic(query: Query) -> None:
    """Neither to write nor to skip would be right."""
    for number in range(3):
        query.sink.commit([query.task(number, 0, [str(number)])])
    with pytest.raises(WriteError, match=r"written batch 2 already, and runs batch 1 now"):
        query.task(1, 0, ["1"])


def test_topics_by_column(bootstrap: str, new_topic: Callable[[], str]) -> None:
    """The offset is with the first row's topic, wherever that was the last time."""
    one, two = new_topic(), new_topic()
    for topic in (one, two):
        fill(bootstrap, topic, [[]])
    query = Query(bootstrap, one)
    query.sink = ExactlyOnce(
        parse_write_options(
            {"barnabas.bootstrap.servers": bootstrap, "deliveryGuarantee": "exactly_once"}
        )
    )

    def task(batch_id: int, *topics: str) -> PreparedRows:
        values = [b"%d" % batch_id] * len(topics)
        rows = pa.record_batch({"value": pa.array(values, pa.binary()), "topic": pa.array(topics)})
        return query.sink.write(Part(query.name, 0, batch_id), iter([rows]))

    query.sink.commit([task(0, one, two)])
    query.sink.commit([task(1, two, one)])
    assert task(1, two, one).is_skipped
    query.sink.commit([task(2, one)])
    assert task(2, one).is_skipped
    assert query.seen() == ["0", "1", "2"]


def test_a_batch_write_needs_no_offsets(query: Query) -> None:
    """There is no second run of it that could ask for them."""
    zombie = query.task(None, 0, ["a"])
    messages = [query.task(None, 0, ["a"]), query.task(None, 1, ["b"])]
    query.sink.commit(messages)
    with pytest.raises(ProducerFencedError):
        query.commit_only(zombie)
    assert query.seen() == ["a", "b"]
    group = f"barnabas-spark-{query.name}-0"
    assert wait_for(committed_offsets(query.bootstrap, [group], query.topic)) == [-1]


def test_an_abort_ends_what_another_run_of_a_task_has_begun(query: Query) -> None:
    """A batch write whose driver was told of the first of two runs: the second one is fenced."""
    first, told = query.task(None, 0, ["a"]), query.task(None, 1, ["b"])
    query.task(None, 1, ["b"])
    query.sink.abort([first, told], query.name)
    assert query.left_open() == []
    assert query.seen() == []
