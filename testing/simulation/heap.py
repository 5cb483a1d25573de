"""Memory: what the objects of one simulated node take, as its process would hold them.

The objects are those that can be reached from the node itself, from its tasks and from what it has
scheduled, with what its sockets have not taken. Their sizes are Python's own; no clock and no
allocator has a say, so equal runs measure the same. What belongs to the simulator (disks, the
network, the hooks) and what all processes share (classes, modules, functions) is not counted.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final

from .loop import OrderedTask
from .transport import SimulatedTransport

if TYPE_CHECKING:
    from .incarnation import Incarnation
    from .loop import SimulatedLoop
    from .network import SimulatedNetwork

_SHARED: Final = (type, ModuleType, CodeType)
_SIMULATOR: Final = "barnabas.testing."


def heap_bytes(network: SimulatedNetwork, owner: Incarnation, node: object) -> int:
    """Bytes of everything that this life of a node holds."""
    loop = network.loop
    roots = [node, *_coroutines(loop, owner), *_scheduled(loop, owner)]
    return size_of(roots) + unsent_bytes(network, owner)


def size_of(roots: Iterable[object]) -> int:
    """Bytes of these objects and of all that they hold, each counted once."""
    total = 0
    seen: set[int] = set()
    todo = list(roots)
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        kind = type(one)
        if isinstance(one, _SHARED) or kind.__module__.startswith(_SIMULATOR):
            continue
        if kind is FunctionType:
            todo += one.__closure__ or ()  # type: ignore[attr-defined]  # kind says it
            continue
        if kind is BuiltinFunctionType:
            todo.append(one.__self__)  # type: ignore[attr-defined]  # kind says it
            continue
        total += sys.getsizeof(one)
        todo += gc.get_referents(one)
    return total


def _coroutines(loop: SimulatedLoop, owner: Incarnation) -> Iterator[object]:
    for task in asyncio.all_tasks(loop):
        if isinstance(task, OrderedTask) and task.owner is owner:
            yield task.get_coro()


def _scheduled(loop: SimulatedLoop, owner: Incarnation) -> Iterator[Any]:
    """Callbacks with their arguments; what arrives from the network is not the node's yet."""
    timers = (timer for _, _, timer in loop._timers)
    for handle in (*loop._ready, *timers, *owner.held):
        if handle.owner is not owner or handle._cancelled:
            continue
        if isinstance(getattr(handle._callback, "__self__", None), SimulatedTransport):
            continue
        yield handle._callback
        yield from handle._args


def unsent_bytes(network: SimulatedNetwork, owner: Incarnation) -> int:
    """Bytes that the node has written and its sockets have not taken."""
    return sum(
        transport.waiting_bytes
        for transport in network.transports.values()
        if transport.owner is owner
    )
