"""`--client-config`: properties of Java's clients and of librdkafka."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from click.testing import CliRunner
from kit.broker import running
from kit.secured import CA, KEYS, PASSWORD, TLS, USER, fields_of, logins

from barnabas.cli.client_properties import client_options, read_properties
from barnabas.cli.main import command
from barnabas.client import Producer
from barnabas.client.errors import ConfigurationError

MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule"
JAVA = f"""
# as in Kafka's documentation
security.protocol=SASL_SSL
sasl.mechanism = SCRAM-SHA-256
sasl.jaas.config={MODULE} required \\
   username="{USER}" \\
   password="{PASSWORD}";
ssl.truststore.type=PEM
ssl.truststore.location={CA}
"""
LIBRDKAFKA = f"""
security.protocol: sasl_ssl
sasl.mechanisms: SCRAM-SHA-256
sasl.username={USER}
sasl.password={PASSWORD}
ssl.ca.location={CA}
"""


@pytest.mark.parametrize("text", [JAVA, LIBRDKAFKA], ids=["Java", "librdkafka"])
def test_both_dialects_say_the_same(text: str) -> None:
    """SASL-21, TLS-10: the same options of our client."""
    options = client_options(read_properties(text))
    context = options.pop("ssl_context")
    assert context.check_hostname
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert options == {
        "security_protocol": "SASL_SSL",
        "sasl_mechanism": "SCRAM-SHA-256",
        "sasl_plain_username": USER,
        "sasl_plain_password": PASSWORD,
    }


def test_checks_that_are_switched_off() -> None:
    """TLS-16: the name alone, or all of the certificate."""
    name = client_options(
        {"security.protocol": "ssl", "ssl.endpoint.identification.algorithm": ""}
    )["ssl_context"]
    assert (name.check_hostname, name.verify_mode) == (False, ssl.CERT_REQUIRED)
    nothing = client_options(
        {"security.protocol": "ssl", "enable.ssl.certificate.verification": "false"}
    )["ssl_context"]
    assert nothing.verify_mode is ssl.CERT_NONE


def test_a_file_that_begins_with_a_mark(tmp_path: Path) -> None:
    """Goal: the mark of Windows' editors is no part of the first property's name."""
    path = tmp_path / "marked.properties"
    path.write_bytes("security.protocol=NONE\r\n".encode("utf-8-sig"))
    result = CliRunner().invoke(command, ["topic", "list", "--client-config", str(path)])
    assert "security_protocol='NONE' is not one of" in str(result.exception)


def test_a_file_of_another_encoding(tmp_path: Path) -> None:
    """Goal: properties as Java once wrote them, in Latin-1, are refused in one line."""
    path = tmp_path / "latin-1.properties"
    path.write_bytes(b"client.id=caf\xe9\n")
    result = CliRunner().invoke(command, ["topic", "list", "--client-config", str(path)])
    assert result.exit_code == 1
    assert f"{path} is not UTF-8" in result.output


def test_a_key_with_a_password() -> None:
    """TLS-09: encrypted, and before or behind its certificate."""
    encrypted = {
        "security.protocol": "SSL",
        "ssl.keystore.location": str(TLS / "alice-encrypted.pem"),
    }
    assert client_options({**encrypted, "ssl.key.password": "secret"})["ssl_context"]
    for wrong in ({}, {"ssl.key.password": "wrong"}):
        with pytest.raises(ConfigurationError, match="password is wrong or missing"):
            client_options({**encrypted, **wrong})


@pytest.mark.parametrize(
    ("properties", "what"),
    [
        ({"ssl.keystore.pasword": "hidden"}, "ssl.keystore.pasword is no property"),
        ({"ssl.keystore.type": "JKS"}, "keytool -importkeystore"),
        ({"security.protocol": "SSL", "ssl.truststore.password": "hidden"}, "in PKCS12 alone"),
        ({"sasl.jaas.config": "hidden"}, "sasl.jaas.config must be"),
        ({"sasl.jaas.config": "a.Krb5LoginModule required;"}, "Krb5LoginModule is none of"),
        ({"request.timeout.ms": "soon"}, "is no number"),
        ({"security.protocol": "SSL", "ssl.ca.location": "/nowhere.pem"}, "cannot be read"),
        ({"security.protocol": "SSL", "ssl.cipher.suites": "NONE_SUCH"}, "no cipher"),
    ],
)
def test_what_is_refused(properties: dict[str, str], what: str) -> None:
    """SEC-04, TLS-11, TLS-06: by name, and never with a password."""
    with pytest.raises(ConfigurationError, match=what) as caught:
        client_options(properties)
    assert "hidden" not in str(caught.value)


def test_lines_that_are_none() -> None:
    """SEC-04: the number of the line alone; escapes are those of Java."""
    with pytest.raises(ConfigurationError, match="line 2 is not"):
        read_properties("a=b\nhidden\n")
    assert read_properties("a\\:b=c\\u0041\\n\n! no\nd e") == {"a:b": "cA", "d": "e"}


def test_secrets_that_are_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-03, SEC-04: a file or a variable has them; an error shows where, not what."""
    secrets = tmp_path / "secrets.properties"
    secrets.write_text("password=wonder; land\nnumber=hidden\n")
    monkeypatch.setenv("WHO", USER)
    java = "org.apache.kafka.common.config.provider."
    text = f"""
config.providers=file,env
config.providers.file.class={java}FileConfigProvider
config.providers.env.class={java}EnvVarConfigProvider
sasl.username=${{env:WHO}}
sasl.password=${{file:{secrets}:password}}
"""
    options = client_options(read_properties(text))
    assert (options["sasl_plain_username"], options["sasl_plain_password"]) == (USER, PASSWORD)
    for wrong, what in {
        "client.id=${file:SECRETS:none}": r"client\.id: .*none}: the file has no such key",
        "client.id=${env:NONE_SUCH}": "no such variable",
        "request.timeout.ms=${file:SECRETS:number}": "is no number",
        "client.id=${vault:a}": "does not name the provider 'vault'",
    }.items():
        with pytest.raises(ConfigurationError, match=what) as caught:
            client_options(read_properties(text + wrong.replace("SECRETS", str(secrets))))
        assert "hidden" not in str(caught.value)


async def test_the_options_open_a_connection(tmp_path: Path) -> None:
    """SASL-21: a broker takes them."""
    settings = {"listeners": "PLAINTEXT://:0,SASL_SSL://:0", **KEYS, **logins("SASL_SSL")}
    plain = LIBRDKAFKA.replace("SCRAM-SHA-256", "PLAIN")
    async with running(tmp_path, **fields_of(settings)) as bench:
        listener = await bench.broker.bind("SASL_SSL", "127.0.0.1", 0)
        await listener.start_serving()
        options = client_options(read_properties(plain))
        async with Producer(bootstrap_servers=f"127.0.0.1:{listener.port}", **options) as producer:
            assert [str(one.principal) for one in bench.broker.connections._all] == ["User:alice"]
            del producer
