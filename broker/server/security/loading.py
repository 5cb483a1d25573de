"""The certificates of one listener, read from where settings say: at the start, and again later."""

from __future__ import annotations

import os
import ssl
from datetime import UTC, datetime
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from barnabas.tls import TlsError, check_own_trust

from ...core.config.broker import BrokerConfig
from ...core.config.field import ConfigError
from ...core.config.listeners import for_listener, inter_broker_listener, protocol_of
from ...core.security.certificate import CertificateFacts, why_not_in_its_place
from ...core.security.distinguished_name import CertificateError, subject_of
from .material import Warn, client_auth_of, client_side, own_of, server_side, trust_of


class Source(NamedTuple):
    """Where certificates come from: paths with what tells their contents apart, and texts."""

    files: tuple[tuple[str, object], ...]
    texts: tuple[object, ...]


class Loaded(NamedTuple):
    """What a listener needs of its settings."""

    server: ssl.SSLContext | None
    client: ssl.SSLContext | None
    facts: CertificateFacts | None
    has_trust: bool
    source: Source


def source_of(config: BrokerConfig, listener: str) -> Source:
    """As the settings and the disk are now."""
    of_this = for_listener(config, listener)
    paths = (of_this.ssl_keystore_location, of_this.ssl_truststore_location)
    files = tuple((path, _state_of(path)) for path in paths if path is not None)
    texts = (
        *paths,
        of_this.ssl_keystore_type,
        of_this.ssl_keystore_key,
        of_this.ssl_keystore_certificate_chain,
        of_this.ssl_keystore_password,
        of_this.ssl_key_password,
        of_this.ssl_truststore_type,
        of_this.ssl_truststore_certificates,
        of_this.ssl_truststore_password,
    )
    return Source(files, texts)


def _state_of(path: str) -> object:
    try:
        found = os.stat(path)
    except OSError as error:
        return error.errno
    return found.st_mtime_ns, found.st_size, found.st_ino


def load(config: BrokerConfig, listener: str, warn: Warn, *, serves: bool, dials: bool) -> Loaded:
    """Read everything; slow. `serves`: the node has this listener; `dials`: it connects to it.

    Raises ConfigError.
    """
    source = source_of(config, listener)
    of_this = for_listener(config, listener)
    own = own_of(of_this, warn)
    auth = client_auth_of(config, listener, protocol_of(config, listener), warn)
    server = server_side(of_this, listener, auth, warn) if serves else None
    client = client_side(of_this, listener, warn) if dials else None
    if server is not None and client is not None and listener == inter_broker_listener(config):
        try:
            check_own_trust(server, client)
        except TlsError as error:
            raise ConfigError("ssl", None, f"listener {listener}: {error}") from None
    if source_of(config, listener) != source:
        raise ConfigError("ssl", None, f"listener {listener}: a file changed while it was read")
    trust = trust_of(of_this)
    return Loaded(
        server,
        client,
        None if own is None else _facts(own.pem, listener),
        trust.text is not None or trust.file is not None,
        source,
    )


def _facts(pem: str, listener: str) -> CertificateFacts:
    """Of the first certificate, which is the node's own."""
    try:
        own = x509.load_pem_x509_certificates(pem.encode())[0]
        return CertificateFacts(
            subject_of(own.public_bytes(Encoding.DER)),
            _names(own),
            own.not_valid_before_utc,
            own.not_valid_after_utc,
        )
    except (CertificateError, ValueError):
        reason = f"listener {listener}: the first certificate cannot be read"
        raise ConfigError("ssl", None, reason) from None


def _names(certificate: x509.Certificate) -> frozenset[str]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return frozenset()
    return frozenset(
        name.value.lower() if isinstance(name, x509.DNSName) else str(name.value)
        for name in found.value
    )


def check_in_its_place(config: BrokerConfig, listener: str, old: Loaded, new: Loaded) -> None:
    """Raise ConfigError unless the new certificates may take the place of the old (TLS-19)."""
    of_this = for_listener(config, listener)
    if (old.facts is None) != (new.facts is None):
        raise _refused(listener, "a keystore can be neither added nor removed")
    if old.has_trust != new.has_trust:
        raise _refused(listener, "a truststore can be neither added nor removed")
    if old.facts is None or new.facts is None or old.facts == new.facts:
        return
    if not new.facts.not_before <= datetime.now(UTC) <= new.facts.not_after:
        raise _refused(listener, "the new certificate does not hold now")
    reason = why_not_in_its_place(
        old.facts,
        new.facts,
        allows_other_subject=of_this.ssl_allow_dn_changes,
        allows_other_names=of_this.ssl_allow_san_changes,
    )
    if reason is not None:
        raise _refused(listener, reason)


def _refused(listener: str, reason: str) -> ConfigError:
    return ConfigError("ssl", None, f"listener {listener}: {reason}")
