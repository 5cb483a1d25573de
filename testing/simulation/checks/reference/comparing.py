"""How a decision of the product is compared with what its rule says.

A reference is a second statement of a rule, written from the rule and not from the code: a function
of the same arguments that changes nothing. It is asked first, then the product; if both do not
answer alike, the run ends with the rule. What the product raises is an answer too: its error code.
The product itself knows nothing of that, and pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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


@contextmanager
def compared(bus: HookBus, rules: tuple[Rule, ...]) -> Iterator[None]:
    """While this is open every such decision is compared."""
    with ExitStack() as stack:
        for rule in rules:
            original = getattr(rule.target, rule.name)
            make = _bracketing if rule.is_after else _comparing
            stack.enter_context(patch.object(rule.target, rule.name, make(bus, rule, original)))
        yield


def _comparing(bus: HookBus, rule: Rule, original: Function) -> Function:
    expected_of = rule.expected

    def call(*args: Any, **options: Any) -> Any:
        try:
            expected = answer_of(expected_of, *args, **options)
        except Unsure:
            return original(*args, **options)
        try:
            found = original(*args, **options)
        except KafkaError as error:
            if error.code != expected:
                _fail(bus, rule, error.code, expected)
            raise
        if found != expected:
            _fail(bus, rule, found, expected)
        return found

    return call


def _bracketing(bus: HookBus, rule: Rule, original: Function) -> Function:
    def call(*args: Any, **options: Any) -> Any:
        watching = rule.expected(*args, **options)
        next(watching)
        found = answer = None
        try:
            found = answer = original(*args, **options)
        except Exception as error:
            answer = getattr(error, "code", error)
            raise
        finally:
            try:
                watching.send(answer)
            except StopIteration:
                pass
            except AssertionError as wrong:
                bus.fail(InvariantError(rule.rule, f"{_where()} {rule.name}: {wrong}"))
        return found

    return call


def _fail(bus: HookBus, rule: Rule, found: Any, expected: Any) -> None:
    text = f"{_where()} {rule.name}: it is {found!r}, should be {expected!r}"
    bus.fail(InvariantError(rule.rule, text))


def _where() -> str:
    owner = CURRENT.get()
    return "simulator" if owner is None else f"{owner.node}#{owner.number}"
