"""Tokens of OAUTHBEARER: what a compact JWT is made of, and whether its claims let somebody in.

Signatures are looked at elsewhere (`server/security/token_keys.py`), for they need a library.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Mapping
from typing import Final, NamedTuple

TOKEN_CHARS_MAX: Final = 65_536
"""Longer ones are not read: what is made of one must stay small work, and real ones are shorter."""

_PARTS: Final = 3
_MS: Final = 1000
_LIFETIME_MAX_MS: Final = 2**53

Claims = Mapping[str, object]


class TokenRejectedError(Exception):
    """The token lets nobody in. The text is for the log: it repeats neither token nor claims."""


class Compact(NamedTuple):
    """The parts of `header.payload.signature`, decoded but for the claims."""

    header: Mapping[str, object]
    payload: bytes
    signature: bytes


class ClaimRules(NamedTuple):
    """What claims must be (SASL-43, SASL-44); None and () ask nothing."""

    audiences: tuple[str, ...] = ()
    issuer: str | None = None
    skew_s: int = 30
    scope_claim: str = "scope"
    sub_claim: str = "sub"
    requires_iat: bool = True


class Bearer(NamedTuple):
    """Who is let in, and for how long: more than 0."""

    name: str
    lifetime_ms: int


def parse_compact(token: str) -> Compact:
    """Raises TokenRejectedError."""
    if len(token) > TOKEN_CHARS_MAX:
        raise TokenRejectedError(f"it is longer than {TOKEN_CHARS_MAX} characters")
    parts = token.split(".")
    if len(parts) != _PARTS:
        raise TokenRejectedError(f"it has {min(len(parts), 9)} sections, not {_PARTS}")
    header, payload, signature = (_decoded(part) for part in parts)
    return Compact(_object(header, "header"), payload, signature)


def claims_of(payload: bytes) -> Claims:
    """The claims of a token whose signature is right. Raises TokenRejectedError."""
    return _object(payload, "payload")


def unsecured_claims(token: str) -> Claims:
    """The claims of a token that nobody signed, and that says so. Raises TokenRejectedError."""
    found = parse_compact(token)
    if found.header.get("alg") != "none" or found.signature:
        raise TokenRejectedError("it is signed, where unsecured ones are taken alone")
    return claims_of(found.payload)


def bearer_of(claims: Claims, rules: ClaimRules, now_ms: int) -> Bearer:
    """Whose token that is at this time of day. Raises TokenRejectedError (SASL-43, SASL-44)."""
    ends_s = _seconds(claims, "exp", is_needed=True)
    begun_s = _seconds(claims, "iat", is_needed=rules.requires_iat)
    not_before_s = _seconds(claims, "nbf", is_needed=False)
    now_s = now_ms / _MS
    assert ends_s is not None
    if begun_s is not None and ends_s < begun_s:
        raise TokenRejectedError("exp is before iat")
    if now_s - rules.skew_s >= ends_s:
        raise TokenRejectedError("it has expired")
    if not_before_s is not None and now_s + rules.skew_s < not_before_s:
        raise TokenRejectedError("it is not valid yet (nbf)")
    if rules.issuer is not None and claims.get("iss") != rules.issuer:
        raise TokenRejectedError("iss is not sasl.oauthbearer.expected.issuer")
    if rules.audiences and not set(_texts(claims, "aud")) & set(rules.audiences):
        raise TokenRejectedError("aud has none of sasl.oauthbearer.expected.audience")
    _check_scopes(claims, rules.scope_claim)
    name = claims.get(rules.sub_claim)
    if not isinstance(name, str) or not name.strip():
        raise TokenRejectedError(f"{rules.sub_claim} is no name")
    lifetime_ms = int(min(ends_s * _MS - now_ms, _LIFETIME_MAX_MS))
    if lifetime_ms <= 0:
        raise TokenRejectedError("it has expired, though within the clocks' skew")
    return Bearer(name.strip(), lifetime_ms)


def _check_scopes(claims: Claims, claim: str) -> None:
    if claims.get(claim) is None:
        return
    scopes = [one.strip() for one in _texts(claims, claim)]
    if not all(scopes) or len(set(scopes)) != len(scopes):
        raise TokenRejectedError(f"{claim} has an empty scope, or one twice")


def _texts(claims: Claims, claim: str) -> list[str]:
    """A claim that is one text or a list of them."""
    value = claims.get(claim)
    if isinstance(value, str):
        return [value]
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TokenRejectedError(f"{claim} is neither a text nor a list of them")
    return value


def _seconds(claims: Claims, claim: str, *, is_needed: bool) -> float | None:
    value = claims.get(claim)
    if value is None and not is_needed:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TokenRejectedError(f"{claim} is no number")
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise TokenRejectedError(f"{claim} is no time")
    return found


def _decoded(part: str) -> bytes:
    try:
        padded = part.encode("ascii") + b"=" * (-len(part) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise TokenRejectedError("a section is not base64url") from None


def _object(text: bytes, what: str) -> dict[str, object]:
    try:
        found = json.loads(text.decode("utf-8"), object_pairs_hook=_without_doubles)
    except (ValueError, RecursionError):
        raise TokenRejectedError(f"its {what} is no JSON, or has a name twice") from None
    if not isinstance(found, dict):
        raise TokenRejectedError(f"its {what} is no JSON object")
    return found


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name twice")
    return found
