"""`simulate --set KNOB=VALUE`: knobs of a simulated run as people type them."""

from __future__ import annotations

import dataclasses
import difflib
import json
from collections.abc import Iterable
from typing import Any

import click

KINDS: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,)}
WORDS = {"int": "a whole number", "float": "a number", "bool": "true or false"}


def knobs_of(pairs: Iterable[str]) -> dict[str, Any]:
    """`brokers=3` and the like by name; values are JSON.

    Raises:
        click.BadParameter: no such knob, or not such a value; the text names both.
    """
    return dict(map(parse_knob, pairs))


def parse_knob(text: str) -> tuple[str, Any]:
    """One knob and its value."""
    from barnabas.testing.simulation.profile import Profile

    name, separator, value = text.partition("=")
    if not separator:
        raise click.BadParameter(f"{text!r} is not KNOB=VALUE", param_hint="--set")
    kinds = {each.name: str(each.type) for each in dataclasses.fields(Profile)}
    if name not in kinds:
        near = difflib.get_close_matches(name, kinds, n=1)
        hint = f"did you mean {near[0]}?" if near else "--show-profile lists them all"
        raise click.BadParameter(f"there is no knob {name!r}; {hint}", param_hint="--set")
    return name, _value(name, value, kinds[name])


def _value(name: str, text: str, kind: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    allowed = KINDS.get(kind)
    is_right = value is not None and (allowed is None or type(value) in allowed)
    if not is_right:
        word = WORDS.get(kind, "JSON")
        raise click.BadParameter(f"{name}={text}: {text!r} is not {word}", param_hint="--set")
    return value
