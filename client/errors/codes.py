"""From an error code to the class that is raised for it."""

from __future__ import annotations

from . import answered, transactional
from .answered import BrokerError

CLASS_OF_CODE: dict[int, type[BrokerError]] = {
    int(each.default_code): each
    for module in (answered, transactional)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, BrokerError) and BrokerError in each.__bases__
}
"""Error code -> its class; a code that is not here is raised as plain `BrokerError`."""


def error_of(code: int, message: str | None = None) -> BrokerError:
    """The typed error of an error code that a broker answered with."""
    return CLASS_OF_CODE.get(code, BrokerError)(message, code)
