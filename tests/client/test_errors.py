"""Goal: every error code becomes a typed error that says whether trying again can help."""

from __future__ import annotations

import pytest

from barnabas.client import errors
from barnabas.client.errors import CLASS_OF_CODE, BrokerError, error_of, is_retriable
from barnabas.protocol.errors import RETRIABLE, ErrorCode, KafkaError


@pytest.mark.parametrize("code", [each for each in ErrorCode if each is not ErrorCode.NONE])
def test_every_code_has_an_error(code: ErrorCode) -> None:
    error = error_of(code, "t-0")
    assert isinstance(error, KafkaError)
    assert isinstance(error, errors.ClientError)
    assert error.code is code
    assert error.retriable == (code in RETRIABLE)
    assert str(error) == f"{code.name} ({int(code)}): t-0"


def test_each_class_stands_for_its_code() -> None:
    for code, cls in CLASS_OF_CODE.items():
        assert type(error_of(code)) is cls
        assert cls().code == code
    assert len(CLASS_OF_CODE) >= 35


def test_a_code_of_the_future_is_an_error_too() -> None:
    error = error_of(9999, "x")
    assert type(error) is BrokerError
    assert error.number == 9999
    assert "9999" in str(error)
    assert not error.retriable


def test_errors_of_the_way_there() -> None:
    assert is_retriable(errors.ConnectionFailedError("x"))
    assert is_retriable(errors.RequestTimedOutError("x"))
    assert not is_retriable(errors.NotABrokerError("x"))
    assert is_retriable(errors.NotABrokerError("x", said_nothing=True))
    assert not is_retriable(errors.DeliveryTimedOutError("x"))
    assert not is_retriable(ValueError("x"))
    assert isinstance(errors.ClientTimeoutError("x"), TimeoutError)
    assert isinstance(errors.ConnectionFailedError("x"), ConnectionError)
