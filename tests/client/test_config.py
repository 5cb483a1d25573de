"""Goal: an option that is not allowed stops the start and names option, value and what is."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from barnabas.client import config, declared, options
from barnabas.client.config import AdminConfig, ClientConfig, ConsumerConfig, ProducerConfig
from barnabas.client.errors import ConfigurationError

PAIRS = [
    (ClientConfig, options.ClientOptions),
    (AdminConfig, options.AdminOptions),
    (ProducerConfig, options.ProducerOptions),
    (ConsumerConfig, options.ConsumerOptions),
]


@pytest.mark.parametrize(("cls", "typed"), PAIRS)
def test_keyword_options_are_those_of_the_configuration(cls: type, typed: type) -> None:
    """The TypedDict for editors and the dataclass that counts must not drift apart."""
    fields = {each.name: each.type for each in dataclasses.fields(cls)}
    # A TypedDict has the annotations of its bases too.
    spelled = {
        name: getattr(hint, "__forward_arg__", hint) for name, hint in typed.__annotations__.items()
    }
    assert spelled == fields


@pytest.mark.parametrize("cls", [ClientConfig, AdminConfig, ProducerConfig, ConsumerConfig])
def test_every_option_says_what_it_is_for(cls: type) -> None:
    for each in dataclasses.fields(cls):
        assert each.metadata["doc"], each.name
        if each.name.endswith("_ms"):
            assert each.metadata["unit"] == "ms", each.name


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"acks": 2}, "acks=2 is not one of 0, 1, -1, 'all'"),
        ({"acks": True}, "acks=True"),
        ({"compression_type": "lzma"}, "'lzma' is not one of None, 'none', 'gzip'"),
        ({"linger_ms": -1}, "linger_ms=-1 is less than 0 ms"),
        ({"batch_size": "16384"}, "batch_size='16384' is not of type int"),
        ({"batch_size": 2**40}, "is more than"),
        ({"bootstrap_servers": "nowhere"}, "'nowhere' is not of the form host:port"),
        ({"bootstrap_servers": "a:99999"}, "'a:99999' is not of the form host:port"),
        ({"bootstrap_servers": []}, "bootstrap_servers is empty"),
        ({"bootstrap_servers": None}, "bootstrap_servers=None: give host:port, or a list"),
        ({"bootstrap_servers": 9092}, "bootstrap_servers=9092: give host:port"),
        ({"bootstrap_servers": ("h", 9092)}, "bootstrap_servers=('h', 9092): give host:port"),
        ({"partitioner": "murmur2"}, "partitioner='murmur2' is no function"),
        ({"enable_idempotence": True, "acks": 1}, "enable_idempotence=True needs acks='all'"),
        (
            {"enable_idempotence": True, "max_in_flight_requests_per_connection": 6},
            "at most 5",
        ),
        ({"linger": 5}, "has no option 'linger'; did you mean 'linger_ms'?"),
    ],
)
def test_what_is_not_allowed_is_said(given: dict[str, object], expected: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        declared.make_config(ProducerConfig, given)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"max_poll_records": 0}, "max_poll_records=0 is neither None nor 1 or more"),
        ({"max_poll_records": -1}, "max_poll_records=-1"),
        ({"max_poll_records": "5"}, "max_poll_records='5'"),
        ({"on_reset": "x"}, "on_reset='x' is no function"),
        ({"on_position_event": 1}, "on_position_event=1 is no function"),
    ],
)
def test_what_is_not_allowed_of_a_consumer(given: dict[str, object], expected: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        declared.make_config(ConsumerConfig, given)
    assert expected in str(caught.value)


def test_idempotence_is_on_unless_acks_speak_against_it() -> None:
    assert ProducerConfig().is_idempotent
    assert not ProducerConfig(acks=1).is_idempotent
    assert not ProducerConfig(enable_idempotence=False).is_idempotent
    assert not ProducerConfig(max_in_flight_requests_per_connection=6).is_idempotent
    assert ProducerConfig(acks=-1).required_acks == -1


def test_dotted_names_are_taken_too() -> None:
    made = ConsumerConfig.from_properties(
        {"bootstrap.servers": "a:1,b:2", "isolation.level": "read_committed"}
    )
    assert made.addresses() == [("a", 1), ("b", 2)]
    assert made.isolation == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("h:9092", ("h", 9092)),
        ("PLAINTEXT://h:1", ("h", 1)),
        ("[::1]:9092", ("::1", 9092)),
        (":9092", ("localhost", 9092)),
    ],
)
def test_addresses(text: str, expected: tuple[str, int]) -> None:
    assert config.parse_address(text) == expected


@pytest.mark.parametrize(
    "given",
    [
        {"transactional_id": ""},
        {"transactional_id": "x", "acks": 1},
        {"transactional_id": "x", "enable_idempotence": False},
        {"transactional_id": "x", "max_in_flight_requests_per_connection": 6},
        {"transactional_id": "x", "transaction_timeout_ms": 0},
    ],
)
def test_options_that_no_transaction_can_have(given: dict[str, object]) -> None:
    """KIP-98: acks of all, numbered batches, at most five in flight."""
    with pytest.raises(ConfigurationError, match="transaction"):
        declared.make_config(ProducerConfig, given)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"sasl_plain_password": 12345}, "sasl_plain_password must be text, not int"),
        ({"sasl_plain_password": b"12345"}, "sasl_plain_password must be text, not bytes"),
        ({"sasl_plain_username": "\udcff12345"}, "sasl_plain_username is not UTF-8"),
        ({"sasl_plain_password": "123\00045"}, "sasl_plain_password has a null character"),
    ],
)
def test_a_login_that_cannot_be_sent(given: dict[str, Any], expected: str) -> None:
    """Goal: a wrong name or password is refused when the client is made, and is not shown."""
    login: dict[str, Any] = {
        "sasl_mechanism": "PLAIN",
        "sasl_plain_username": "u",
        "sasl_plain_password": "p",
    }
    with pytest.raises(ConfigurationError, match=expected) as refused:
        AdminConfig(security_protocol="SASL_PLAINTEXT", **login | given)
    assert "45" not in str(refused.value)
