"""What Apache Kafka is told so that all its listeners want logins, and rights."""

from __future__ import annotations

from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from kit.secured import ADMIN, CA, TLS, logins


def kafka_settings(protocol: str) -> dict[str, str]:
    """For listeners PLAINTEXT and CONTROLLER (so they are named), with this protocol on both.

    Nodes log in as the admin, who may do everything; nobody else may do anything.
    """
    wanted = logins("PLAINTEXT", "CONTROLLER")
    del wanted["metadata.bootstrap.scram"]  # not Kafka's
    return {
        **{name: value.replace("\\", "\\\\") for name, value in wanted.items()},
        "sasl.enabled.mechanisms": "PLAIN",  # each further one wants an entry of its own
        "listener.security.protocol.map": f"PLAINTEXT:{protocol},CONTROLLER:{protocol}",
        "inter.broker.listener.name": "PLAINTEXT",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(TLS / "server.pem"),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": CA,
        "authorizer.class.name": STANDARD_AUTHORIZER,
        "super.users": f"User:{ADMIN}",
    }
