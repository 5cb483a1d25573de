"""Keys and certificates out of files in PEM or PKCS12, as PEM.

PKCS12 is what Java's `keytool` writes, and `openssl pkcs12`; to read it takes the package
`cryptography`. JKS, Java's older form, is not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .tls import Own, TlsError, Trust, key_and_chain, read_pem

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.serialization.pkcs12 import PKCS12KeyAndCertificates
    from cryptography.x509 import Certificate

PEM: Final = "PEM"
PKCS12: Final = "PKCS12"
KINDS: Final = (PEM, PKCS12)
_PKCS12_BYTES_MAX: Final = 16 * 1024 * 1024


def kind_of(text: str) -> str:
    """The form of a store, as settings name it, in any case. Raises TlsError."""
    kind = text.upper()
    if kind == "JKS":
        raise TlsError(
            "JKS is not read: `keytool -importkeystore -srckeystore old.jks -destkeystore new.p12"
            " -deststoretype pkcs12` makes PKCS12 of it"
        )
    if kind not in KINDS:
        raise TlsError(f"{text} is none of {', '.join(KINDS)}")
    return kind


def own_from_file(kind: str, path: str, store: str | None, key: str | None) -> Own:
    """This side's key and certificates.

    Args:
        kind: one of `KINDS`.
        path: the file.
        store: the password of a store in PKCS12.
        key: the password of the key in PEM; in PKCS12 it is the store's.

    Raises TlsError: the file cannot be read, or passwords are missing, wrong or too many.
    """
    if kind == PEM:
        if store is not None:
            raise TlsError(
                "a password of the store is not for a keystore of type PEM; ssl.key.password is"
            )
        return Own(key_and_chain(read_pem(path), path), key)
    if store is None:
        raise TlsError(f"{path} is PKCS12, and needs the password of the store")
    if key is not None and key != store:
        raise TlsError(f"{path} is PKCS12, where the key has the password of the store")
    return _own_of(_read(path, store), path)


def trust_from_file(kind: str, path: str, store: str | None) -> Trust:
    """Whom to believe: the certificates of a file, which may lack a password. Raises TlsError."""
    if kind == PEM:
        if store is not None:
            raise TlsError("a password of the store is not for a truststore of type PEM")
        return Trust(file=path)
    return _trust_of(_read(path, store), path)


def _read(path: str, password: str | None) -> PKCS12KeyAndCertificates:
    try:
        # Not at the top: it takes time to load, and most nodes have their keys in PEM.
        from cryptography.hazmat.primitives.serialization import pkcs12
    except ImportError:
        raise TlsError(
            f"{path}: PKCS12 is read with the package cryptography, which is not installed:"
            " pip install cryptography"
        ) from None
    try:
        with open(path, "rb") as stream:
            data = stream.read(_PKCS12_BYTES_MAX)
    except OSError as error:
        raise TlsError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return pkcs12.load_pkcs12(data, None if password is None else password.encode())
    except ValueError:
        raise TlsError(f"{path} is no PKCS12, or its password is wrong or missing") from None


def _own_of(found: PKCS12KeyAndCertificates, path: str) -> Own:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    if found.key is None or found.cert is None:
        raise TlsError(f"{path} has no private key with a certificate")
    key = found.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    chain = [found.cert.certificate, *(each.certificate for each in found.additional_certs)]
    return Own(key + "".join(map(_pem, chain)))


def _trust_of(found: PKCS12KeyAndCertificates, path: str) -> Trust:
    certificates = [each.certificate for each in found.additional_certs]
    if found.cert is not None:
        certificates.append(found.cert.certificate)
    if not certificates:
        raise TlsError(f"{path} has no certificate")
    return Trust(text="".join(map(_pem, certificates)))


def _pem(certificate: Certificate) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.PEM).decode()
