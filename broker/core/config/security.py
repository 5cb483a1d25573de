"""Settings of TLS and of logins; each may be set for one listener alone, by a prefix.

`listener.name.<listener>.<setting>` beats `<setting>` on that listener, and
`listener.name.<listener>.<mechanism>.<setting>` beats both for one mechanism of it (TLS-02).
`core/config/listeners.py` puts them together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from .field import HOUR_MS, SECOND_MS, Long, Names, Password, Settings, Value, setting

PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
"""The security protocols, at Kafka's numbers of them."""

NODE_MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
"""The SASL mechanisms by which nodes log in to each other."""

MECHANISMS = (*NODE_MECHANISMS, "OAUTHBEARER")
"""The SASL mechanisms that are there."""

_PACKAGE = "org.apache.kafka.common.security.oauthbearer."
TOKENS_SIGNED = _PACKAGE + "OAuthBearerValidatorCallbackHandler"
TOKENS_UNSECURED = _PACKAGE + "internals.unsecured.OAuthBearerUnsecuredValidatorCallbackHandler"
"""Kafka's classes that check tokens of OAUTHBEARER, and what they stand for here."""


class Override(NamedTuple):
    """One setting of one listener, or of one mechanism on it."""

    listener: str  # as `canonical` writes it
    mechanism: str  # likewise; empty for the listener itself
    field_name: str
    value: Value


@dataclass(frozen=True, init=False, repr=False, eq=False)
class SecuritySettings(Settings):
    """TLS, SASL, and what a peer may do before it has said who it is."""

    listener_overrides: tuple[Override, ...] = field(default=())
    """What was set by a prefix; no setting itself."""

    security_inter_broker_protocol: str | None = setting(
        None,
        choices=PROTOCOLS,
        doc="Protocol of the listener that other brokers use, where inter.broker.listener.name "
        "does not name it.",
    )
    ssl_enabled_protocols: Names = setting(
        ("TLSv1.2", "TLSv1.3"),
        choices=("TLSv1.2", "TLSv1.3"),
        doc="Versions of TLS that are spoken.",
    )
    ssl_cipher_suites: Names = setting(
        (),
        doc="Ciphers of TLS 1.2 by Java's or OpenSSL's names; empty leaves the choice to OpenSSL. "
        "Those of TLS 1.3 cannot be chosen.",
    )
    ssl_keystore_type: str = setting(
        "PEM",
        doc="Form of the key and its certificates: PEM or PKCS12. JKS must be converted: `keytool "
        "-importkeystore -deststoretype pkcs12`.",
    )
    ssl_keystore_location: str | None = setting(
        None, doc="File with one private key and its certificate chain; in PEM in any order."
    )
    ssl_keystore_key: Password | None = setting(None, doc="The private key itself, as PEM.")
    ssl_keystore_certificate_chain: Password | None = setting(
        None, doc="The certificates of ssl.keystore.key themselves, as PEM, the own one first."
    )
    ssl_keystore_password: Password | None = setting(
        None, doc="Password of a keystore in PKCS12, and of the key in it; PEM has none."
    )
    ssl_key_password: Password | None = setting(
        None, doc="Password of a private key in PEM that is encrypted."
    )
    ssl_truststore_type: str = setting(
        "PEM", doc="Form of the trusted certificates: PEM or PKCS12."
    )
    ssl_truststore_location: str | None = setting(
        None, doc="File with the authorities that are trusted; unset: those of the system."
    )
    ssl_truststore_certificates: Password | None = setting(
        None, doc="The trusted authorities themselves, as PEM."
    )
    ssl_truststore_password: Password | None = setting(
        None, doc="Password of a truststore in PKCS12, which may lack one; PEM has none."
    )
    ssl_allow_dn_changes: bool = setting(
        False, doc="Whether a new certificate may be another subject's while the node runs."
    )
    ssl_allow_san_changes: bool = setting(
        False,
        doc="Whether a new certificate may lack hosts of the old one while the node runs.",
    )
    ssl_reload_interval_ms: Long = setting(
        10 * SECOND_MS,
        unit="ms",
        minimum=0,
        doc="How often the files of keys and authorities are looked at, and loaded if they have "
        "changed; 0: never.",
    )
    ssl_untrusted_clients_disconnect_enable: bool = setting(
        False,
        doc="Whether connections of clients that showed a certificate are closed when an authority "
        "leaves the listener's truststore; who is still trusted connects again.",
    )
    ssl_client_auth: str = setting(
        "none",
        doc="Whether clients show a certificate: required, requested or none. On a SASL_SSL "
        "listener only its own prefixed setting counts.",
    )
    ssl_endpoint_identification_algorithm: str = setting(
        "https",
        choices=("https", ""),
        doc="Whether this node checks the names of nodes that it connects to; empty: it does not.",
    )
    ssl_principal_mapping_rules: str = setting(
        "DEFAULT",
        doc="How the subject of a client's certificate becomes a user: DEFAULT or "
        "RULE:pattern/replacement/[LU], …; the first that matches wins.",
    )
    sasl_enabled_mechanisms: Names = setting(
        (), choices=MECHANISMS, doc="Mechanisms by which clients of SASL listeners log in."
    )
    sasl_mechanism_inter_broker_protocol: str | None = setting(
        None, choices=NODE_MECHANISMS, doc="Mechanism by which brokers log in to each other."
    )
    sasl_mechanism_controller_protocol: str | None = setting(
        None, choices=NODE_MECHANISMS, doc="Mechanism by which nodes log in to controllers."
    )
    sasl_jaas_config: Password | None = setting(
        None,
        doc="`<login module> required username=… password=… user_<name>=…;`: this node's own login "
        "and, for PLAIN, the users. Set it as listener.name.<listener>.<mechanism>."
        "sasl.jaas.config.",
    )
    metadata_bootstrap_scram: Password | None = setting(
        None,
        doc="First users of a new cluster, for empty directories of controllers: "
        "`SCRAM-SHA-256=[name=…,password=…]`, with iterations=, or saltedpassword= and salt= "
        "instead of the password.",
    )
    connections_max_reauth_ms: Long = setting(
        0, unit="ms", minimum=0, doc="Time after which a client must log in again; 0: never."
    )
    connections_authentication_timeout_ms: int = setting(
        10 * SECOND_MS,
        unit="ms",
        minimum=1,
        doc="Time from the connection to the end of TLS handshake and login.",
    )
    connections_max_handshakes: int = setting(
        64, minimum=1, doc="Most TLS handshakes at one time on one listener; others wait."
    )
    sasl_server_callback_handler_class: str | None = setting(
        None,
        doc="For PLAIN: the dotted path of a function, which is called with name and password and "
        "gives True for those that it lets in, in place of the users of the JAAS entry. For "
        f"OAUTHBEARER: `{TOKENS_SIGNED}`, as when this is unset, or, for tests alone, "
        f"`{TOKENS_UNSECURED}`: tokens that say that nobody signed them. Set it as "
        "listener.name.<listener>.<mechanism>.sasl.server.callback.handler.class.",
    )
    sasl_oauthbearer_jwks_endpoint_url: str | None = setting(
        None,
        doc="Where the keys are that sign tokens of OAUTHBEARER: https://…, http://… of this "
        "machine, or file:///….",
    )
    sasl_oauthbearer_jwks_endpoint_refresh_ms: Long = setting(
        HOUR_MS, unit="ms", minimum=1, doc="Time after which the keys are read again."
    )
    sasl_oauthbearer_jwks_endpoint_retry_backoff_ms: Long = setting(
        100, unit="ms", minimum=1, doc="Wait after a reading of the keys that failed; it doubles."
    )
    sasl_oauthbearer_jwks_endpoint_retry_backoff_max_ms: Long = setting(
        10 * SECOND_MS, unit="ms", minimum=1, doc="Longest wait between two such readings."
    )
    sasl_oauthbearer_expected_audience: Names = setting(
        (), doc="A token's `aud` must contain one of these; empty: it is not looked at."
    )
    sasl_oauthbearer_expected_issuer: str | None = setting(
        None, doc="A token's `iss` must be this; unset: it is not looked at."
    )
    sasl_oauthbearer_clock_skew_seconds: int = setting(
        30,
        unit="s",
        minimum=0,
        maximum=600,
        doc="How far the clock of who makes tokens may be off.",
    )
    sasl_oauthbearer_scope_claim_name: str = setting(
        "scope", doc="The claim of a token with its scopes."
    )
    sasl_oauthbearer_sub_claim_name: str = setting(
        "sub", doc="The claim of a token with the user's name."
    )
    sasl_login_connect_timeout_ms: int | None = setting(
        None, unit="ms", minimum=1, doc="Time to connect to where the keys are; unset: 10 s."
    )
    sasl_login_read_timeout_ms: int | None = setting(
        None, unit="ms", minimum=1, doc="Time for the answer with the keys; unset: 10 s."
    )
