"""How a decision of the product is compared with what its rule says.

A reference is a second statement of a rule, written from the rule and not from the code: a function
of the same arguments that changes nothing. It is asked first, then the product; if both do not
answer alike, the run ends with the rule. What the product raises is an answer too: its error code.
The product itself knows nothing of that, and pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.testing.simulation.hooks import HookBus, InvariantError
from barnabas.testing.simulation.incarnation import CURRENT

Function = Callable[..., Any]


class Unsure(Exception):  # noqa: N818 - no error: a reference says that it cannot tell
    """The rule says nothing about these arguments."""


class Rule(NamedTuple):
    """A decision of the product, and what its rule says."""

    rule: str
    target: Any
    """The module or class that holds the function."""
    name: str
    expected: Function
    """The reference."""
    is_after: bool = False
    """`expected(*args)` is a generator: it looks around, yields, gets the answer (an error's code,
    or the error), and looks again; what it raises as AssertionError is what is wrong."""


def answer_of(function: Function, *args: Any, **options: Any) -> Any:
    """What it returns, or the code of the error that it raises."""
    try:
        return function(*args, **options)
    except KafkaError as error:
        return error.code


def refusal(code: ErrorCode) -> KafkaError:
    """To be raised by references."""
    return KafkaError(code)


class Asking(NamedTuple):
    """What is asked beyond what a run asks by itself."""

    neighbours: Mapping[Function, Callable[..., Iterator[tuple[Any, ...]]]]
    """By the reference: (random, the arguments that came) -> arguments to ask as well."""
    seldom: Mapping[Function, tuple[Any, ...]]
    """References of decisions that are asked at the beginning of a run, and with what."""
    seed: int = 0


NOTHING_ELSE = Asking({}, {})
LOOKED_AT_EACH = 64
"""Of a kind of decision the first, second, fourth, ... are looked at, and one of so many."""

ROUNDS_AT_THE_BEGINNING = 8


@contextmanager
def compared(
    bus: HookBus, rules: tuple[Rule, ...], asking: Asking = NOTHING_ELSE
) -> Iterator[None]:
    """While this is open every such decision is compared."""
    comparisons = [Comparison(bus, rule, asking) for rule in rules]
    with ExitStack() as stack:
        for one in comparisons:
            stack.enter_context(patch.object(one.rule.target, one.rule.name, one.replacement()))
        for one in comparisons:
            one.ask_at_the_beginning()
        yield


class Comparison:
    """One decision beside its rule, for the length of a run."""

    def __init__(self, bus: HookBus, rule: Rule, asking: Asking) -> None:
        self.rule = rule
        self._bus = bus
        original: Any = getattr(rule.target, rule.name)
        self._is_property = isinstance(original, property)
        self._original: Function = original.fget if self._is_property else original
        self._near = asking.neighbours.get(rule.expected)
        self._first = asking.seldom.get(rule.expected)
        self._random = Random(f"{rule.name} {asking.seed}")
        self._count = 0

    def replacement(self) -> Function | property:
        """What is there instead of the product's function, or property."""
        answer = self._bracketed if self.rule.is_after else self._compared

        def call(*args: Any, **options: Any) -> Any:
            self._count += 1
            count = self._count
            # Before the call, which may change what it is about.
            if self._near is not None and (not count & (count - 1) or not count % LOOKED_AT_EACH):
                self._ask_near(args, options)
            return answer(*args, **options)

        return property(call) if self._is_property else call

    def ask_at_the_beginning(self) -> None:
        """Ask what many runs never do."""
        for _ in range(ROUNDS_AT_THE_BEGINNING if self._first is not None else 0):
            self._ask_near(self._first or (), {})

    def _ask_near(self, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        assert self._near is not None
        answer = self._bracketed if self.rule.is_after else self._compared
        for near in self._near(self._random, *args, **options):
            with suppress(KafkaError):
                answer(*near, **options)

    def _compared(self, *args: Any, **options: Any) -> Any:
        try:
            expected = answer_of(self.rule.expected, *args, **options)
        except Unsure:
            return self._original(*args, **options)
        try:
            found = self._original(*args, **options)
        except KafkaError as error:
            if error.code != expected:
                self._fail(f"it is {error.code!r}, should be {expected!r}")
            raise
        if found != expected:
            self._fail(f"it is {found!r}, should be {expected!r}")
        return found

    def _bracketed(self, *args: Any, **options: Any) -> Any:
        watching = self.rule.expected(*args, **options)
        next(watching)
        found = answer = None
        try:
            found = answer = self._original(*args, **options)
        except BaseException as error:  # a node that dies in the middle answers nothing either
            answer = getattr(error, "code", error)
            raise
        finally:
            try:
                watching.send(answer)
            except StopIteration:
                pass
            except AssertionError as wrong:
                self._fail(str(wrong))
        return found

    def _fail(self, text: str) -> None:
        self._bus.fail(InvariantError(self.rule.rule, f"{_where()} {self.rule.name}: {text}"))


def _where() -> str:
    owner = CURRENT.get()
    return "simulator" if owner is None else f"{owner.node}#{owner.number}"
