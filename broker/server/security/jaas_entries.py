"""The login modules that settings name, for a listener and a mechanism on it."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.sasl import oauthbearer, plain
from barnabas.protocol.sasl.jaas import JaasEntry, JaasError, parse_jaas

from ...core.config.broker import BrokerConfig
from ...core.config.field import ConfigError
from ...core.config.listeners import PREFIX, canonical, for_listener

_MODULES: Final = {
    "PlainLoginModule": plain.NAME,
    "ScramLoginModule": "SCRAM",
    "OAuthBearerLoginModule": oauthbearer.NAME,
}


def entry_of(config: BrokerConfig, listener: str, mechanism: str) -> JaasEntry | None:
    """The entry of `listener.name.<listener>.<mechanism>.sasl.jaas.config`, or of a wider name.

    Raises ConfigError for a text that is none, or of another mechanism; it does not repeat it.
    """
    text = for_listener(config, listener, mechanism).sasl_jaas_config
    if text is None:
        return None
    name = f"{PREFIX}{canonical(listener)}.{mechanism.lower()}.sasl.jaas.config"
    try:
        entry = parse_jaas(text)
    except JaasError as error:
        raise ConfigError(name, None, str(error)) from None
    module = entry.module.rpartition(".")[2]
    if not mechanism.startswith(_MODULES.get(module, "?")):
        raise ConfigError(name, None, f"names the login module {module}, not one for {mechanism}")
    return entry
