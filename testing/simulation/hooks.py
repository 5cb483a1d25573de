"""The hook bus: every event of every node comes through here, is checked, folded and kept.

Product code tells `NodeHooks` (one an incarnation); the bus hands the event to the checks that
listen to its name, folds it into the run's hash, and keeps the last ones for the trace. A check
that fails ends the run at the next turn of the loop: nothing is raised into product code, which
might catch it.
"""

from __future__ import annotations

import hashlib
import marshal
import zlib
from collections import deque
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

from .events import NAMES, Event, Listener
from .incarnation import Incarnation
from .loop import SimulatedLoop
from .points import POINTS

TRACE_EVENTS = 2000
BUGGIFY_FIRES = 0.05
"""How often an armed point makes trouble."""

LogLine = Callable[[str, str, dict[str, object]], object]
"""The level, event and fields of a line that a node writes to its log."""

Told = list[Any]
"""Time, node, incarnation, name, and the fields' names and values in turn."""

_PLAIN = frozenset((int, float, str, bool, type(None)))
_BYTES = (bytes, bytearray, memoryview)
_TEXT = (int, float, str)
_MAKERS: dict[type, Callable[[Any], Any]] = {}
"""How to make values of each class plain, for the classes seen so far."""

_MARSHAL_VERSION = 2
"""Later versions write down which values are the same object, which differs between runs."""


class InvariantError(AssertionError):
    """An invariant does not hold; `rule` is its id (I-4, L-2), the text says what is wrong."""

    def __init__(self, rule: str, text: str) -> None:
        super().__init__(f"{rule}: {text}")
        self.rule = rule


class HookBus:
    """The listeners by event name, the trace, and the hash of the run."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self.loop = loop
        self._trace: deque[str | Told] = deque(maxlen=TRACE_EVENTS)
        self.counts: dict[str, int] = dict.fromkeys(NAMES, 0)
        self.trouble: dict[str, int] = {}
        """How often each buggify point made trouble."""
        self.checking_s = 0.0
        """The real time that checks took."""
        self._listeners: dict[str, list[Listener]] = {name: [] for name in NAMES}
        self._line_listeners: list[LogLine] = []
        self._hash = hashlib.blake2b(digest_size=16)
        self._stop_after: int | None = None

    def listen(self, names: str, listener: Listener, *, early: bool = False) -> None:
        """Have `listener` called for these events (names separated by spaces); `early`: before
        others."""
        for name in names.split():
            listeners = self._listeners[name]
            listeners.insert(0 if early else len(listeners), listener)

    def listen_to_lines(self, listener: LogLine) -> None:
        """Have `listener` called for each line that a node writes to its log."""
        self._line_listeners.append(listener)

    def tell_line(self, level: str, event: str, fields: dict[str, object]) -> None:
        """Take a line of a node's log."""
        for listener in self._line_listeners:
            listener(level, event, fields)

    def tell(self, node: str, incarnation: int, name: str, fields: dict[str, Any]) -> None:
        """Take an event: into the trace, the hash and the checks. Never raises."""
        listeners = self._listeners.get(name)
        if listeners is None:
            self.fail(InvariantError("trace", f"{node} tells {name!r}, which no list names"))
            return
        self.counts[name] += 1
        now = self.loop.now
        told: Told = [now, node, incarnation, name]
        for key, value in fields.items():
            told.append(key)
            told.append(value if type(value) in _PLAIN else _plain(value))
        self._trace.append(told)
        self._hash.update(marshal.dumps(told, _MARSHAL_VERSION))
        if not listeners or self.loop.violation is not None:
            return
        # As Event() does it, which would cost a call more.
        event = tuple.__new__(Event, (now, node, incarnation, name, fields))
        begun = perf_counter()
        # What a check reads of the disks is no work of the node that told of the event.
        work = self.loop.work
        was_on_thread, work.is_on_thread = work.is_on_thread, True
        try:
            for listener in listeners:
                listener(event)
        except InvariantError as error:
            self.fail(error)
        except Exception as error:  # would look like the node's own, and be taken for that
            self.fail(InvariantError("trace", f"a check of {name} of {node} fails: {error!r}"))
        finally:
            work.is_on_thread = was_on_thread
            self.checking_s += perf_counter() - begun

    def note(self, text: str) -> None:
        """Take a line of the simulator itself for the trace and the hash: faults, calls of
        clients."""
        line = f"{self.loop.now:12.6f} {text}"
        self._trace.append(line)
        self._hash.update(line.encode())

    def check(self, check: Callable[..., object], *args: Any) -> None:
        """Run a check that is caused by no event of a node."""
        if self.loop.violation is not None:
            return
        begun = perf_counter()
        try:
            check(*args)
        except InvariantError as error:
            self.fail(error)
        finally:
            self.checking_s += perf_counter() - begun

    def fail(self, error: AssertionError) -> None:
        """End the run with this verdict, unless it has one."""
        if self.loop.violation is None:
            self.note(f"VIOLATION {error}")
            self.loop.violation = error

    @property
    def trace(self) -> list[str]:
        """The last events, one a line."""
        return [line if isinstance(line, str) else _line_of(line) for line in self._trace]

    def digest(self) -> str:
        """The hash of everything told so far: equal for equal runs."""
        return self._hash.hexdigest()


class NodeHooks:
    """What one incarnation of a node tells; implements the Hooks port."""

    __slots__ = ("_armed", "_bus", "_number", "_random", "_tell", "node")

    def __init__(
        self, bus: HookBus, incarnation: Incarnation, random: Random, armed: Callable[[str], bool]
    ) -> None:
        self._bus = bus
        self._tell = bus.tell
        self._random = random
        self._armed = armed
        self.node = incarnation.node
        self._number = incarnation.number

    def on(self, event: str, **fields: Any) -> None:
        self._tell(self.node, self._number, event, fields)

    def maybe(self, name: str) -> bool:
        if name not in POINTS:
            self._bus.fail(InvariantError("trace", f"{self.node} asks at {name!r}, no known point"))
        if not self._armed(name) or self._random.random() >= BUGGIFY_FIRES:
            return False
        self._bus.trouble[name] = self._bus.trouble.get(name, 0) + 1
        self._bus.note(f"{self.node}#{self._number} trouble {name}")
        return True


def _plain(value: Any) -> Any:
    """The form in which hash and trace keep a value, alike in each run: without addresses and
    hashes.

    It is made at once, since objects change later; it becomes text only if somebody reads it.
    """
    kind = type(value)
    return (_MAKERS.get(kind) or _maker_of(kind))(value)


def _maker_of(kind: type) -> Callable[[Any], Any]:
    """How values of a class are made plain, by what all its instances have in common."""
    make: Callable[[Any], Any] = _plain_object
    if kind is tuple:
        make = _plain_tuple
    elif issubclass(kind, _BYTES):
        make = _plain_bytes
    elif issubclass(kind, _TEXT):
        make = str
    elif not _may_have(kind, "name") and not _may_have(kind, "topic"):
        make = _name_of_class
    _MAKERS[kind] = make
    return make


def _may_have(kind: type, attribute: str) -> bool:
    """Whether an instance may have this attribute: its class has it, or instances have their
    own."""
    return bool(kind.__dictoffset__) or hasattr(kind, attribute) or hasattr(kind, "__getattr__")


def _plain_tuple(value: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([one if type(one) in _PLAIN else _plain(one) for one in value])


def _plain_bytes(value: bytes | bytearray | memoryview) -> str:
    return f"{len(value)}B/{zlib.crc32(value):08x}"


def _plain_object(value: Any) -> str:
    name = getattr(value, "name", None)
    if isinstance(name, str):
        return name
    topic = getattr(value, "topic", None)
    if topic is not None:
        return f"{topic}-{getattr(value, 'index', '?')}"
    return type(value).__name__


def _name_of_class(value: Any) -> str:
    return type(value).__name__


def _line_of(told: Told) -> str:
    """An event as a line of the trace."""
    at_s, node, incarnation, name, *fields = told
    pairs = zip(fields[::2], fields[1::2], strict=True)
    text = " ".join(f"{key}={_text_of(value)}" for key, value in pairs)
    return f"{at_s:12.6f} {node}#{incarnation} {name} {text}"


def _text_of(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ",".join(map(_text_of, value)) + ")"
    return str(value)
