"""Which names a topic may have (Kafka's rules and words)."""

from __future__ import annotations

from typing import Final

NAME_LENGTH_MAX: Final = 249
_LEGAL: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def name_fault(name: str) -> str | None:
    """What is wrong with a topic's name, as the answer says it; None if nothing is."""
    fault = None
    if name == "":
        fault = "the empty string is not allowed"
    elif name in (".", ".."):
        fault = f"'{name}' is not allowed"
    elif len(name) > NAME_LENGTH_MAX:
        fault = f"the length of '{name}' is longer than the max allowed length {NAME_LENGTH_MAX}"
    elif not _LEGAL.issuperset(name):
        fault = (
            f"'{name}' contains one or more characters other than ASCII alphanumerics, "
            "'.', '_' and '-'"
        )
    return None if fault is None else f"Topic name is invalid: {fault}"


def without_collisions(name: str) -> str:
    """A key that is equal for names that differ in `.` and `_` only: those collide in metric
    names."""
    return name.replace(".", "_")
