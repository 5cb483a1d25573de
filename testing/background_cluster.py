"""A cluster for programs without an event loop: it runs in a thread of its own.

    with BackgroundCluster(brokers=3) as cluster:
        producer = confluent_kafka.Producer({"bootstrap.servers": cluster.bootstrap})
        ...
        cluster.kill(cluster.wait_for_leader("t"))

Every method waits for what it does. In a coroutine take `cluster.Cluster` instead, which does not
hold up the loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable
from types import TracebackType
from typing import Any, Self, TypeVar

from .cluster import Cluster, ClusterError
from .cluster_view import WAIT_S
from .links import Member
from .secured.folder import APPLICATION

Result = TypeVar("Result")

END_TIMEOUT_S = 90.0
"""How long a call may take in the other thread before it counts as stuck."""


class BackgroundCluster:
    """The same arguments, methods and errors as `cluster.Cluster`, but blocking; `look` and `run`
    reach what is left."""

    def __init__(self, brokers: int = 3, **options: Any) -> None:
        """Plan the cluster; nothing runs yet. See `Cluster`. Raises LayoutError."""
        self._cluster = Cluster(brokers, **options)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="barnabas", daemon=True)
        self._beginning = threading.Lock()

    @property
    def bootstrap(self) -> str:
        """The addresses of all brokers, as `host:port,…`."""
        return self._cluster.bootstrap

    def client_options(self, user: str = APPLICATION) -> dict[str, Any]:
        """See `Cluster.client_options`."""
        return self.look(lambda cluster: cluster.client_options(user))

    def client_properties(self, user: str = APPLICATION) -> dict[str, str]:
        """See `Cluster.client_properties`."""
        return self.look(lambda cluster: cluster.client_properties(user))

    def run(self, work: Callable[[Cluster], Coroutine[Any, Any, Result]]) -> Result:
        """Run a coroutine on the cluster's loop: `run(lambda cluster: cluster.kill(1))`.

        Raises what the coroutine raises; TimeoutError if it is not done after END_TIMEOUT_S;
        ClusterError if the cluster is closed.
        """
        self._begin()
        done = asyncio.run_coroutine_threadsafe(work(self._cluster), self._loop)
        try:
            return done.result(END_TIMEOUT_S)
        except TimeoutError:
            done.cancel()
            raise

    def _begin(self) -> None:
        """Start the thread with the first call: `with` is not the only way to begin."""
        with self._beginning:
            if self._loop.is_closed():
                raise ClusterError("the cluster is closed")
            if self._thread.ident is None:
                self._thread.start()

    def look(self, at: Callable[[Cluster], Result]) -> Result:
        """Evaluate something on the cluster's loop, where nothing changes meanwhile: `look(lambda
        c: c.image)`."""

        async def asked(cluster: Cluster) -> Result:
            return at(cluster)

        return self.run(asked)

    # --- all nodes ----------------------------------------------------------------------------

    def __enter__(self) -> Self:
        try:
            self.run(lambda cluster: cluster.start())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all nodes and the thread; nothing happens where that was done."""
        if self._loop.is_closed():
            return
        try:
            self.run(lambda cluster: cluster.close())
            self.run(_end_tasks)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(END_TIMEOUT_S)
            self._loop.close()

    def start(self, *node_ids: int) -> None:
        """See `Cluster.start`."""
        self.run(lambda cluster: cluster.start(*node_ids))

    def begin_start(self, node_id: int) -> None:
        """See `Cluster.begin_start`; `wait_for_brokers` waits for the end of it."""

        async def begin(cluster: Cluster) -> None:
            await cluster.begin_start(node_id)

        self.run(begin)

    # --- faults -------------------------------------------------------------------------------

    def stop(self, node_id: int) -> None:
        """See `Cluster.stop`."""
        self.run(lambda cluster: cluster.stop(node_id))

    def kill(self, node_id: int) -> None:
        """See `Cluster.kill`."""
        self.run(lambda cluster: cluster.kill(node_id))

    def restart(self, node_id: int) -> None:
        """See `Cluster.restart`."""
        self.run(lambda cluster: cluster.restart(node_id))

    def pause(self, node_id: int) -> None:
        """See `Cluster.pause`."""
        self.look(lambda cluster: cluster.pause(node_id))

    def resume(self, node_id: int) -> None:
        """See `Cluster.resume`."""
        self.look(lambda cluster: cluster.resume(node_id))

    def cut(self, one: Member, other: Member, *, one_way: bool = False) -> None:
        """See `Cluster.cut`."""
        self.look(lambda cluster: cluster.cut(one, other, one_way=one_way))

    def isolate(self, node_id: int) -> None:
        """See `Cluster.isolate`."""
        self.look(lambda cluster: cluster.isolate(node_id))

    def heal(self) -> None:
        """See `Cluster.heal`."""
        self.look(lambda cluster: cluster.heal())

    # --- waiting ------------------------------------------------------------------------------

    def wait_until(
        self, condition: Callable[[Cluster], object], what: str = "it", timeout_s: float = WAIT_S
    ) -> None:
        """See `Cluster.wait_until`; the condition is asked on the cluster's loop, as by `look`."""
        self.run(lambda cluster: cluster.wait_until(lambda: condition(cluster), what, timeout_s))

    def wait_for_leader(
        self, topic: str, partition: int = 0, *, not_: int | None = None, timeout_s: float = WAIT_S
    ) -> int:
        """See `Cluster.wait_for_leader`."""
        return self.run(
            lambda cluster: cluster.wait_for_leader(
                topic, partition, not_=not_, timeout_s=timeout_s
            )
        )

    def wait_for_isr(
        self, topic: str, partition: int, isr: Iterable[int], timeout_s: float = WAIT_S
    ) -> None:
        """See `Cluster.wait_for_isr`."""
        self.run(lambda cluster: cluster.wait_for_isr(topic, partition, isr, timeout_s))

    def wait_for_brokers(
        self, brokers: Iterable[int] | None = None, timeout_s: float = WAIT_S
    ) -> None:
        """See `Cluster.wait_for_brokers`."""
        self.run(lambda cluster: cluster.wait_for_brokers(brokers, timeout_s))

    def wait_for_fencing(self, broker: int, timeout_s: float = WAIT_S) -> None:
        """See `Cluster.wait_for_fencing`."""
        self.run(lambda cluster: cluster.wait_for_fencing(broker, timeout_s))


async def _end_tasks(_: Cluster) -> None:
    """Let what is still being sent leave, and end the threads of the executor."""
    loop = asyncio.get_running_loop()
    own = asyncio.current_task()
    left = [task for task in asyncio.all_tasks(loop) if task is not own]
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()
