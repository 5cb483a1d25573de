"""Keys and authorities in PKCS12, as Java and OpenSSL write it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    load_pem_private_key,
    pkcs12,
)
from cryptography.x509 import load_pem_x509_certificate
from kit.secured import CA, KEYS, TLS, assignments

from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.server.security.node_security import NodeSecurity
from barnabas.broker.settings import load_config
from barnabas.broker.storage.files import RealClock
from barnabas.cli.client_properties import client_options
from barnabas.key_stores import own_from_file, trust_from_file
from barnabas.tls import TlsError

PASSWORD = "store-secret"


@pytest.fixture
def store(tmp_path: Path) -> str:
    """The node's key and certificate, with the authority's."""
    text = (TLS / "server.pem").read_bytes()
    packed = pkcs12.serialize_key_and_certificates(
        b"node",
        load_pem_private_key(text, None),  # type: ignore[arg-type]  # of a curve
        load_pem_x509_certificate(text),
        [load_pem_x509_certificate(Path(CA).read_bytes())],
        BestAvailableEncryption(PASSWORD.encode()),
    )
    path = tmp_path / "node.p12"
    path.write_bytes(packed)
    path.chmod(0o600)
    return str(path)


def settings(store: str, **changed: str) -> dict[str, str]:
    return {
        "listeners": "SSL://:0",
        "ssl.keystore.type": "pkcs12",
        "ssl.keystore.location": store,
        "ssl.keystore.password": PASSWORD,
        "ssl.truststore.location": CA,
    } | {name.replace("_", "."): value for name, value in changed.items()}


def test_a_node_takes_its_key_from_pkcs12(store: str) -> None:
    """TLS-07, TLS-11, TLS-17: the key's password is the store's; said twice it must be the same;
    the same store is a truststore, too."""
    for more in (
        {},
        {"ssl_key_password": PASSWORD},
        {
            "ssl_truststore_type": "PKCS12",
            "ssl_truststore_location": store,
            "ssl_truststore_password": PASSWORD,
        },
    ):
        security = NodeSecurity(
            load_config(assignments=assignments(settings(store, **more))), RealClock()
        )
        assert security.to_brokers.tls is not None
        assert not security.notes
    wrong = settings(store, ssl_key_password="other-secret")
    with pytest.raises(ConfigError, match="has the password of the store") as caught:
        NodeSecurity(load_config(assignments=assignments(wrong)), RealClock())
    assert "secret" not in str(caught.value)


def test_a_client_takes_it_likewise(store: str) -> None:
    """TLS-11: in Java's words."""
    properties = {
        "security.protocol": "SSL",
        "ssl.keystore.type": "PKCS12",
        "ssl.keystore.location": store,
        "ssl.keystore.password": PASSWORD,
        "ssl.truststore.type": "PKCS12",
        "ssl.truststore.location": store,
        "ssl.truststore.password": PASSWORD,
    }
    assert client_options(properties)["ssl_context"].get_ca_certs()


def test_what_is_refused(store: str, tmp_path: Path) -> None:
    """TLS-08, TLS-11, SEC-04: the path is in the text, and no password."""
    (tmp_path / "empty.p12").write_bytes(b"")
    for path, password, reason in (
        (store, "wrong-secret", "password is wrong or missing"),
        (str(tmp_path / "empty.p12"), PASSWORD, "is no PKCS12"),
        (str(TLS / "server.pem"), PASSWORD, "is no PKCS12"),
        (str(tmp_path / "nowhere.p12"), PASSWORD, "cannot be read: No such file"),
    ):
        with pytest.raises(TlsError, match=reason) as caught:
            own_from_file("PKCS12", path, password, None)
        assert path in str(caught.value)
        assert "secret" not in str(caught.value)


def test_without_the_package_for_it(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: one line that names what to install; keys in PEM need nothing."""
    for name in ("pkcs12", ""):
        module = "cryptography.hazmat.primitives.serialization"
        monkeypatch.setitem(sys.modules, f"{module}.{name}" if name else module, None)
    with pytest.raises(TlsError, match="pip install cryptography"):
        own_from_file("PKCS12", store, PASSWORD, None)
    assert own_from_file("PEM", KEYS["ssl.keystore.location"], None, None).pem


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("keytool") is None, reason="needs Java's keytool")
def test_what_keytool_writes(tmp_path: Path) -> None:
    """TLS-11: a key, and a truststore that has certificates alone, by Java's own tool."""

    def keytool(*arguments: str) -> None:
        command = ["keytool", *arguments, "-storetype", "PKCS12", "-storepass", PASSWORD]
        subprocess.run(command, check=True, capture_output=True, timeout=60)

    keys, trusted = str(tmp_path / "keys.p12"), str(tmp_path / "trusted.p12")
    keytool(
        *("-genkeypair", "-keystore", keys, "-alias", "node", "-dname", "CN=node"),
        *("-keyalg", "EC", "-groupname", "secp256r1"),
    )
    keytool("-importcert", "-keystore", trusted, "-alias", "ca", "-file", CA, "-noprompt")
    assert "PRIVATE KEY" in own_from_file("PKCS12", keys, PASSWORD, None).pem
    text = trust_from_file("PKCS12", trusted, PASSWORD).text
    assert text is not None
    assert text.count("BEGIN CERTIFICATE") == 1
