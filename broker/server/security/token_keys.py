"""The keys of a JWKS, and whether one of them signed a token (SASL-43).

PyJWT calculates. Which algorithms a key is for is decided here, by its kind: a token cannot make a
public key of RSA the secret of an HMAC, nor say that nobody signed it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple  # Any: keys of several libraries' classes

from jwt import PyJWS
from jwt.algorithms import get_default_algorithms
from jwt.exceptions import PyJWTError

from ...core.security.bearer_tokens import Claims, TokenRejectedError, claims_of, parse_compact

KEYS_MAX: Final = 200
CANDIDATES_MAX: Final = 16
"""Keys that are tried for a token that names none."""

_RSA_BITS_MIN, _RSA_BITS_MAX = 2048, 8192
_EXPONENT_BITS_MAX: Final = 64
_CURVES: Final = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}
_RSA: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
_MEMBERS: Final = {
    "RSA": ("kty", "n", "e"),
    "EC": ("kty", "crv", "x", "y"),
    "OKP": ("kty", "crv", "x"),
}
"""The public part of each kind, which is all that is read."""

_ALGORITHMS: Final = get_default_algorithms()


class UnknownKeyError(TokenRejectedError):
    """No key has this id: it may be a new one."""

    def __init__(self, kid: str) -> None:
        super().__init__("no key of the JWKS has its kid")
        self.kid = kid


class JwksError(ValueError):
    """This is no JWKS that can be used; the text says why."""


class Key(NamedTuple):
    """One public key."""

    kid: str | None
    algorithms: tuple[str, ...]
    public: Any


class TokenKeys:
    """All keys of one JWKS."""

    def __init__(self, keys: list[Key]) -> None:
        self._keys = keys
        self._by_id: dict[str, list[Key]] = {}
        for key in keys:
            if key.kid is not None:
                self._by_id.setdefault(key.kid, []).append(key)
        self._jws = PyJWS(algorithms=sorted({one for key in keys for one in key.algorithms}))

    def __len__(self) -> int:
        return len(self._keys)

    def claims_of(self, token: str) -> Claims:
        """The claims of a token that one of the keys signed. Raises TokenRejectedError."""
        found = parse_compact(token)
        algorithm, kid = found.header.get("alg"), found.header.get("kid")
        if not isinstance(algorithm, str) or not isinstance(kid, str | None):
            raise TokenRejectedError("alg or kid is no text")
        if "crit" in found.header or "b64" in found.header:
            raise TokenRejectedError("it has critical headers, and none is understood")
        candidates = self._keys if kid is None else self._by_id.get(kid)
        if candidates is None:
            assert kid is not None
            raise UnknownKeyError(kid)
        fitting = [key for key in candidates if algorithm in key.algorithms][:CANDIDATES_MAX]
        if not any(self._has_signed(key, algorithm, token) for key in fitting):
            raise TokenRejectedError("no key of the JWKS signed it by its alg")
        return claims_of(found.payload)

    def _has_signed(self, key: Key, algorithm: str, token: str) -> bool:
        try:
            self._jws.decode_complete(token, key.public, [algorithm])
        except (PyJWTError, ValueError, TypeError):
            return False
        return True


def parse_jwks(text: bytes) -> TokenKeys:
    """The keys of a JWKS document; those that are of no use here are left out (RFC 7517, 5).

    Raises JwksError if there is none that is of use.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise JwksError("is no JSON") from None
    listed = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        raise JwksError("is no JSON object with a list of keys")
    if len(listed) > KEYS_MAX:
        raise JwksError(f"has more than {KEYS_MAX} keys")
    keys = [key for one in listed if isinstance(one, dict) and (key := _key_of(one)) is not None]
    if not keys:
        raise JwksError("has no key of RSA, EC or Ed25519 that signatures are checked with")
    return TokenKeys(keys)


def _key_of(members: Mapping[str, Any]) -> Key | None:
    kind, kid = members.get("kty"), members.get("kid")
    if members.get("use", "sig") != "sig" or not isinstance(kid, str | None):
        return None
    uses = members.get("key_ops", ["verify"])
    if not isinstance(uses, list) or "verify" not in uses:
        return None
    algorithms = _algorithms_of(members)
    if "alg" in members:
        algorithms = tuple(one for one in algorithms if one == members["alg"])
    if not algorithms:
        return None
    public = {name: members.get(name) for name in _MEMBERS[str(kind)]}
    if not all(isinstance(one, str) for one in public.values()):
        return None
    try:
        made = _ALGORITHMS[algorithms[0]].from_jwk(public)
    except (PyJWTError, ValueError, TypeError):
        return None
    if kind == "RSA" and not _is_sound(made):
        return None
    return Key(kid, algorithms, made)


def _algorithms_of(members: Mapping[str, Any]) -> tuple[str, ...]:
    kind, curve = members.get("kty"), members.get("crv")
    if kind == "RSA":
        modulus, exponent = members.get("n"), members.get("e")
        if not isinstance(modulus, str) or len(modulus) > _RSA_BITS_MAX // 6 + 4:
            return ()
        if not isinstance(exponent, str) or len(exponent) > _EXPONENT_BITS_MAX // 6 + 2:
            return ()
        return _RSA
    if kind == "EC" and isinstance(curve, str) and curve in _CURVES:
        return (_CURVES[curve],)
    return ("EdDSA",) if kind == "OKP" and curve == "Ed25519" else ()


def _is_sound(public: Any) -> bool:
    bits: int = public.key_size
    return _RSA_BITS_MIN <= bits <= _RSA_BITS_MAX
