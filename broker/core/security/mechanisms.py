"""The server's side of the mechanisms: who may log in, and how that is found out.

Who fails learns nothing from it: a name that nobody has takes as many steps, as much work and the
same words as a wrong password (SASL-20, SASL-31).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple, Protocol

from barnabas.protocol.sasl import plain, scram
from barnabas.protocol.sasl.errors import SaslError
from barnabas.protocol.sasl.plain import PlainToken
from barnabas.protocol.sasl.scram import ITERATIONS_MIN, ClientFirst, ScramHash
from barnabas.protocol.sasl.slow import Slow

_LETTERS: Final = b"0123456789abcdefghijklmnopqrstuvwxyz"
"""Of the salts that Kafka's tools make."""


class LoginError(Exception):
    """The login fails. `told` goes to the client; None: only the generic text (SASL-08)."""

    def __init__(self, reason: str, told: str | None = None) -> None:
        super().__init__(reason)
        self.told = told


class CheckFailedError(Exception):
    """The function that looks at passwords failed, so nobody knows whether this one is right."""


class ServerMechanism(Protocol):
    """One login over one connection."""

    user: str | None
    """Who it is, once that is proven."""

    claimed: str | None
    """Who somebody says to be, as far as it is known: for the audit."""

    doubt: str | None
    """Why the login will fail, if the client was told so and has not confirmed it yet."""

    lifetime_ms: int
    """For how long what proved it holds, once that is proven; 0: for ever."""

    def step(self, token: bytes) -> bytes | Slow:
        """The answer to a token. Raises LoginError, as `Slow.run` does."""
        ...


_FOR_ANOTHER: Final = (
    "another authorization id",
    "Authentication failed: Client requested an authorization id that is different from username",
)
"""The reason, and what is told: it says nothing of who is there."""


class PlainServer:
    """PLAIN against the users of a setting, or by a function that may take its time."""

    def __init__(
        self, users: Mapping[str, str], check: Callable[[str, str], object] | None = None
    ) -> None:
        """`check`, called with name and password in a thread, takes the place of `users`; nothing
        but True lets anybody in."""
        self._users = users
        self._check = check
        self.user: str | None = None
        self.claimed: str | None = None
        self.doubt: str | None = None
        self.lifetime_ms = 0

    def step(self, token: bytes) -> bytes | Slow:
        """Nothing to say, if the password is right. Raises LoginError."""
        try:
            found = plain.parse_token(token)
        except SaslError as error:
            raise LoginError(str(error), str(error)) from None
        self.claimed = found.name
        if self._check is not None:
            return Slow(partial(self._ask, self._check, found))
        return self._end(found, is_right=self._is_user(found))

    def _ask(self, check: Callable[[str, str], object], found: PlainToken) -> bytes:
        try:
            answer = check(found.name, found.password)
        except Exception as error:  # whatever it is: its text may hold the password
            raise CheckFailedError(f"PLAIN's function raised {type(error).__name__}") from None
        return self._end(found, is_right=answer is True)

    def _is_user(self, found: PlainToken) -> bool:
        expected = self._users.get(found.name)
        # Compared even for nobody, with what nobody can say: a null character.
        is_right = hmac.compare_digest(
            _digest(found.password), _digest(expected if expected is not None else "\0")
        )
        return is_right and expected is not None

    def _end(self, found: PlainToken, *, is_right: bool) -> bytes:
        if not is_right:
            text = "Authentication failed: Invalid username or password"
            raise LoginError("wrong name or password", text)
        if found.authzid not in ("", found.name):
            raise LoginError(*_FOR_ANOTHER)
        self.user = found.name
        return b""


def _digest(password: str) -> bytes:
    """Of one length, whatever the password's: a comparison tells nothing of it (SEC-08)."""
    return hashlib.sha256(password.encode()).digest()


class ScramCredential(NamedTuple):
    """What the metadata log knows of a user."""

    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int


FindCredential = Callable[[str, ScramHash], ScramCredential | None]
AnyCredential = Callable[[ScramHash], ScramCredential | None]

_USUAL: Final = ScramCredential(bytes(16), b"", b"", ITERATIONS_MIN)
"""What one looks like where there is none."""


class ScramServer:
    """SCRAM against the credentials of the metadata log."""

    def __init__(
        self,
        kind: ScramHash,
        find: FindCredential,
        fake_salt_key: bytes,
        nonce: str,
        example: AnyCredential = lambda _: None,
    ) -> None:
        """`nonce` is fresh, printable and has no comma; users who are not there have a salt that
        is made of their name and `fake_salt_key` (SASL-31). It looks like that of `example`, as do
        their iterations, so that neither says who made it."""
        self._kind = kind
        self._find = find
        self._example = example
        self._fake_salt_key = fake_salt_key
        self._own_nonce = nonce
        self._first: ClientFirst | None = None
        self._server_first = ""
        self._credential: ScramCredential | None = None
        self.user: str | None = None
        self.claimed: str | None = None
        self.doubt: str | None = None
        self.lifetime_ms = 0

    def step(self, token: bytes) -> bytes:
        """Salt and iterations, then the server's signature. Raises LoginError."""
        try:
            if self._first is None:
                return self._begin(scram.parse_client_first(token))
            return self._finish(self._first, scram.parse_client_final(token))
        except SaslError as error:
            raise LoginError(str(error)) from None

    def _begin(self, first: ClientFirst) -> bytes:
        if first.authzid not in ("", first.name):
            raise LoginError(*_FOR_ANOTHER)
        self._first, self.claimed = first, first.name
        credential = None if first.is_token else self._find(first.name, self._kind)
        if credential is not None and credential.iterations < ITERATIONS_MIN:
            credential = None  # SASL-27
        self._credential = credential
        fake = self._fake(first.name)  # made for everybody: who is there takes no less work
        shown = credential or fake
        nonce = first.nonce + self._own_nonce
        self._server_first = scram.server_first(nonce, shown.salt, shown.iterations)
        return self._server_first.encode()

    def _finish(self, first: ClientFirst, final: scram.ClientFinal) -> bytes:
        if final.nonce != first.nonce + self._own_nonce:
            raise LoginError("the nonce of another login")  # ATK-20
        if final.binding != first.header.encode():
            raise LoginError("the channel binding of another header")  # ATK-24
        message = scram.auth_message(first.bare, self._server_first, final.without_proof)
        nobody = self._nobody()  # for everybody, too
        credential = self._credential or nobody
        is_right = scram.is_proven(self._kind, credential.stored_key, message, final.proof)
        signature = scram.server_signature(self._kind, credential.server_key, message)
        if not is_right or self._credential is None:
            raise LoginError("wrong name or password")
        self.user = first.name
        return scram.server_final(signature)

    def _fake(self, name: str) -> ScramCredential:
        """Salt and iterations of somebody who is not there."""
        like = self._example(self._kind) or _USUAL
        size, made = len(like.salt) or 1, b""
        while len(made) < size:  # the first is all that most need
            made += hmac.digest(self._fake_salt_key, made[-64:] + name.encode(), "sha512")
        made = made[:size]
        if all(byte in _LETTERS for byte in like.salt):
            made = bytes(_LETTERS[byte % len(_LETTERS)] for byte in made)
        return ScramCredential(made, b"", b"", max(like.iterations, ITERATIONS_MIN))

    def _nobody(self) -> ScramCredential:
        """Keys that no proof fits."""
        key = hmac.digest(self._fake_salt_key, b"", self._kind.algorithm)
        return ScramCredential(b"", key, key, ITERATIONS_MIN)
