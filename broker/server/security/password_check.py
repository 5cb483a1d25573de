"""A function of the operator's that says whether a name and a password of PLAIN are right.

`sasl.server.callback.handler.class` names it by its dotted path.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Final

from ...core.config.broker import BrokerConfig
from ...core.config.field import ConfigError
from ...core.config.security import TOKENS_SIGNED, TOKENS_UNSECURED
from ..dotted_path import load

PasswordCheck = Callable[[str, str], object]
"""Called with name and password, in a thread; nobody is let in by anything but True."""

_SETTING: Final = "sasl.server.callback.handler.class"


def password_check_of(config: BrokerConfig) -> PasswordCheck | None:
    """The function that `config`, as PLAIN on one listener sees it, names; None: it names none.

    Raises ConfigError, at the start, for what cannot be called with two arguments, and for a
    coroutine function.
    """
    text = config.sasl_server_callback_handler_class
    if text is None or text in (TOKENS_SIGNED, TOKENS_UNSECURED):  # about OAUTHBEARER
        return None
    found = load(_SETTING, text, "the dotted path of a function for PLAIN")
    if not callable(found) or inspect.iscoroutinefunction(found):
        raise ConfigError(_SETTING, text, "must be a function, and not an async one")
    try:
        inspect.signature(found).bind("name", "password")
    except TypeError:
        raise ConfigError(_SETTING, text, "must take a name and a password") from None
    except ValueError:
        pass  # a function in C may not tell what it takes
    check: PasswordCheck = found
    return check
