"""Settings of the authorizer."""

from __future__ import annotations

import pytest

from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER, super_users_of
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import ConfigError


def test_the_standard_authorizer_and_no_other() -> None:
    """ACL-10: another class is refused by name."""
    assert BrokerConfig().authorizer_class_name == ""
    assert BrokerConfig(authorizer_class_name=STANDARD_AUTHORIZER)
    with pytest.raises(ConfigError) as caught:
        BrokerConfig(authorizer_class_name="com.example.Mine")
    assert caught.value.name == "authorizer.class.name"
    assert "com.example.Mine" in str(caught.value)
    assert STANDARD_AUTHORIZER in str(caught.value)


def test_super_users() -> None:
    """ACL-09: trimmed, with semicolons, as commas may stand in the names of certificates."""
    config = BrokerConfig(super_users=" User:CN=a,O=b ; User:admin;")
    assert super_users_of(config) == ("User:CN=a,O=b", "User:admin")


@pytest.mark.parametrize("text", ["admin", "User:a;admin", "User:", ":admin"])
def test_super_users_without_a_type(text: str) -> None:
    """ACL-09, SEC-04: refused by the name of the setting; the value is not shown."""
    with pytest.raises(ConfigError) as caught:
        BrokerConfig(super_users=text)
    assert "super.users" in str(caught.value)
    assert "admin" not in str(caught.value).replace("User:admin", "")


def test_super_users_are_told_to_nobody() -> None:
    """SEC-01, ACL-09: neither as a value nor in the text of the configuration."""
    config = BrokerConfig(super_users="User:root")
    assert config.text("super.users") is None
    assert "root" not in repr(config)
