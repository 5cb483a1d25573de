"""Listeners with TLS and logins over real sockets, and who is not let in."""

from __future__ import annotations

import asyncio
import ssl
import struct
from pathlib import Path
from typing import Any

import pytest
from kit.broker import running
from kit.logins import token_of
from kit.secured import PASSWORD, TLS, USER, SecureClient, context

from barnabas.broker.core.security.principal import ANONYMOUS, Principal
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.produce_request import ProduceRequest
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord
from barnabas.protocol.sasl.scram import MECHANISMS, ScramClient, keys_of, salted_password

from .doors import LOGIN, door, log_in

ALICE = Principal("User", USER)


@pytest.mark.parametrize(
    ("auth", "own", "principal"),
    [
        ("none", "alice", ANONYMOUS),
        ("requested", None, ANONYMOUS),
        ("Requested", "alice", Principal("User", "CN=alice,OU=Eng,O=Org,C=DE")),
        ("required", "alice", Principal("User", "CN=alice,OU=Eng,O=Org,C=DE")),
    ],
)
@pytest.mark.each_loop
async def test_certificates_name_principals(
    tmp_path: Path, auth: str, own: str | None, principal: Principal
) -> None:
    """TLS-05, TLS-07, TLS-10, TLS-12, TLS-14: by the listener's wish."""
    entered = door(tmp_path, "SSL", ssl__client__auth=auth)
    async with entered as one, one.client(context(own)) as client:
        assert (await client.ask(MetadataRequest(topics=[]), 9)).brokers == []
        assert [each.principal for each in one.connections] == [principal]


@pytest.mark.parametrize("own", [None, "stranger", "expired"])
@pytest.mark.each_loop
async def test_certificates_that_are_not_taken(tmp_path: Path, own: str | None) -> None:
    """TLS-12, ATK-01, ATK-03: none, one of another authority, and one that has expired; the failure
    is counted, nobody becomes a connection, and the next one is taken."""
    async with door(tmp_path, "SSL", ssl__client__auth="required") as one:
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            async with one.client(context(own)) as client:
                await client.ask(MetadataRequest(topics=[]), 9)
        await one.failed()
        assert one.connections == []
        async with one.client(context("alice")) as client:
            await client.ask(MetadataRequest(topics=[]), 9)


async def test_rules_name_users_or_close(tmp_path: Path) -> None:
    """TLS-15, TLS-15c, TLS-02: a rule of the listener alone; without a match there is no user."""
    rules = "RULE:^CN=([a-z]*),OU=Eng.*$/$1/"
    async with door(
        tmp_path,
        "SSL",
        listener__name__ssl__ssl__client__auth="requested",
        listener__name__ssl__ssl__principal__mapping__rules=rules,
    ) as one:
        async with one.client(context("alice")) as client:
            await client.ask(MetadataRequest(topics=[]), 9)
            assert [each.principal for each in one.connections] == [ALICE]
        async with one.client(context("server")) as client:
            assert await client.closed()
        await one.failed()


async def test_clients_check_names(tmp_path: Path) -> None:
    """TLS-16, ATK-04: another host's certificate is refused, unless nobody checks."""
    path = str(TLS / "elsewhere.pem")
    async with door(tmp_path, "SSL", ssl__keystore__location=path) as one:
        with pytest.raises(ssl.SSLCertVerificationError):
            async with one.client(context()):
                raise AssertionError("connected")
        async with one.client(context(checks_names=False)) as client:
            await client.ask(MetadataRequest(topics=[]), 9)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
async def test_old_versions_of_tls(tmp_path: Path) -> None:
    """TLS-05, ATK-06: TLS 1.1 is not spoken, 1.2 is, unless the settings leave it out."""
    old = context()
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    middle = context()
    middle.maximum_version = ssl.TLSVersion.TLSv1_2
    async with door(tmp_path / "a", "SSL") as one:
        with pytest.raises(OSError):
            async with one.client(old):
                raise AssertionError("connected")
        async with one.client(middle) as client:
            await client.ask(MetadataRequest(topics=[]), 9)
    async with door(tmp_path / "b", "SSL", ssl__enabled__protocols="TLSv1.3") as one:
        with pytest.raises(OSError):
            async with one.client(middle):
                raise AssertionError("connected")


@pytest.mark.each_loop
async def test_what_is_no_tls_is_closed(tmp_path: Path) -> None:
    """TLS-23, ATK-09: requests and HTTP to a port with TLS, TLS to a plain port."""
    async with door(tmp_path, "SSL") as one:
        for said in (b"GET / HTTP/1.1\r\n\r\n", struct.pack(">ihhih", 10, 18, 0, 1, -1)):
            async with one.client() as client:
                client.writer.write(said)
                assert await client.closed()
        await one.failed(2)
        with pytest.raises(OSError):
            async with SecureClient(one.bench.port, context(), "localhost"):
                raise AssertionError("connected")


@pytest.mark.each_loop
@pytest.mark.slow
async def test_half_handshakes_make_room_for_others(tmp_path: Path) -> None:
    """TLS-22, ATK-08: silent peers fill all places, and lose them; whoever speaks is served."""
    async with door(tmp_path, "SSL", connections__max__handshakes="2") as one:
        silent = [one.client() for _ in range(4)]
        for each in silent:
            await each.__aenter__()
        async with one.bench.connect() as other:  # another listener does not notice
            await other.ask(MetadataRequest(topics=[]), 9)
        async with one.client(context()) as client:
            await client.ask(MetadataRequest(topics=[]), 9)
        assert one.failures >= 2
        for each in silent:
            await each.__aexit__()


@pytest.mark.each_loop
async def test_a_handshake_has_its_time(tmp_path: Path) -> None:
    """TLS-22, ATK-10: somebody who connects and says nothing is closed."""
    more = {"connections__authentication__timeout__ms": "50"}
    async with door(tmp_path, "SSL", **more) as one, one.client() as client:
        assert await client.closed()
        await one.failed()


@pytest.mark.parametrize("protocol", ["SASL_PLAINTEXT", "SASL_SSL"])
@pytest.mark.each_loop
async def test_a_login_by_plain(tmp_path: Path, protocol: str) -> None:
    """SASL-12, SASL-13, SASL-21, TLS-13: a request right behind the token is served; a second
    handshake is refused, and so is a token, and the connection lives."""
    tls = context() if protocol == "SASL_SSL" else None
    entered = door(tmp_path, protocol, ssl__client__auth="required")
    async with entered as one, one.client(tls) as client:
        client.send(ApiVersionsRequest(client_software_name="a", client_software_version="1"), 3)
        assert (await client.receive(18, 3)).error_code == 0
        client.send(SaslHandshakeRequest(mechanism="PLAIN"), 1)
        client.send(SaslAuthenticateRequest(auth_bytes=LOGIN), 2)
        client.send(MetadataRequest(topics=[]), 9)
        assert (await client.receive(17, 1)).error_code == 0
        answer = await client.receive(36, 2)
        assert (answer.error_code, answer.error_message, answer.session_lifetime_ms) == (
            0,
            "",
            0,
        )
        await client.receive(3, 9)
        assert [each.principal for each in one.connections] == [ALICE]
        again = await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
        assert (again.error_code, again.mechanisms) == (34, [])
        again = await client.ask(SaslAuthenticateRequest(auth_bytes=LOGIN), 2)
        assert (again.error_code, again.error_message) == (
            34,
            "SaslAuthenticate request received after successful authentication",
        )
        await client.ask(MetadataRequest(topics=[]), 9)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda one: one.name)
async def test_a_login_by_scram(tmp_path: Path, kind: Any) -> None:
    """SASL-22..24, SASL-29: against the record of the metadata log."""
    salted = salted_password(kind, PASSWORD, b"salt", 4096)
    stored, of_server = keys_of(kind, salted)
    async with door(tmp_path, "SASL_PLAINTEXT") as one, one.client() as client:
        one.bench.apply(
            UserScramCredentialRecord(
                name=USER,
                mechanism=kind.number,
                salt=b"salt",
                stored_key=stored,
                server_key=of_server,
                iterations=4096,
            )
        )
        scram = ScramClient(kind.name, USER, PASSWORD, "nonce")
        first = await log_in(client, scram.first(), kind.name)
        final = token_of(scram.next(bytes(first.auth_bytes)))
        over = await client.ask(SaslAuthenticateRequest(auth_bytes=final), 1)
        assert scram.next(bytes(over.auth_bytes)) is None
        assert [each.principal for each in one.connections] == [ALICE]


@pytest.mark.each_loop
async def test_a_failure_is_answered_after_its_delay(tmp_path: Path) -> None:
    """SASL-07, SASL-11: the answer waits, and nothing that came meanwhile is looked at."""
    more = {"connection__failed__authentication__delay__ms": "150"}
    async with door(tmp_path, "SASL_PLAINTEXT", **more) as one, one.client() as client:
        loop = asyncio.get_running_loop()
        began = loop.time()
        client.send(SaslHandshakeRequest(mechanism="PLAIN"), 1)
        client.send(SaslAuthenticateRequest(auth_bytes=b"\0alice\0wrong"), 2)
        client.send(MetadataRequest(topics=[]), 9)
        await client.receive(17, 1)
        answer = await client.receive(36, 2)
        assert loop.time() - began > 0.14
        assert (answer.error_code, answer.error_message) == (
            58,
            "Authentication failed: Invalid username or password",
        )
        assert await client.reader.read(-1) == b""
        assert one.failures == 1


async def test_another_request_among_tokens(tmp_path: Path) -> None:
    """SASL-02, ATK-15: its own answer, with 34 where there is a place for it, and the end."""
    async with door(tmp_path, "SASL_PLAINTEXT") as one:
        for request, version, key in (
            (SaslHandshakeRequest(mechanism="PLAIN"), 1, 17),
            (ApiVersionsRequest(), 0, 18),
        ):
            async with one.client() as client:
                await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
                client.send(request, version)
                assert (await client.receive(key, version)).error_code == 34
                assert await client.closed()
        async with one.client() as client:
            await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
            client.send(ProduceRequest(acks=0), 9)  # which has no answer (ENV-09)
            assert await client.reader.read(-1) == b""
        async with one.client() as client:
            await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
            client.send(
                ElectLeadersRequest(topic_partitions=[TopicPartitions(topic="t", partitions=[0])]),
                0,
            )
            (topic,) = (await client.receive(43, 0)).replica_election_results
            assert [row.error_code for row in topic.partition_result] == [34]
            assert await client.closed()
        async with one.client() as client:
            await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
            client.send(FindCoordinatorRequest(), 4)  # of no keys: no row, and no other place
            assert await client.reader.read(-1) == b""


FIRST_FRAMES = [
    pytest.param(struct.pack(">i", 2**31 - 1), id="2 GB"),
    pytest.param(struct.pack(">i", -1), id="negative"),
    pytest.param(struct.pack(">i", 524_289), id="one too long"),
    pytest.param(struct.pack(">ihhih", 10, 1, 12, 1, -1), id="Fetch"),
    pytest.param(struct.pack(">ihhih", 10, 0, 9, 1, -1), id="Produce"),
    pytest.param(struct.pack(">ihhih", 10, 36, 1, 1, -1), id="token"),
    pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="HTTP"),
]


@pytest.mark.parametrize("said", FIRST_FRAMES)
async def test_what_may_not_come_first(tmp_path: Path, said: bytes) -> None:
    """SASL-04, SASL-10, ATK-09, ATK-12, ATK-13: closed without an answer, at the length."""
    async with door(tmp_path, "SASL_PLAINTEXT") as one, one.client() as client:
        client.writer.write(said)
        async with asyncio.timeout(5):
            assert await client.reader.read(-1) == b""


async def test_a_login_has_its_time(tmp_path: Path) -> None:
    """ATK-10: counted from the connection, whatever trickles in."""
    more = {"connections__authentication__timeout__ms": "50"}
    async with door(tmp_path, "SASL_PLAINTEXT", **more) as one, one.client() as client:
        await client.ask(ApiVersionsRequest(), 0)
        client.writer.write(b"\0\0")
        assert await client.closed()


@pytest.mark.each_loop
async def test_a_login_that_ends(tmp_path: Path) -> None:
    """SASL-16..18, SEC-07, ATK-32: a request after its end closes without an answer; counted."""
    more = {"connections__max__reauth__ms": "60"}
    async with door(tmp_path, "SASL_PLAINTEXT", **more) as one, one.client() as client:
        assert (await log_in(client)).session_lifetime_ms == 60
        await client.ask(MetadataRequest(topics=[]), 9)
        again = await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
        assert again.error_code == 34  # within a second of the login
        await asyncio.sleep(0.07)  # the time that a login lasts is what is tested
        client.send(MetadataRequest(topics=[]), 9)
        assert await client.closed()
        figures = one.bench.broker.figures()
        name = "socket-server-metrics.expired-connections-killed-count.SASL_PLAINTEXT"
        assert figures[name] == figures["SocketServer.ExpiredConnectionsKilledCount"] == 1


@pytest.mark.slow
async def test_a_login_is_renewed(tmp_path: Path) -> None:
    """SASL-17..19, SEC-07, ATK-31: after its end, too; as another user it is refused."""
    more = {"connections__max__reauth__ms": "1000"}
    async with door(tmp_path, "SASL_PLAINTEXT", **more) as one, one.client() as client:
        await log_in(client)
        await asyncio.sleep(1.1)  # the time that a login lasts is what is tested
        assert (await log_in(client)).error_code == 0
        await client.ask(MetadataRequest(topics=[]), 9)
        assert [each.principal for each in one.connections] == [ALICE]
        await asyncio.sleep(1.1)
        answer = await log_in(client, b'\0admin\0ad"min')
        assert answer.error_code == 58
        assert "Cannot change principals" in str(answer.error_message)
        assert await client.closed()
        figures = one.bench.broker.figures()
        for outcome in ("successful", "failed"):
            name = f"{outcome}-reauthentication-total.SASL_PLAINTEXT.PLAIN"
            assert figures[f"socket-server-metrics.{name}"] == 1


async def test_open_listeners_refuse_logins(tmp_path: Path) -> None:
    """SASL-12: on PLAINTEXT the same two answers, and the connection lives."""
    async with running(tmp_path) as bench, bench.connect() as client:
        answer = await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 0)
        assert (answer.error_code, answer.mechanisms) == (34, [])
        assert (await client.ask(SaslAuthenticateRequest(auth_bytes=b"x"), 0)).error_code == 34
        await client.ask(MetadataRequest(topics=[]), 9)
