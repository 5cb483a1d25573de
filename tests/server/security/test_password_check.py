"""PLAIN by a function of the operator's, in place of users in a setting."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from kit.secured import PASSWORD, USER

from barnabas.broker.core.config.field import ConfigError
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest

from .doors import LOGIN, door, log_in

LISTENER = "listener__name__sasl_plaintext__"
SETTING = f"{LISTENER}plain__sasl_server_callback_handler_class"
HERE = __name__
ASKED: list[tuple[str, str, int]] = []
ANSWERS = {PASSWORD: True, "one": 1, "yes": "yes", "nothing": None, "no": False}


def takes(name: str, password: str) -> object:
    """What `ANSWERS` says; it raises for a password that is not there."""
    ASKED.append((name, password, threading.get_ident()))
    if password not in ANSWERS:
        raise ConnectionError(f"the directory does not answer about {password}")
    return ANSWERS[password]


async def takes_later(name: str, password: str) -> bool:
    """A coroutine function, whose coroutine would be true."""
    return bool(name and password)


def takes_one(name: str) -> bool:
    """Wants too little."""
    return bool(name)


NUMBER = 1


async def test_it_lets_in(tmp_path: Path) -> None:
    """SASL-21: it hears name and password, in a thread, of whoever is no user of the setting, too;
    the login is then that name's."""
    ASKED.clear()
    async with (
        door(tmp_path, "SASL_PLAINTEXT", **{SETTING: f"{HERE}.takes"}) as one,
        one.client() as client,
    ):
        answer = await log_in(client, f"\0carol\0{PASSWORD}".encode())
        assert (answer.error_code, bytes(answer.auth_bytes)) == (0, b"")
        (connection,) = one.connections
        assert str(connection.principal) == "User:carol"
    ((name, password, thread),) = ASKED
    assert (name, password) == ("carol", PASSWORD)
    assert thread != threading.get_ident()


@pytest.mark.parametrize("password", ["one", "yes", "nothing", "no"])
async def test_only_true_lets_in(tmp_path: Path, password: str) -> None:
    """SASL-21, SASL-20: what is merely true in a condition is not enough, and the text is that of a
    wrong password; users of the setting are not looked at."""
    async with (
        door(tmp_path, "SASL_PLAINTEXT", **{SETTING: f"{HERE}.takes"}) as one,
        one.client() as client,
    ):
        answer = await log_in(client, f"\0{USER}\0{password}".encode())
        assert answer.error_code == 58
        assert answer.error_message == "Authentication failed: Invalid username or password"
        assert one.failures == 1


async def test_another_authorization_id(tmp_path: Path) -> None:
    """SASL-14: the function's yes is about the name, not about whom somebody wants to be."""
    async with (
        door(tmp_path, "SASL_PLAINTEXT", **{SETTING: f"{HERE}.takes"}) as one,
        one.client() as client,
    ):
        answer = await log_in(client, f"root\0{USER}\0{PASSWORD}".encode())
        assert answer.error_code == 58


async def test_a_function_that_fails(tmp_path: Path) -> None:
    """SASL-21, SEC-04: nobody is told that the password is wrong, for nobody knows: the connection
    closes, so that clients try again; the log has no password; the next login works."""
    async with door(tmp_path, "SASL_PLAINTEXT", **{SETTING: f"{HERE}.takes"}) as one:
        async with one.client() as client:
            await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
            client.send(SaslAuthenticateRequest(auth_bytes=b"\0alice\0a secret"), 2)
            assert await client.reader.read(-1) == b""
        (line,) = [line for line in one.bench.log.lines if line[0] == "error"]
        assert "raised ConnectionError" in repr(line)
        assert "a secret" not in repr(line)
        one.bench.log.lines.clear()
        async with one.client() as client:
            assert (await log_in(client, LOGIN)).error_code == 0


@pytest.mark.parametrize(
    "text",
    [
        "takes",
        ".takes",
        f"{HERE}.",
        f"{HERE}.takes()",
        f"{HERE}.nobody",
        f"{HERE}.NUMBER",
        f"{HERE}.takes_later",
        f"{HERE}.takes_one",
        "no.such.module.takes",
        ".relative.takes",
    ],
)
async def test_what_is_no_such_function(tmp_path: Path, text: str) -> None:
    """SASL-21: the start ends with the setting's name."""
    with pytest.raises(ConfigError, match=r"sasl\.server\.callback\.handler\.class"):
        async with door(tmp_path, "SASL_PLAINTEXT", **{SETTING: text}):
            pass


async def test_tokens_have_no_function(tmp_path: Path) -> None:
    """SASL-46: for OAUTHBEARER it would be nobody's check of tokens."""
    prefixed = f"{LISTENER}oauthbearer__sasl_server_callback_handler_class"
    more = {f"{LISTENER}sasl_enabled_mechanisms": "OAUTHBEARER", prefixed: f"{HERE}.takes"}
    with pytest.raises(ConfigError, match=r"sasl\.server\.callback\.handler\.class"):
        async with door(tmp_path, "SASL_PLAINTEXT", **more):
            pass
