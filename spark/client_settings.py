"""Options that are handed on to `barnabas.client`, found by walking the client's configuration."""

from __future__ import annotations

import dataclasses
import difflib
import typing
from collections.abc import Mapping
from typing import Any

from barnabas.client.config import ClientConfig, ConsumerConfig, ProducerConfig
from barnabas.client.declared import make_config
from barnabas.client.errors import ConfigurationError

from .errors import OptionError

NOT_FOR_SPARK = frozenset(
    {"auto_offset_reset", "max_poll_records", "on_position_event", "on_reset", "partitioner"}
)
"""Client options that Spark decides itself, or that are no text."""

DIGITS_MAX = 18
"""Whole numbers have no more digits; none is too large for a request then."""

ALIASES = {"fetch.wait.max.ms": "fetch_max_wait_ms", "rack": "client_rack"}
"""Names of other clients that people are used to."""


def parse_client_settings(given: Mapping[str, str], *, writing: bool) -> dict[str, Any]:
    """Keyword arguments for the client, from options in Kafka's spelling without their prefix.

    Raises:
        OptionError: a setting is unknown or not allowed, or there is no bootstrap server.
    """
    if not given.get("bootstrap.servers", "").strip():
        raise OptionError(
            "option 'barnabas.bootstrap.servers' is needed: host:port, or several with commas"
        )
    config: type[ClientConfig] = ProducerConfig if writing else ConsumerConfig
    kinds = setting_kinds(config)
    result: dict[str, Any] = {}
    for name, text in given.items():
        keyword = ALIASES.get(name, name.replace(".", "_"))
        if keyword not in kinds:
            raise OptionError(_unknown(name, kinds, writing))
        result[keyword] = _value(name, kinds[keyword], text.strip())
    _check(config, result)
    return result


def check_producer(settings: Mapping[str, Any]) -> None:
    """Raise OptionError unless a producer takes these."""
    _check(ProducerConfig, settings)


def _check(config: type[ClientConfig], settings: Mapping[str, Any]) -> None:
    try:
        make_config(config, settings)
    except ConfigurationError as error:
        raise OptionError(f"client options: {error}") from None


def only_for(config: type[ClientConfig], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that this kind of client has."""
    names = {each.name for each in dataclasses.fields(config)}
    return {name: value for name, value in settings.items() if name in names}


def setting_kinds(config: type[ClientConfig]) -> dict[str, type]:
    """Keyword of each client option that text can give -> bool, int or str."""
    hints = typing.get_type_hints(config)
    kinds: dict[str, type] = {}
    for each in dataclasses.fields(config):
        if each.name in NOT_FOR_SPARK:
            continue
        types = (hints[each.name], *typing.get_args(hints[each.name]))
        kind = next((kind for kind in (bool, int, str) if kind in types), None)
        if kind is not None:  # callbacks are for programs, not for text
            kinds[each.name] = kind
    return kinds


def _unknown(name: str, kinds: Mapping[str, type], writing: bool) -> str:
    if name.replace(".", "_") in setting_kinds(ConsumerConfig if writing else ProducerConfig):
        return f"client option 'barnabas.{name}' belongs to a {'read' if writing else 'write'}"
    known = [keyword.replace("_", ".") for keyword in kinds]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean 'barnabas.{near[0]}'?" if near else f"known: {', '.join(known)}"
    return f"unknown client option 'barnabas.{name}'; {hint}"


def whole_number(text: str) -> int | None:
    """The number that these digits are; None if they are none, or more than `DIGITS_MAX`."""
    is_number = text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX
    return int(text) if is_number else None


def _value(name: str, kind: type, text: str) -> str | int | bool:
    option = f"option 'barnabas.{name}'"
    if kind is bool:
        if text.lower() not in ("true", "false"):
            raise OptionError(f"{option}: {text!r} is neither true nor false")
        return text.lower() == "true"
    if name == "acks" and text.lower() == "all":
        return "all"
    if kind is int:
        digits = text.removeprefix("-")
        if (number := whole_number(digits)) is None:
            raise OptionError(f"{option}: {text!r} is not a whole number")
        return number if digits == text else -number
    return text
