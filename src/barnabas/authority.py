"""An authority for certificates, and certificates that it signs: for clusters of one's own.

Keys are of the curve P-256, and written as PKCS#8 in PEM, which Java reads too. Everything here
needs the package `cryptography`.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from .tls import TlsError

DAYS: Final = 3650
"""How long a certificate holds, unless told otherwise."""

_SLACK: Final = timedelta(days=1)
"""Clocks of machines differ: so long before now a certificate begins to hold."""

_NO_USAGE: Final = {
    "digital_signature": False,
    "content_commitment": False,
    "key_encipherment": False,
    "data_encipherment": False,
    "key_agreement": False,
    "key_cert_sign": False,
    "crl_sign": False,
    "encipher_only": False,
    "decipher_only": False,
}


@dataclass(frozen=True, slots=True)
class Pair:
    """A private key and its certificate, both in PEM."""

    key: str
    certificate: str

    def __repr__(self) -> str:
        return "Pair(…)"  # no key in a log

    @property
    def pem(self) -> str:
        """Both in one text, as `ssl.keystore.location` has them."""
        return self.key + self.certificate


def new_authority(name: str, days: int = DAYS) -> Pair:
    """A new authority, which signs its own certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _named(name)
    usage = x509.KeyUsage(**{**_NO_USAGE, "key_cert_sign": True, "crl_sign": True})
    builder = (
        _builder(subject, subject, key.public_key(), days)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
    )
    return _written(key, builder.sign(key, hashes.SHA256()))


def issue(authority: Pair, name: str, hosts: Sequence[str], days: int = DAYS) -> Pair:
    """A new key and its certificate, for a server and for a client alike.

    `name` is the subject's common name; `hosts` are the names and IP addresses by which it is
    dialled. Raises TlsError: the authority is none, or a host's name cannot be in a certificate.
    """
    try:
        signer = load_pem_private_key(authority.key.encode(), None)
        parent = x509.load_pem_x509_certificate(authority.certificate.encode())
        names = x509.SubjectAlternativeName([_host(one) for one in hosts])
    except ValueError as error:
        raise TlsError(f"no certificate for {name} can be signed: {error}") from None
    if not isinstance(signer, ec.EllipticCurvePrivateKey):
        raise TlsError("the authority's key is not one of an elliptic curve")
    if signer.public_key() != parent.public_key():
        raise TlsError("the authority's key and certificate do not belong together")
    key = ec.generate_private_key(ec.SECP256R1())
    uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    builder = (
        _builder(_named(name), parent.subject, key.public_key(), days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.KeyUsage(**{**_NO_USAGE, "digital_signature": True}), critical=True)
        .add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()),
            critical=False,
        )
    )
    if hosts:
        builder = builder.add_extension(names, critical=False)
    return _written(key, builder.sign(signer, hashes.SHA256()))


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SLACK)
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _host(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _written(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> Pair:
    packed = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Pair(packed.decode(), certificate.public_bytes(Encoding.PEM).decode())
