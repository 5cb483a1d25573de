"""The server's side of logins, frame by frame."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable
from struct import pack

import pytest
from kit.logins import token_of

from barnabas.broker.core.security.mechanisms import (
    LoginError,
    PlainServer,
    ScramCredential,
    ScramServer,
    ServerMechanism,
)
from barnabas.broker.core.security.principal import Principal
from barnabas.broker.core.security.sasl_server import (
    Answer,
    LoggedIn,
    Misplaced,
    Outcome,
    PassOn,
    Refused,
    SaslServer,
    Session,
)
from barnabas.protocol.errors import ProtocolError
from barnabas.protocol.header import decode_response_header, encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_authenticate_response import SaslAuthenticateResponse
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.messages.sasl_handshake_response import SaslHandshakeResponse
from barnabas.protocol.sasl.scram import (
    BY_NAME,
    ScramClient,
    ScramHash,
    auth_message,
    keys_of,
    proof_of,
    salted_password,
)

SHA256 = BY_NAME["SCRAM-SHA-256"]
SALT = b"sixteen bytes of"
SALTED = salted_password(SHA256, "secret", SALT, 4096)
ALICE = Principal("User", "alice")
GENERIC = "Authentication failed during authentication due to invalid credentials with SASL "


def find(name: str, kind: ScramHash) -> ScramCredential | None:
    if name == "weak":
        return ScramCredential(SALT, *keys_of(kind, SALTED), 100)
    if name != "alice" or kind is not SHA256:
        return None
    return ScramCredential(SALT, *keys_of(kind, SALTED), 4096)


def scram(nonce: str = "server") -> ScramServer:
    return ScramServer(SHA256, find, b"key", nonce)


MECHANISMS: dict[str, Callable[[], ServerMechanism]] = {
    "PLAIN": lambda: PlainServer({"alice": "secret"}),
    "SCRAM-SHA-256": scram,
}


def server(lifetime_ms: int = 0, session: Session | None = None) -> SaslServer:
    return SaslServer(MECHANISMS, dict.fromkeys(MECHANISMS, lifetime_ms), session)


def frame(request: Message, version: int) -> bytes:
    return encode_request(request, version, 7, "t")[4:]


def handshake(mechanism: str = "PLAIN", version: int = 1) -> bytes:
    return frame(SaslHandshakeRequest(mechanism=mechanism), version)


def token(content: bytes, version: int = 2) -> bytes:
    return frame(SaslAuthenticateRequest(auth_bytes=content), version)


def answered(data: bytes, version: int = 2) -> SaslAuthenticateResponse:
    _, at = decode_response_header(data, 4, 36, version)
    return SaslAuthenticateResponse.decode_at(data, at, version)[0]


def refusal_of(outcome: Outcome) -> SaslAuthenticateResponse:
    assert isinstance(outcome, Refused)
    assert outcome.frame is not None
    answer = answered(outcome.frame)
    assert (answer.error_code, bytes(answer.auth_bytes), answer.session_lifetime_ms) == (58, b"", 0)
    return answer


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_login_by_plain(version: int) -> None:
    """SASL-01, SASL-07, SASL-14, SASL-16: versions, handshake, token, and a lifetime."""
    one = server(lifetime_ms=5000)
    versions = ApiVersionsRequest(client_software_name="t", client_software_version="1")
    assert one.on_frame(frame(versions, 3)) == PassOn(18, 3)
    shaken = one.on_frame(handshake())
    assert isinstance(shaken, Answer)
    _, at = decode_response_header(shaken.frame, 4, 17, 1)
    offered = SaslHandshakeResponse.decode_at(shaken.frame, at, 1)[0]
    assert (offered.error_code, set(offered.mechanisms)) == (0, set(MECHANISMS))
    over = one.on_frame(token(b"\0alice\0secret", version))
    assert isinstance(over, LoggedIn)
    assert (over.principal, over.mechanism, over.lifetime_ms) == (ALICE, "PLAIN", 5000)
    answer = answered(over.frame, version)
    assert (answer.error_code, answer.error_message, bytes(answer.auth_bytes)) == (0, "", b"")
    assert answer.session_lifetime_ms == (5000 if version else 0)


def test_tokens_of_the_old_form() -> None:
    """SASL-05: after SaslHandshake 0 they have a length and nothing else; a failure closes."""
    one = server()
    assert isinstance(one.on_frame(handshake(version=0)), Answer)
    over = one.on_frame(b"\0alice\0secret")
    assert isinstance(over, LoggedIn)
    assert over.frame == pack(">i", 0)
    one = server()
    one.on_frame(handshake(version=0))
    assert one.on_frame(b"\0alice\0wrong") == Refused(None, "PLAIN: wrong name or password")


def test_forms_are_not_mixed() -> None:
    """SASL-05, ATK-17: a bare token after version 1, and SaslAuthenticate after version 0."""
    one = server()
    one.on_frame(handshake())
    outcome: object
    try:
        outcome = one.on_frame(b"\0alice\0secret")
    except ProtocolError as error:
        outcome = error
    assert isinstance(outcome, ProtocolError | Misplaced)
    one = server()
    one.on_frame(handshake(version=0))
    assert isinstance(one.on_frame(token(b"\0alice\0secret")), Refused)


def test_a_mechanism_that_is_not_enabled() -> None:
    """SASL-06: 33 with those that are; names compare with case."""
    for name in ("GSSAPI", "plain", ""):
        outcome = server().on_frame(handshake(name))
        assert isinstance(outcome, Refused)
        assert outcome.frame is not None
        _, at = decode_response_header(outcome.frame, 4, 17, 1)
        answer = SaslHandshakeResponse.decode_at(outcome.frame, at, 1)[0]
        assert (answer.error_code, set(answer.mechanisms)) == (33, set(MECHANISMS))


@pytest.mark.parametrize(
    "first", [frame(MetadataRequest(), 9), token(b"x"), pack(">hh", 0, 9), pack(">hh", 1, 12), b"x"]
)
def test_nothing_else_comes_first(first: bytes) -> None:
    """SASL-01, SASL-02, SASL-04, ATK-13: the body of another request is never looked at."""
    with pytest.raises(ProtocolError):
        server().on_frame(first)


def test_api_versions_once_and_a_wrong_version_again() -> None:
    """SASL-03, ATK-15: a version that is not served may be repeated; a good one closes the door."""
    one = server()
    for _ in range(2):
        assert isinstance(one.on_frame(pack(">hhih", 18, 99, 1, -1)), PassOn)
    good = frame(ApiVersionsRequest(), 0)
    assert isinstance(one.on_frame(good), PassOn)
    with pytest.raises(ProtocolError):
        one.on_frame(good)


@pytest.mark.parametrize("version", [-1, 3, 99])
def test_tokens_in_a_version_that_is_not_served(version: int) -> None:
    """SASL-09: the connection closes, before anything of it is read."""
    one = server()
    one.on_frame(handshake())
    with pytest.raises(ProtocolError, match="is not served"):
        one.on_frame(pack(">hhih", 36, version, 1, -1))


@pytest.mark.parametrize("request_frame", [frame(MetadataRequest(), 9), handshake()])
def test_other_requests_among_tokens(request_frame: bytes) -> None:
    """SASL-02, ATK-15: they are refused in their own form."""
    one = server()
    one.on_frame(handshake())
    assert isinstance(one.on_frame(request_frame), Misplaced)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"alice", "Invalid SASL/PLAIN response: expected 3 tokens, got 1"),
        (b"\0alice", "Invalid SASL/PLAIN response: expected 3 tokens, got 2"),
        (b"\0a\0b\0c\0d\0e", "Invalid SASL/PLAIN response: expected 3 tokens, got 4"),
        (b"\0\0secret", "Authentication failed: username not specified"),
        (b"\0alice\0", "Authentication failed: password not specified"),
        (b"\0alice\0wrong", "Authentication failed: Invalid username or password"),
        (b"\0nobody\0secret", "Authentication failed: Invalid username or password"),
    ],
)
def test_what_plain_tells(content: bytes, told: str) -> None:
    """SASL-20, ATK-18: an unknown name and a wrong password have one text."""
    one = server()
    one.on_frame(handshake())
    assert refusal_of(one.on_frame(token(content))).error_message == told


def test_nobody_logs_in_for_somebody_else() -> None:
    """SASL-14, ATK-25: the authorization id is the own name, or none."""
    one = server()
    one.on_frame(handshake())
    assert isinstance(one.on_frame(token(b"alice\0alice\0secret")), LoggedIn)
    one = server()
    one.on_frame(handshake())
    assert "authorization id" in str(
        refusal_of(one.on_frame(token(b"admin\0alice\0secret"))).error_message
    )


def test_a_login_by_scram() -> None:
    """SASL-22..25: client and server believe each other."""
    client, one = ScramClient("SCRAM-SHA-256", "alice", "secret", "client"), server()
    one.on_frame(handshake("SCRAM-SHA-256"))
    first = one.on_frame(token(client.first()))
    assert isinstance(first, Answer)
    salt = base64.b64encode(SALT)
    challenge = bytes(answered(first.frame).auth_bytes)
    assert challenge == b"r=clientserver,s=" + salt + b",i=4096"
    final = token_of(client.next(challenge))
    over = one.on_frame(token(final))
    assert isinstance(over, LoggedIn)
    assert over.principal == ALICE
    assert client.next(bytes(answered(over.frame).auth_bytes)) is None


def messages_of(name: str, password: str, mechanism: str = "SCRAM-SHA-256") -> list[bytes]:
    """What the server answers to a client, to the end."""
    kind = BY_NAME[mechanism]
    one = SaslServer({mechanism: lambda: ScramServer(kind, find, b"key", "server")}, {})
    client = ScramClient(mechanism, name, password, "client")
    one.on_frame(handshake(mechanism))
    first = one.on_frame(token(client.first()))
    assert isinstance(first, Answer)
    challenge = bytes(answered(first.frame).auth_bytes)
    final = token_of(client.next(challenge))
    told = refusal_of(one.on_frame(token(final))).error_message or ""
    return [challenge, told.encode()]


def test_scram_tells_nobody_who_is_there() -> None:
    """SASL-31, SASL-27, ATK-19: unknown, wrong password, wrong mechanism and too few iterations end
    alike; the salt of somebody who is not there is always the same."""
    wrong = messages_of("alice", "wrong")
    unknown = messages_of("nobody", "wrong")
    assert wrong[1] == unknown[1] == (GENERIC + "mechanism SCRAM-SHA-256").encode()
    assert unknown == messages_of("nobody", "other")
    assert unknown[0] != messages_of("somebody", "wrong")[0]
    assert unknown[0].endswith(b",i=4096")
    assert len(unknown[0]) == len(wrong[0])
    assert messages_of("weak", "secret")[1] == wrong[1]
    assert len(messages_of("alice", "secret", "SCRAM-SHA-512")) == 2


def fake_answer(name: str, like: ScramCredential | None) -> bytes:
    one = ScramServer(SHA256, find, b"key", "server", lambda _: like)
    answer = one.step(f"n,,n={name},r=client".encode())
    assert isinstance(answer, bytes)
    return answer


def test_a_salt_that_is_made_up_looks_like_others() -> None:
    """SASL-31, ATK-19: of the length, letters and iterations of who is there."""
    of_kafka = ScramCredential(b"1a2b3c4d5e6f7g8h9i0j1k2l3", b"", b"", 8192)
    told = fake_answer("nobody", of_kafka).decode()
    salt = base64.b64decode(told.split(",s=")[1].split(",")[0])
    assert told.endswith(",i=8192")
    assert (len(salt), salt.isalnum(), salt.lower()) == (25, True, salt)
    assert told == fake_answer("nobody", of_kafka).decode()
    assert told != fake_answer("other", of_kafka).decode()
    assert len(fake_answer("nobody", None)) == len(fake_answer("alice", None))


def test_scram_takes_as_much_work_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """SASL-32, SASL-31, ATK-19: as many hashes, whoever it is, and never a PBKDF2."""
    known = {"alice": find("alice", SHA256)}
    scripts = {}
    for name in ("alice", "nobody"):
        client = ScramClient("SCRAM-SHA-256", name, "wrong", "client")
        client.first()
        scripts[name] = token_of(client.next(fake_answer(name, None)))
    counts: dict[str, list[str]] = {}
    digest = hmac.digest
    for name, last in scripts.items():
        counted = counts[name] = []

        def count(key: bytes, message: bytes, kind: str, to: list[str] = counted) -> bytes:
            to.append(kind)
            return digest(key, message, kind)

        def never(*_: object) -> bytes:
            raise AssertionError("PBKDF2")

        monkeypatch.setattr("hmac.digest", count)
        monkeypatch.setattr("hashlib.pbkdf2_hmac", never)
        one = ScramServer(SHA256, lambda who, _: known.get(who), b"key", "server")
        one.step(f"n,,n={name},r=client".encode())
        with pytest.raises(LoginError):
            one.step(last)
        monkeypatch.undo()
    assert counts["alice"] == counts["nobody"]
    assert 0 < len(counts["alice"]) <= 6


@pytest.mark.parametrize(
    "first",
    [
        b"y,,n=alice,r=client",
        b"p=tls-unique,,n=alice,r=client",
        b"n,,n=al=ice,r=client",
        b"n,,n=alice,r=",
        b"n,,r=client,n=alice",
        b"n,a=admin,n=alice,r=client",
        b"\xff",
        b"",
    ],
)
def test_first_messages_that_are_refused(first: bytes) -> None:
    """SASL-22, ATK-24, ATK-25: channel binding, wrong names, and names of others."""
    one = server()
    one.on_frame(handshake("SCRAM-SHA-256"))
    told = refusal_of(one.on_frame(token(first))).error_message or ""
    assert ("authorization id" in told) == (b"a=admin" in first)
    assert "authentication" in told.lower()


def final(server_first: str, binding: bytes = b"n,,", extension: str = "") -> bytes:
    bare = f"c={base64.b64encode(binding).decode()},r={server_first.split(',', maxsplit=1)[0][2:]}"
    message = auth_message("n=alice,r=client", server_first, bare)
    proof = base64.b64encode(proof_of(SHA256, SALTED, message)).decode()
    return f"{bare}{extension},p={proof}".encode()


def test_the_last_message_of_scram() -> None:
    """SASL-24, SASL-26, ATK-20, ATK-21, ATK-24: the binding of another header and the message of
    another login fail, though the proof covers them; extensions do not matter."""

    def begun(nonce: str) -> tuple[SaslServer, str]:
        one = SaslServer({"SCRAM-SHA-256": lambda: scram(nonce)}, {})
        one.on_frame(handshake("SCRAM-SHA-256"))
        first = one.on_frame(token(b"n,,n=alice,r=client"))
        assert isinstance(first, Answer)
        return one, bytes(answered(first.frame).auth_bytes).decode()

    one, told = begun("one")
    assert isinstance(one.on_frame(token(final(told, extension=",x=y"))), LoggedIn)
    one, told = begun("one")
    refusal_of(one.on_frame(token(final(told, b"y,,"))))
    other, _ = begun("two")
    refusal_of(other.on_frame(token(final(told))))


def test_a_renewal_is_of_the_same_principal_by_the_same_mechanism() -> None:
    """SASL-19, ATK-31: else it is refused."""
    session = Session(Principal("User", "bob"), "PLAIN")
    one = server(session=session)
    one.on_frame(handshake())
    told = refusal_of(one.on_frame(token(b"\0alice\0secret"))).error_message
    assert told == ("Cannot change principals during re-authentication from User.bob: User.alice")
    one = server(session=Session(ALICE, "SCRAM-SHA-256"))
    assert isinstance(one.on_frame(handshake()), Answer)
    outcome = one.on_frame(token(b"\0alice\0secret"))
    assert isinstance(outcome, Refused)
    assert outcome.frame is None
    one = server(session=Session(ALICE, "PLAIN"))
    one.on_frame(handshake())
    assert isinstance(one.on_frame(token(b"\0alice\0secret")), LoggedIn)
