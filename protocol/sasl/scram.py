"""SCRAM-SHA-256 and SCRAM-SHA-512 (RFC 5802): formulas, messages, and the client's side.

The password never leaves the client: both sides prove that they know what is made of it. There is
no SASLprep, as in Kafka: a password is its UTF-8 (SASL-25).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from functools import partial
from typing import Final, NamedTuple

from .errors import SaslError
from .slow import Slow

ITERATIONS_MIN: Final = 4096
ITERATIONS_MAX: Final = 16384
CLIENT_ITERATIONS_MAX: Final = ITERATIONS_MAX * 64
"""More a client does not calculate, whoever asks for it (ATK-22)."""


class ScramHash(NamedTuple):
    """One of the mechanisms."""

    name: str
    number: int  # in requests and records
    algorithm: str


MECHANISMS: Final = (
    ScramHash("SCRAM-SHA-256", 1, "sha256"),
    ScramHash("SCRAM-SHA-512", 2, "sha512"),
)
BY_NAME: Final = {one.name: one for one in MECHANISMS}
BY_NUMBER: Final = {one.number: one for one in MECHANISMS}

_NAME = r"(?:[\x01-\x2b\x2d-\x3c\x3e-\x7f]|=2C|=3D)+"
_VALUE = r"[\x01-\x2b\x2d-\x7f]+"
_PRINTABLE = r"[\x21-\x2b\x2d-\x7e]+"
_BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
_EXTENSIONS = rf"(?:,[A-Za-z]+={_VALUE})*"
_CLIENT_FIRST: Final = re.compile(
    rf"(n,(?:a=({_NAME}))?,)(?:m={_VALUE},)?(n=({_NAME}),r=({_PRINTABLE})({_EXTENSIONS}))"
)
_CLIENT_FINAL: Final = re.compile(rf"(c=({_BASE64}),r=({_PRINTABLE})){_EXTENSIONS},p=({_BASE64})")
_SERVER_FIRST: Final = re.compile(
    rf"(?:m={_VALUE},)?r=({_PRINTABLE}),s=({_BASE64}),i=([1-9][0-9]{{0,8}}){_EXTENSIONS}"
)
_SERVER_FINAL: Final = re.compile(rf"(?:e=({_VALUE})|v=({_BASE64})){_EXTENSIONS}")


# --- formulas ---------------------------------------------------------------------------------


def salted_password(kind: ScramHash, password: str, salt: bytes, iterations: int) -> bytes:
    """PBKDF2: slow on purpose; the work of clients and administrators alone (SASL-32)."""
    return hashlib.pbkdf2_hmac(kind.algorithm, password.encode(), salt, iterations)


def keys_of(kind: ScramHash, salted: bytes) -> tuple[bytes, bytes]:
    """StoredKey and ServerKey, which is all that a server knows (SASL-29)."""
    client_key = _mac(kind, salted, b"Client Key")
    return _hash(kind, client_key), _mac(kind, salted, b"Server Key")


def proof_of(kind: ScramHash, salted: bytes, message: bytes) -> bytes:
    """The client's proof for a whole exchange."""
    client_key = _mac(kind, salted, b"Client Key")
    return _xor(client_key, _mac(kind, _hash(kind, client_key), message))


def is_proven(kind: ScramHash, stored_key: bytes, message: bytes, proof: bytes) -> bool:
    """Whether the proof is of somebody who knows the password; in constant time (SEC-08)."""
    signature = _mac(kind, stored_key, message)
    if len(proof) != len(signature):
        return False
    return hmac.compare_digest(_hash(kind, _xor(proof, signature)), stored_key)


def server_signature(kind: ScramHash, server_key: bytes, message: bytes) -> bytes:
    """By which the server proves itself."""
    return _mac(kind, server_key, message)


def _mac(kind: ScramHash, key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, kind.algorithm)


def _hash(kind: ScramHash, data: bytes) -> bytes:
    return hashlib.new(kind.algorithm, data).digest()


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def auth_message(first_bare: str, server_first: str, final_without_proof: str) -> bytes:
    """What both sides sign (SASL-25)."""
    return f"{first_bare},{server_first},{final_without_proof}".encode()


def escaped_name(name: str) -> str:
    """A name as messages have it."""
    return name.replace("=", "=3D").replace(",", "=2C")


def unescaped_name(name: str) -> str:
    """The name that stands for in a message."""
    return name.replace("=2C", ",").replace("=3D", "=")


# --- messages ---------------------------------------------------------------------------------


class ClientFirst(NamedTuple):
    """`n,[a=…],n=name,r=nonce[,…]` (SASL-22)."""

    header: str
    authzid: str
    bare: str
    name: str
    nonce: str
    is_token: bool  # the extension tokenauth=true: a delegation token logs in


class ClientFinal(NamedTuple):
    """`c=binding,r=nonce[,…],p=proof` (SASL-24)."""

    without_proof: str
    binding: bytes
    nonce: str
    proof: bytes


def parse_client_first(token: bytes) -> ClientFirst:
    """Raises SaslError."""
    found = _CLIENT_FIRST.fullmatch(_text(token))
    if found is None:
        raise SaslError("no client-first message of SCRAM")
    header, authzid, bare, name, nonce, extensions = found.groups()
    is_token = ",tokenauth=true" in extensions.lower()
    authzid, name = unescaped_name(authzid or ""), unescaped_name(name)
    return ClientFirst(header, authzid, bare, name, nonce, is_token)


def parse_client_final(token: bytes) -> ClientFinal:
    """Raises SaslError."""
    found = _CLIENT_FINAL.fullmatch(_text(token))
    if found is None:
        raise SaslError("no client-final message of SCRAM")
    return ClientFinal(found[1], base64.b64decode(found[2]), found[3], base64.b64decode(found[4]))


def server_first(nonce: str, salt: bytes, iterations: int) -> str:
    """`r=nonce,s=salt,i=iterations` (SASL-23)."""
    return f"r={nonce},s={base64.b64encode(salt).decode()},i={iterations}"


def server_final(signature: bytes) -> bytes:
    """`v=signature`."""
    return b"v=" + base64.b64encode(signature)


def _text(token: bytes) -> str:
    try:
        return token.decode("utf-8")
    except UnicodeDecodeError:
        raise SaslError("a message of SCRAM that is not UTF-8") from None


# --- the client -------------------------------------------------------------------------------


class ScramClient:
    """The client's side of one login."""

    def __init__(self, mechanism: str, name: str, password: str, nonce: str) -> None:
        """`nonce` is random, printable and has no comma."""
        self.mechanism = mechanism
        self._kind = BY_NAME[mechanism]
        self._password = password
        self._nonce = nonce
        self._bare = f"n={escaped_name(name)},r={nonce}"
        self._signature: bytes | None = None
        self._is_over = False

    def first(self) -> bytes:
        """What to send first."""
        return f"n,,{self._bare}".encode()

    def next(self, challenge: bytes) -> bytes | Slow | None:
        """What to send next; None: nothing more, and the server has proved itself.

        The proof is `Slow`: PBKDF2 takes up to half a second.

        Raises SaslError: the server does not know the password, or asks for what is not done.
        """
        if self._signature is None:
            return self._final(_text(challenge))
        found = _SERVER_FINAL.fullmatch(_text(challenge))
        if self._is_over or found is None or found[2] is None:
            raise SaslError("the server ended the login of SCRAM without a signature")
        if not hmac.compare_digest(base64.b64decode(found[2]), self._signature):
            raise SaslError("the server does not know this user's credential")
        self._is_over = True
        return None

    def _final(self, first: str) -> Slow:
        found = _SERVER_FIRST.fullmatch(first)
        if found is None:
            raise SaslError("the server's first message is none of SCRAM")
        nonce, salt, iterations = found[1], base64.b64decode(found[2]), int(found[3])
        if not nonce.startswith(self._nonce) or nonce == self._nonce:
            raise SaslError("the server answers with another nonce")
        if not ITERATIONS_MIN <= iterations <= CLIENT_ITERATIONS_MAX:
            raise SaslError(
                f"the server asks for {iterations} iterations, where {ITERATIONS_MIN} to "
                f"{CLIENT_ITERATIONS_MAX} are allowed"
            )
        return Slow(partial(self._proof, first, nonce, salt, iterations))

    def _proof(self, first: str, nonce: str, salt: bytes, iterations: int) -> bytes:
        salted = salted_password(self._kind, self._password, salt, iterations)
        without_proof = f"c=biws,r={nonce}"
        message = auth_message(self._bare, first, without_proof)
        self._signature = server_signature(self._kind, keys_of(self._kind, salted)[1], message)
        proof = base64.b64encode(proof_of(self._kind, salted, message)).decode()
        return f"{without_proof},p={proof}".encode()
