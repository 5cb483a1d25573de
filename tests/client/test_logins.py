"""How our client fails where it is not let in: which of certificate, password and mechanism."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from kit.broker import running
from kit.secured import KEYS, PASSWORD, TLS, fields_of, logins, options

from barnabas.client import Producer
from barnabas.client.config import ProducerConfig
from barnabas.client.errors import ConfigurationError, ConnectionFailedError
from barnabas.client.login_errors import (
    CertificateError,
    LoginFailedError,
    MechanismNotOfferedError,
    TlsFailedError,
)
from barnabas.protocol.sasl.scram import ScramHash, salted_password


async def failure(
    directory: Path, protocol: str, more: dict[str, str], **changed: Any
) -> Exception:
    """What a producer's start raises; settings of the node in `more`, its options in `changed`."""
    given = {
        "listeners": f"PLAINTEXT://:0,{protocol}://:0",
        **KEYS,
        **(logins(protocol) if protocol.startswith("SASL") else {}),
        **more,
    }
    async with running(directory, **fields_of(given)) as bench:
        listener = await bench.broker.bind(protocol, "127.0.0.1", 0)
        await listener.start_serving()
        chosen: dict[str, Any] = {**options(protocol), **changed}
        producer = Producer(bootstrap_servers=f"127.0.0.1:{listener.port}", **chosen)
        with pytest.raises(ConnectionFailedError) as caught:
            await producer.start()
        return caught.value


async def test_a_certificate_that_does_not_verify(tmp_path: Path) -> None:
    """TLS-16, ATK-04: of another authority, or for another host."""
    other = str(TLS / "other-ca.pem")
    error = await failure(tmp_path / "a", "SSL", {}, ssl_cafile=other)
    assert isinstance(error, CertificateError)
    elsewhere = {"ssl.keystore.location": str(TLS / "elsewhere.pem")}
    error = await failure(tmp_path / "b", "SSL", elsewhere)
    assert isinstance(error, CertificateError)
    assert "127.0.0.1" in str(error)


async def test_a_broker_that_wants_a_certificate(tmp_path: Path) -> None:
    """TLS-12: the client says that its own is missing."""
    error = await failure(tmp_path, "SSL", {"ssl.client.auth": "required"})
    assert isinstance(error, CertificateError)
    assert "certificate" in str(error)


async def test_a_port_without_tls(tmp_path: Path) -> None:
    """TLS-23, ATK-09: said as such."""
    changed = {**options("SASL_SSL")}
    error = await failure(tmp_path, "SASL_PLAINTEXT", {}, **changed)
    assert isinstance(error, TlsFailedError) or "has this port TLS?" in str(error)


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
async def test_a_wrong_password(tmp_path: Path, mechanism: str) -> None:
    """SASL-07, SASL-08: 58, with the broker's text and without the password."""
    error = await failure(
        tmp_path, "SASL_SSL", {}, sasl_mechanism=mechanism, sasl_plain_password="not it"
    )
    assert isinstance(error, LoginFailedError)
    assert "Authentication failed" in str(error)
    assert "not it" not in str(error)
    assert not error.retriable


async def test_a_mechanism_that_is_not_there(tmp_path: Path) -> None:
    """SASL-06: 33, and which there are."""
    only = {
        "sasl.enabled.mechanisms": "SCRAM-SHA-256",
        "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-256",
    }
    error = await failure(tmp_path, "SASL_PLAINTEXT", only)
    assert isinstance(error, MechanismNotOfferedError)
    assert "has no mechanism PLAIN, but SCRAM-SHA-256" in str(error)


async def test_the_loop_goes_on_while_a_proof_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SASL-32: PBKDF2, which takes half a second if a broker wants that, is a thread's."""
    threads = []

    def note(kind: ScramHash, password: str, salt: bytes, iterations: int) -> bytes:
        threads.append(threading.current_thread())
        return salted_password(kind, password, salt, iterations)

    monkeypatch.setattr("barnabas.protocol.sasl.scram.salted_password", note)
    await failure(tmp_path, "SASL_PLAINTEXT", {}, sasl_mechanism="SCRAM-SHA-256")
    assert threads
    assert threading.main_thread() not in threads


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"security_protocol": "TLS"}, "security_protocol='TLS' is not one of"),
        ({"security_protocol": "SASL_SSL"}, "sasl_mechanism is needed"),
        ({"sasl_mechanism": "GSSAPI"}, "sasl_mechanism='GSSAPI' is not one of"),
        ({"ssl_keyfile": "a"}, "ssl_keyfile needs ssl_certfile"),
    ],
)
def test_options_that_do_not_go_together(given: dict[str, Any], what: str) -> None:
    """SEC-04: the option is named, and `repr` shows no password."""
    with pytest.raises(ConfigurationError, match=what):
        ProducerConfig(**given)
    assert PASSWORD not in repr(ProducerConfig(sasl_plain_password=PASSWORD))
