"""Claims and forms of tokens, and the server's side of OAUTHBEARER, frame by frame."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from barnabas.broker.core.security.bearer_server import OauthBearerServer
from barnabas.broker.core.security.bearer_tokens import (
    TOKEN_CHARS_MAX,
    Bearer,
    ClaimRules,
    TokenRejectedError,
    bearer_of,
    claims_of,
    parse_compact,
    unsecured_claims,
)
from barnabas.broker.core.security.mechanisms import LoginError
from barnabas.broker.core.security.principal import Principal
from barnabas.broker.core.security.sasl_server import (
    Answer,
    Doubted,
    LoggedIn,
    Outcome,
    Pending,
    Refused,
    SaslServer,
    Session,
)
from barnabas.protocol.header import decode_response_header, encode_request
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_authenticate_response import SaslAuthenticateResponse
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest

NOW_S = 1_000_000
NOW_MS = NOW_S * 1000
RULES = ClaimRules(("brokers", "others"), "issuer")
GOOD: dict[str, Any] = {
    "sub": "alice",
    "iss": "issuer",
    "aud": "brokers",
    "iat": NOW_S - 10,
    "exp": NOW_S + 60,
}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"aud": ["elsewhere", "others"]},
        {"iat": NOW_S + 40, "exp": NOW_S + 60},
        {"nbf": NOW_S + 30},
        {"scope": "read"},
        {"scope": ["read", "write"]},
        {"sub": "  alice "},
        {"exp": NOW_S + 60.0},
    ],
)
def test_claims_that_let_in(changed: dict[str, Any]) -> None:
    """SASL-43, SASL-44, SASL-47: a name, and how long the token has left."""
    assert bearer_of({**GOOD, **changed}, RULES, NOW_MS) == Bearer("alice", 60_000)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"exp": None}, "exp is no number"),
        ({"exp": "1000060"}, "exp is no number"),
        ({"exp": True}, "exp is no number"),
        ({"exp": float("nan")}, "exp is no time"),
        ({"exp": float("inf")}, "exp is no time"),
        ({"exp": 10**400}, "exp is no time"),
        ({"exp": NOW_S - 30, "iat": 0}, "has expired"),
        ({"exp": NOW_S - 29, "iat": 0}, "within the clocks"),
        ({"exp": NOW_S, "iat": 0}, "within the clocks"),
        ({"iat": None}, "iat is no number"),
        ({"iat": NOW_S + 61}, "exp is before iat"),
        ({"nbf": NOW_S + 31}, "not valid yet"),
        ({"nbf": "x"}, "nbf is no number"),
        ({"iss": "other"}, "iss is not"),
        ({"iss": None}, "iss is not"),
        ({"iss": ["issuer"]}, "iss is not"),
        ({"aud": "other"}, "aud has none"),
        ({"aud": None}, "aud has none"),
        ({"aud": ["other", 7]}, "aud is neither"),
        ({"aud": {"brokers": 1}}, "aud is neither"),
        ({"sub": None}, "sub is no name"),
        ({"sub": "  "}, "sub is no name"),
        ({"sub": 7}, "sub is no name"),
        ({"scope": ""}, "scope has an empty scope"),
        ({"scope": ["a", " a"]}, "scope has an empty scope, or one twice"),
        ({"scope": 7}, "scope is neither"),
    ],
)
def test_claims_that_do_not(changed: dict[str, Any], why: str) -> None:
    """SASL-43, SASL-44, SASL-47, ATK-28: times, issuer, audience, name and scopes."""
    with pytest.raises(TokenRejectedError, match=why):
        bearer_of({**GOOD, **changed}, RULES, NOW_MS)


def test_names_of_claims_are_settings() -> None:
    """SASL-44: and what is not expected is not looked at."""
    rules = ClaimRules(sub_claim="user", scope_claim="scp")
    found = bearer_of(
        {"user": "bob", "scp": ["a"], "scope": 7, "iat": 0, "exp": NOW_S + 1}, rules, NOW_MS
    )
    assert found == Bearer("bob", 1000)


def test_a_token_without_end_has_a_lifetime_that_fits() -> None:
    """SASL-47: whatever the number is."""
    found = bearer_of({**GOOD, "exp": 1e300}, RULES, NOW_MS)
    assert 0 < found.lifetime_ms < 2**63


def part(content: object) -> str:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("a.b", "2 sections"),
        ("." * 100, "9 sections"),
        ("x" * (TOKEN_CHARS_MAX + 1), "longer than"),
        ("!.e30.", "base64url"),
        ("\u00e4.e30.", "base64url"),
        (f"{part([])}.e30.", "no JSON object"),
        (f"{part(b'{')}.e30.", "is no JSON"),
        (f"{part(b'[' * 40_000)}.e30.", "is no JSON"),
        (part(b'{"alg":"none","alg":"RS256"}') + ".e30.", "a name twice"),
        (f"{part(bytes([0xFF]))}.e30.", "is no JSON"),
    ],
)
def test_what_is_no_token(token: str, why: str) -> None:
    """SASL-43, SASL-48, ATK-29: refused with little work."""
    with pytest.raises(TokenRejectedError, match=why):
        parse_compact(token)


def test_deep_claims_are_no_claims() -> None:
    """ATK-29: nested arrays and numbers of thousands of digits."""
    for payload in (b'{"a":' + b"[" * 20_000 + b"]" * 20_000 + b"}", b'{"a":' + b"1" * 9999 + b"}"):
        with pytest.raises(TokenRejectedError, match="is no JSON"):
            claims_of(payload)


def test_unsecured_tokens_say_so() -> None:
    """SASL-46: one that is signed is none of them."""
    token = f"{part({'alg': 'none'})}.{part(GOOD)}."
    assert unsecured_claims(token) == GOOD
    for other in (token + "AAAA", f"{part({'alg': 'HS256'})}.{part(GOOD)}."):
        with pytest.raises(TokenRejectedError, match="it is signed"):
            unsecured_claims(other)


# --- the mechanism, frame by frame --------------------------------------------------------------


def check(token: str) -> Bearer:
    """Tokens are names here."""
    if token == "bad":
        raise TokenRejectedError("it is bad")
    return Bearer(token, 5000)


def server(lifetime_ms: int = 0, session: Session | None = None) -> SaslServer:
    made = SaslServer(
        {"OAUTHBEARER": lambda: OauthBearerServer(check)}, {"OAUTHBEARER": lifetime_ms}, session
    )
    request = SaslHandshakeRequest(mechanism="OAUTHBEARER")
    assert isinstance(made.on_frame(encode_request(request, 1, 7, "t")[4:]), Answer)
    return made


def said(server: SaslServer, content: bytes) -> Outcome:
    """What follows a token, with its slow work done."""
    request = SaslAuthenticateRequest(auth_bytes=content)
    outcome = server.on_frame(encode_request(request, 2, 7, "t")[4:])
    if not isinstance(outcome, Pending):
        return outcome
    try:
        return outcome.then(outcome.run())
    except LoginError as error:
        return outcome.then(error)


def answer_of(frame: bytes | None) -> SaslAuthenticateResponse:
    assert frame is not None
    _, at = decode_response_header(frame, 4, 36, 2)
    return SaslAuthenticateResponse.decode_at(frame, at, 2)[0]


def message(token: str = "alice", header: str = "n,,", more: str = "") -> bytes:
    return f"{header}\x01auth=Bearer {token}\x01{more}\x01".encode()


@pytest.mark.parametrize(
    ("limit_ms", "lifetime_ms"),
    [(0, 5000), (9000, 5000), (100, 100)],
    ids=["token", "both", "limit"],
)
def test_a_good_token(limit_ms: int, lifetime_ms: int) -> None:
    """SASL-40, SASL-16, SASL-42, SASL-47: who it is, and the shorter of two lifetimes."""
    for content in (
        message(),
        message(header="n,a=alice,"),
        message(more="traceId=7\x01"),
        b"n,,\x01auth=bEARER   alice\x01\x01",
    ):
        over = said(server(limit_ms), content)
        assert isinstance(over, LoggedIn)
        assert (over.principal, over.lifetime_ms) == (Principal("User", "alice"), lifetime_ms)
        answer = answer_of(over.frame)
        assert (answer.error_code, bytes(answer.auth_bytes)) == (0, b"")
        assert answer.session_lifetime_ms == lifetime_ms


def test_a_bad_token_takes_two_steps() -> None:
    """SASL-41: the JSON with code 0, then 58 with the JSON; the reason stays here."""
    one = server()
    first = said(one, message("bad"))
    assert isinstance(first, Doubted)
    assert "it is bad" in first.reason
    answer = answer_of(first.frame)
    assert (answer.error_code, bytes(answer.auth_bytes)) == (0, b'{"status":"invalid_token"}')
    last = said(one, b"\x01")
    assert isinstance(last, Refused)
    assert "it is bad" in last.reason
    answer = answer_of(last.frame)
    assert (answer.error_code, answer.error_message) == (58, '{"status":"invalid_token"}')


def test_another_token_is_looked_at_anew() -> None:
    """SASL-41: so often, and no more."""
    one = server()
    said(one, message("bad"))
    assert isinstance(said(one, message()), LoggedIn)
    one = server()
    for _ in range(3):
        assert isinstance(said(one, message("bad")), Doubted)
    assert isinstance(said(one, message()), Refused)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x01",
        b"\xff",
        b"n,,",
        b"y,,\x01auth=Bearer alice\x01\x01",
        b"p=tls-unique,,\x01auth=Bearer alice\x01\x01",
        b"n,,\x01auth=Bearer alice\x01",
        b"n,,\x01auth=Basic alice\x01\x01",
        b"n,,\x01auth=Bearer al ice\x01\x01",
        b"n,,\x01auth=Bearer \x01\x01",
        b"n,,\x01auth=Bearer alice\x01auth=Bearer bob\x01\x01",
        b"n,,\x01a=b\x01\x01",
        b"n,,\x01auth=Bearer alice\x01no1=b\x01\x01",
        b"n,,\x01auth=Bearer alice\x01a=\x02\x01\x01",
        b"n,,\x01\x01",
    ],
)
def test_messages_that_are_none(content: bytes) -> None:
    """SASL-40, ATK-24: the generic 58, also for a scheme that is not Bearer."""
    outcome = said(server(), content)
    assert isinstance(outcome, Refused)
    answer = answer_of(outcome.frame)
    assert answer.error_code == 58
    assert "invalid credentials with SASL mechanism OAUTHBEARER" in str(answer.error_message)


def test_nobody_logs_in_for_somebody_else() -> None:
    """SASL-42, ATK-25: at once, with both names."""
    outcome = said(server(), message(header="n,a=admin,"))
    assert isinstance(outcome, Refused)
    told = str(answer_of(outcome.frame).error_message)
    assert "'admin'" in told
    assert "'alice'" in told


def test_a_renewal_with_the_token_of_another() -> None:
    """SASL-19, ATK-31: 58, though the token is good."""
    session = Session(Principal("User", "bob"), "OAUTHBEARER")
    outcome = said(server(session=session), message())
    assert isinstance(outcome, Refused)
    assert "Cannot change principals" in str(answer_of(outcome.frame).error_message)
