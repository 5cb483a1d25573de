"""Keys and certificates as settings name them: what goes together, and what is refused."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from kit.secured import ADMIN, CA, KEYS, TLS, assignments, logins

from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.server.security.node_security import NodeSecurity
from barnabas.broker.settings import load_config
from barnabas.broker.storage.files import RealClock
from barnabas.tls import TlsError, key_and_chain

SERVER = (TLS / "server.pem").read_text()
KEY, CHAIN = (
    "".join(re.findall(rf"-----BEGIN {label}-----.*?-----END {label}-----", SERVER, re.DOTALL))
    for label in ("PRIVATE KEY", "CERTIFICATE")
)


def security(**changed: str | None) -> NodeSecurity:
    """Of a node with one SSL listener; settings with _ for ., None takes one away."""
    settings: dict[str, str | None] = {"listeners": "SSL://:0", **KEYS}
    settings |= {name.replace("_", "."): value for name, value in changed.items()}
    chosen = {name: value for name, value in settings.items() if value is not None}
    made = NodeSecurity(load_config(assignments=assignments(chosen)), RealClock())
    made.listener("SSL", lambda: None)  # type: ignore[arg-type,return-value]  # no login asks it
    return made


INLINE = {
    "ssl_keystore_location": None,
    "ssl_keystore_key": KEY,
    "ssl_keystore_certificate_chain": CHAIN,
}


def test_keys_come_in_files_and_in_texts() -> None:
    """TLS-07, TLS-09, TLS-10: on several lines, on one, and encrypted."""
    assert security().to_brokers.tls is not None
    assert security(
        **INLINE,
        ssl_truststore_location=None,
        ssl_truststore_certificates=CHAIN + Path(CA).read_text(),
    )
    flat = {name: value and value.replace("\n", " ") for name, value in INLINE.items()}
    assert security(**flat)
    path = str(TLS / "alice-encrypted.pem")
    assert security(ssl_keystore_location=path, ssl_key_password="secret")


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"ssl_keystore_location": None}, "must be set, or ssl.keystore.key"),
        ({**INLINE, "ssl_keystore_certificate_chain": None}, "certificate.chain: must be set"),
        ({**INLINE, "ssl_keystore_key": None}, "ssl.keystore.key: must be set"),
        ({**INLINE, "ssl_keystore_location": CA}, "cannot be set together"),
        ({**INLINE, "ssl_keystore_key": CHAIN}, "0 private keys"),
        ({**INLINE, "ssl_keystore_certificate_chain": KEY}, "2 private keys"),
        ({"ssl_keystore_password": "hidden"}, "not for a keystore of type PEM"),
        ({"ssl_truststore_password": "hidden"}, "not for a truststore of type PEM"),
        ({"ssl_keystore_type": "JKS"}, "keytool -importkeystore"),
        ({"ssl_truststore_type": "JKS"}, "keytool -importkeystore"),
        ({"ssl_truststore_type": "PKCS12"}, "is no PKCS12, or its password"),
        ({"ssl_keystore_type": "PKCS12"}, "needs the password of the store"),
        ({"ssl_keystore_type": "PFX"}, "PFX is none of PEM, PKCS12"),
        ({**INLINE, "ssl_keystore_type": "PKCS12"}, "is PEM, but ssl.keystore.type is PKCS12"),
        ({**INLINE, "ssl_keystore_password": "hidden"}, "is for a file"),
        ({"ssl_keystore_location": "/nowhere.pem"}, "/nowhere.pem cannot be read"),
        ({"ssl_keystore_location": str(TLS / "alice-encrypted.pem")}, "password is wrong"),
        ({"ssl_truststore_location": str(TLS / "other-ca.pem")}, "does not pass"),
        ({"ssl_keystore_location": str(TLS / "expired.pem")}, "does not pass"),
        ({"ssl_cipher_suites": "TLS_RSA_WITH_NULL_NULL"}, "no cipher that OpenSSL knows"),
        ({"ssl_principal_mapping_rules": "RULE:a"}, "neither DEFAULT nor RULE"),
    ],
)
def test_what_does_not_go_together(changed: dict[str, str | None], what: str) -> None:
    """TLS-06, TLS-08, TLS-11, TLS-15, TLS-17, SEC-04: refused at start, without a secret."""
    with pytest.raises(ConfigError, match=what) as caught:
        security(**changed)
    assert "hidden" not in str(caught.value)
    assert KEY[40:80] not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"]
)
def test_ciphers_by_both_names(name: str) -> None:
    """TLS-06: the same cipher; names of TLS 1.3 are passed over."""
    made = security(ssl_cipher_suites=f"{name},TLS_AES_256_GCM_SHA384").to_brokers.tls
    assert made is not None
    chosen = [one["name"] for one in made.get_ciphers() if not one["name"].startswith("TLS_")]
    assert chosen == ["ECDHE-ECDSA-AES256-GCM-SHA384"]


def test_a_key_that_others_may_read_is_told(tmp_path: Path) -> None:
    """SEC-08: a warning, and none for a key of one's own; TLS-12: so for what nobody knows."""
    path = tmp_path / "key.pem"
    path.write_text(SERVER)
    for mode, count in ((0o600, 0), (0o644, 1)):
        os.chmod(path, mode)
        assert len(security(ssl_keystore_location=str(path)).notes) == count
    os.chmod(path, 0o600)
    notes = security(ssl_keystore_location=str(path), ssl_client_auth="maybe").notes
    assert "ssl.client.auth is not known" in notes[0][0]


def test_text_around_the_blocks_is_passed_over() -> None:
    """TLS-09: as tools write it before a block; two keys are one too many."""
    text = f"Bag Attributes\n    friendlyName: x\n{CHAIN}\nsubject=/CN=x\n{KEY}\n"
    assert key_and_chain(text, "x").startswith("-----BEGIN PRIVATE KEY-----\n")
    with pytest.raises(TlsError, match="2 private keys"):
        key_and_chain(text + KEY, "x")


@pytest.mark.parametrize(
    ("jaas", "what"),
    [
        (None, "sasl.jaas.config: must have username and password"),
        ("a.PlainLoginModule required user_a=b;", "must have username and password"),
        ("a.ScramLoginModule required username=a password=b;", "not one for PLAIN"),
        ("hidden", "must be `<login module> required"),
    ],
)
def test_nodes_need_a_login_of_their_own(jaas: str | None, what: str) -> None:
    """TLS-03, SASL-21, SEC-04: username and password of the listener's own entry."""
    settings = {"listeners": "SASL_PLAINTEXT://:0", **logins("SASL_PLAINTEXT")}
    name = "listener.name.sasl_plaintext.plain.sasl.jaas.config"
    del settings[name]
    if jaas is not None:
        settings[name] = jaas
    with pytest.raises(ConfigError, match=re.escape(what)) as caught:
        NodeSecurity(load_config(assignments=assignments(settings)), RealClock())
    assert "hidden" not in str(caught.value)
    assert ADMIN not in str(caught.value)


def test_an_authority_with_a_letter_that_is_none() -> None:
    """Goal: a certificate that was damaged on its way ends in a sentence, and no traceback."""
    damaged = Path(CA).read_text().replace("MII", "M\xe9I", 1)
    with pytest.raises(ConfigError, match="trusted certificates cannot be used"):
        security(ssl_truststore_location=None, ssl_truststore_certificates=damaged)
