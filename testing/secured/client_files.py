"""How a user of a secured cluster connects, in the words of each client."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

MECHANISM: Final = "SCRAM-SHA-512"
_MODULE: Final = "org.apache.kafka.common.security.scram.ScramLoginModule"


class Access(NamedTuple):
    """What a user needs to connect."""

    bootstrap: str
    ca: str
    """Path of the authority's certificate."""

    user: str
    password: str

    def __repr__(self) -> str:
        return f"Access({self.user!r}, …)"  # no password in a log


def java(access: Access) -> str:
    """Properties of Java's clients; `--client-config` of our commands takes them too."""
    login = f'{_MODULE} required username="{access.user}" password="{access.password}";'
    return _lines(
        {
            "bootstrap.servers": access.bootstrap,
            "security.protocol": "SASL_SSL",
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": access.ca.replace("\\", "\\\\"),
            "sasl.mechanism": MECHANISM,
            "sasl.jaas.config": login,
        }
    )


def librdkafka_properties(access: Access) -> dict[str, str]:
    """What confluent-kafka's clients take."""
    return {
        "bootstrap.servers": access.bootstrap,
        "security.protocol": "SASL_SSL",
        "ssl.ca.location": access.ca,
        "sasl.mechanism": MECHANISM,
        "sasl.username": access.user,
        "sasl.password": access.password,
    }


def librdkafka(access: Access) -> str:
    """Properties of librdkafka: of kcat (`-F`), and of others that read files."""
    return _lines(librdkafka_properties(access))


def python_options(access: Access) -> dict[str, Any]:
    """Keyword arguments of our clients and of kafka-python's; aiokafka takes an `ssl_context` in
    place of `ssl_cafile`."""
    return {
        "bootstrap_servers": access.bootstrap,
        "security_protocol": "SASL_SSL",
        "ssl_cafile": access.ca,
        "sasl_mechanism": MECHANISM,
        "sasl_plain_username": access.user,
        "sasl_plain_password": access.password,
    }


def python(access: Access) -> str:
    """`python_options` as JSON."""
    return json.dumps(python_options(access), indent=2) + "\n"


def _lines(pairs: dict[str, str]) -> str:
    return "".join(f"{name}={value}\n" for name, value in pairs.items())
