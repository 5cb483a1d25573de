"""TLS contexts out of PEM files and texts, for nodes and clients alike.

Keys and certificates that come as text are read by OpenSSL from files only, so they pass through
one that nobody else may read and that is gone at once.
"""

from __future__ import annotations

import re
import ssl
import tempfile
from collections.abc import Sequence
from typing import Final, NamedTuple

_BLOCK: Final = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----", re.DOTALL)
_VERSIONS: Final = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
_LINE: Final = 64


class TlsError(ValueError):
    """Keys, certificates or ciphers that cannot be used; the text says which, and tells no key."""


class Trust(NamedTuple):
    """Whom to believe: `texts` (PEM) and `files`; those of the system if there are neither."""

    text: str | None = None
    file: str | None = None


class Own(NamedTuple):
    """This side's private key and certificates, the own one first, as one PEM text."""

    pem: str
    password: str | None = None


def read_pem(path: str) -> str:
    """The text of a PEM file. Raises TlsError."""
    try:
        with open(path, encoding="latin-1") as stream:
            return stream.read()
    except OSError as error:
        raise TlsError(f"{path} cannot be read: {error.strerror}") from None


def key_and_chain(text: str, what: str) -> str:
    """The private key and the certificates in a PEM text, written anew, the key first (TLS-09).

    Text around the blocks is passed over, and lines may end anywhere. Raises TlsError unless there
    are one key and at least one certificate; `what` says in it where the text is from.
    """
    keys, certificates = [], []
    for label, body in _BLOCK.findall(text):
        if label.endswith("PRIVATE KEY"):
            keys.append(_written(label, body))
        elif label in ("CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"):
            certificates.append(_written(label, body))
    if len(keys) != 1:
        raise TlsError(f"{what} has {len(keys)} private keys in PEM, not one")
    if not certificates:
        raise TlsError(f"{what} has no certificate in PEM")
    return "".join(keys + certificates)


def certificates_of(text: str, what: str) -> str:
    """The certificates in a PEM text, written anew. Raises TlsError if there are none."""
    found = [
        _written(label, body) for label, body in _BLOCK.findall(text) if "CERTIFICATE" in label
    ]
    if not found:
        raise TlsError(f"{what} has no certificate in PEM")
    return "".join(found)


def _written(label: str, body: str) -> str:
    if "Proc-Type:" in body:  # an old form of encryption, whose header lines matter
        return f"-----BEGIN {label}-----{body}-----END {label}-----\n"
    kept = "".join(line for line in body.splitlines() if ":" not in line)
    packed = "".join(kept.split())
    lines = [packed[at : at + _LINE] for at in range(0, len(packed), _LINE)]
    return "\n".join((f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""))


def server_context(
    own: Own,
    trust: Trust,
    *,
    client_auth: str,
    versions: Sequence[str],
    ciphers: Sequence[str],
) -> ssl.SSLContext:
    """For one listener; `client_auth` is required, requested or none (TLS-12). Raises TlsError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _prepare(context, versions, ciphers)
    load_own(context, own)
    if client_auth != "none":
        is_required = client_auth == "required"
        context.verify_mode = ssl.CERT_REQUIRED if is_required else ssl.CERT_OPTIONAL
        load_trust(context, trust, ssl.Purpose.CLIENT_AUTH)
        context.num_tickets = 0  # a ticket would stand for a certificate that nobody looks at
    return context


def client_context(
    own: Own | None,
    trust: Trust,
    *,
    versions: Sequence[str] = tuple(_VERSIONS),
    ciphers: Sequence[str] = (),
    checks_names: bool = True,
) -> ssl.SSLContext:
    """For connections to listeners; names are those of hosts (TLS-16). Raises TlsError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = checks_names
    _prepare(context, versions, ciphers)
    load_trust(context, trust, ssl.Purpose.SERVER_AUTH)
    if own is not None:
        load_own(context, own)
    return context


def _prepare(context: ssl.SSLContext, versions: Sequence[str], ciphers: Sequence[str]) -> None:
    chosen = sorted(_VERSIONS[one] for one in versions)
    if not chosen:
        raise TlsError("no version of TLS is enabled")
    context.minimum_version, context.maximum_version = chosen[0], chosen[-1]
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    names = [found for one in ciphers if (found := _openssl_name(one)) is not None]
    for name in names:
        try:
            context.set_ciphers(name)
        except ssl.SSLError:
            raise TlsError(f"{name} is no cipher that OpenSSL knows") from None
    if names:
        context.set_ciphers(":".join(names))


def _openssl_name(name: str) -> str | None:
    """OpenSSL's name of a cipher that may be called as in Java; None: of TLS 1.3 (TLS-06)."""
    exchange, separator, cipher = name.removeprefix("TLS_").partition("_WITH_")
    if not separator:
        return None if name.startswith("TLS_") else name
    cipher = re.sub(r"_CBC(?=_SHA)", "", cipher)
    cipher = re.sub(r"^(AES|CAMELLIA|ARIA)_(?=\d)", r"\1", cipher)
    cipher = cipher.replace("CHACHA20_POLY1305_SHA256", "CHACHA20_POLY1305")
    joined = cipher if exchange == "RSA" else f"{exchange}_{cipher}"
    return joined.replace("_", "-")


def load_own(context: ssl.SSLContext, own: Own) -> None:
    """Give it this side's key and certificates. Raises TlsError."""
    with tempfile.NamedTemporaryFile("w", encoding="latin-1", suffix=".pem") as stream:
        stream.write(own.pem)
        stream.flush()
        try:
            # Without a function, OpenSSL would ask on the terminal.
            context.load_cert_chain(stream.name, password=lambda: own.password or "")
        except (ssl.SSLError, ValueError) as error:
            reason = getattr(error, "reason", None) or str(error)
            raise TlsError(
                f"key and certificate cannot be used ({reason}): the password is wrong or missing, "
                "or they do not belong together"
            ) from None


def load_trust(context: ssl.SSLContext, trust: Trust, purpose: ssl.Purpose) -> None:
    """Tell it whom to believe. Raises TlsError."""
    text = trust.text
    if text is None and trust.file is not None:
        text = read_pem(trust.file)
    if text is None:
        context.load_default_certs(purpose)
        return
    try:
        context.load_verify_locations(
            cadata=certificates_of(text, trust.file or "the list of authorities")
        )
    except (ssl.SSLError, TypeError) as error:  # TypeError: there is more than ASCII in one
        raise TlsError(f"trusted certificates cannot be used: {reason_of(error)}") from None


def check_own_trust(server: ssl.SSLContext, client: ssl.SSLContext) -> None:
    """Shake hands with oneself in memory, without names (TLS-17). Raises TlsError."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    was_checking, client.check_hostname = client.check_hostname, False
    ends = [
        client.wrap_bio(to_client, to_server),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    client.check_hostname = was_checking
    for _ in range(10):
        for end in list(ends):
            try:
                end.do_handshake()
                ends.remove(end)
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLError as error:
                raise TlsError(f"the own certificate does not pass: {reason_of(error)}") from None
    if ends:
        raise TlsError("the handshake with the own certificate does not end")


def reason_of(error: BaseException) -> str:
    """Why a handshake failed, in a few words that name no file of OpenSSL's source."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return str(error.verify_message)
    if isinstance(error, ssl.SSLError) and error.reason:
        return str(error.reason).lower().replace("_", " ")
    return str(error) or type(error).__name__
