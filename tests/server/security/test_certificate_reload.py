"""New certificates while a node runs: by settings and by files; what is refused changes nothing."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from kit.secured import TLS, fields_of
from kit.waiting import until

from barnabas.authority import Pair, issue, new_authority
from barnabas.broker.core.cluster.image import RESOURCE_BROKER
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node
from barnabas.client import Admin, AlterConfig, AlterConfigOp, ConfigResource, ConfigResourceType
from barnabas.client.errors import InvalidRequestError
from barnabas.tls import Own, Trust, client_context

HOSTS = ("127.0.0.1", "localhost")
KEYSTORE = "listener.name.clients.ssl.keystore.location"
TRUSTSTORE = "listener.name.clients.ssl.truststore.location"
BROKER = ConfigResource(ConfigResourceType.BROKER, "1")


class Setting:
    """An authority, files for a node, and the node with a listener where both sides show
    certificates; an open listener is for the admin."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.authority = new_authority("first")
        self.keys = folder / "node.pem"
        self.trusted = folder / "ca.pem"
        self.keys.write_text(issue(self.authority, "node", HOSTS).pem)
        self.trusted.write_text(self.authority.certificate)
        self.providers: tuple[tuple[str, str], ...] = ()
        self.node: Node

    @asynccontextmanager
    async def running(self, **more: str) -> AsyncIterator[Admin]:
        settings = {
            "listeners": "OPEN://127.0.0.1:0,CLIENTS://127.0.0.1:0",
            "listener.security.protocol.map": "OPEN:PLAINTEXT,CLIENTS:SSL",
            "inter.broker.listener.name": "OPEN",
            "listener.name.clients.ssl.client.auth": "required",
            "node.id": "1",
            "ssl.reload.interval.ms": "0",
            KEYSTORE: str(self.keys),
            TRUSTSTORE: str(self.trusted),
        } | {name.replace("_", "."): value for name, value in more.items()}
        config = BrokerConfig(
            log_dirs=(str(self.folder / "data"),),
            provider_settings=self.providers,
            **fields_of(settings),
        )
        self.node = await Node.start(config)
        try:
            async with Admin(bootstrap_servers=f"127.0.0.1:{self.node.port}") as admin:
                yield admin
        finally:
            await self.node.stop()

    async def shown(self, client: Pair | None = None, trusted: Pair | None = None) -> bytes:
        """The certificate that the node shows to this client. Raises ssl.SSLError."""
        reader, writer = await self.connect(client, trusted)
        del reader
        found: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.close()
        return found

    async def connect(
        self, client: Pair | None = None, trusted: Pair | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        own = client or issue(self.authority, "client", ())
        trust = Trust(text=(trusted or self.authority).certificate)
        context = client_context(Own(own.pem), trust, versions=("TLSv1.2",))
        port = self.node.listeners[1].port
        return await asyncio.open_connection("127.0.0.1", port, ssl=context)

    async def settled(self) -> None:
        """Wait until all that was asked for is loaded or refused."""
        await asyncio.gather(*self.node.quorum.security.certificates._tasks)


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path)


async def alter(admin: Admin, *pairs: tuple[str, str | None], to: ConfigResource = BROKER) -> None:
    changes = [
        AlterConfig(name, value, AlterConfigOp.DELETE if value is None else AlterConfigOp.SET)
        for name, value in pairs
    ]
    await admin.incremental_alter_configs({to: changes})


def der(pair: Pair) -> bytes:
    return ssl.PEM_cert_to_DER_cert(pair.certificate)


async def test_the_same_setting_again_loads_the_file(setting: Setting) -> None:
    """TLS-20, TLS-21: the next handshake has the new certificate; the connection that there is
    goes on; a file alone changes nothing where nobody looks at it."""
    async with setting.running() as admin:
        before = await setting.shown()
        reader, writer = await setting.connect()
        new = issue(setting.authority, "node", HOSTS)
        setting.keys.write_text(new.pem)
        assert await setting.shown() == before
        await alter(admin, (KEYSTORE, str(setting.keys)))
        await setting.settled()
        assert await setting.shown() == der(new) != before
        assert not reader.at_eof()
        assert not writer.is_closing()
        writer.close()


async def test_a_password_that_is_elsewhere(setting: Setting) -> None:
    """SEC-03, TLS-18: the node looks it up; the metadata has the reference alone, and one that
    leads nowhere is refused by name."""
    secrets = setting.folder / "secrets.properties"
    password = "listener.name.clients.ssl.key.password"
    kind = "org.apache.kafka.common.config.provider.FileConfigProvider"
    setting.providers = (("config.providers", "file"), ("config.providers.file.class", kind))
    new = issue(setting.authority, "node", HOSTS)
    key = load_pem_private_key(new.pem.encode(), None)
    locked = key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"hidden")
    ).decode()
    async with setting.running() as admin:
        setting.keys.write_text(locked + new.certificate)
        with pytest.raises(InvalidRequestError, match="No such file") as caught:
            await alter(
                admin, (password, f"${{file:{secrets}:key}}"), (KEYSTORE, str(setting.keys))
            )
        assert "hidden" not in str(caught.value)
        secrets.write_text("key=hidden\n")
        await alter(admin, (password, f"${{file:{secrets}:key}}"), (KEYSTORE, str(setting.keys)))
        await setting.settled()
        assert await setting.shown() == der(new)
        kept = setting.node.image.config_of(RESOURCE_BROKER, "1")
        assert kept[password] == f"${{file:{secrets}:key}}"


async def test_files_are_looked_at(setting: Setting) -> None:
    """TLS-20: nobody asks for it; while a file is not whole, the old certificate stays."""
    async with setting.running(ssl_reload_interval_ms="10"):
        before = await setting.shown()
        new = issue(setting.authority, "node", HOSTS)
        setting.keys.write_text(new.pem[:200])
        (used,) = setting.node.quorum.security.certificates._used.values()
        await until(lambda: used.told)
        assert "private keys in PEM" in used.told or "no certificate" in used.told
        assert await setting.shown() == before
        setting.keys.write_text(new.pem)
        await until(lambda: not used.told)
        assert await setting.shown() == der(new)


async def test_another_file_and_back_again(setting: Setting) -> None:
    """TLS-18, TLS-20: a setting of this broker wins over its file, also after a restart; without
    it the file holds again."""
    first = ssl.PEM_cert_to_DER_cert(
        "-----BEGIN CERT" + setting.keys.read_text().partition("-----BEGIN CERT")[2]
    )
    second = issue(setting.authority, "node", (*HOSTS, "other"))
    other = setting.folder / "other.pem"
    other.write_text(second.pem)
    async with setting.running() as admin:
        await alter(admin, (KEYSTORE, str(other)))
        await setting.settled()
        assert await setting.shown() == der(second)
    async with setting.running(ssl_allow_san_changes="true") as admin:
        assert await setting.shown() == der(second)
        await alter(admin, (KEYSTORE, None))
        await setting.settled()
        assert await setting.shown() == first


async def test_who_is_no_longer_trusted(setting: Setting) -> None:
    """TLS-21, ATK-05: an authority goes: its clients are refused from now on; who is in stays;
    those of the other authority are let in."""
    other = new_authority("second")
    async with setting.running() as admin:
        old = issue(setting.authority, "client", ())
        reader, writer = await setting.connect(old)
        setting.trusted.write_text(other.certificate)
        await alter(admin, (TRUSTSTORE, str(setting.trusted)))
        await setting.settled()
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await setting.shown(old)
        assert await setting.shown(issue(other, "client", ()))
        assert not reader.at_eof()
        writer.close()


@pytest.mark.each_loop
async def test_who_is_no_longer_trusted_must_go(setting: Setting) -> None:
    """ATK-05: with `ssl.untrusted.clients.disconnect.enable` an authority that comes ends nothing;
    when one goes, who showed a certificate must connect again, and is refused if it was of that
    authority; who needed none stays."""
    other = new_authority("second")
    async with setting.running(ssl_untrusted_clients_disconnect_enable="true") as admin:
        old = issue(setting.authority, "client", ())
        reader, writer = await setting.connect(old)
        setting.trusted.write_text(setting.authority.certificate + other.certificate)
        await alter(admin, (TRUSTSTORE, str(setting.trusted)))
        await setting.settled()
        assert await setting.shown(issue(other, "client", ()))
        assert not reader.at_eof()
        setting.trusted.write_text(other.certificate)
        await alter(admin, (TRUSTSTORE, str(setting.trusted)))
        async with asyncio.timeout(10):
            assert await reader.read(1) == b""
        writer.close()
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await setting.shown(old)
        assert await setting.shown(issue(other, "client", ()))
        assert (await admin.describe_cluster()).brokers  # over the open listener, all the while


@pytest.mark.parametrize(
    ("name", "hosts", "reason"),
    [
        ("other", HOSTS, "is CN=other's, not CN=node's"),
        ("node", ("localhost",), "not for 127.0.0.1"),
    ],
)
async def test_a_certificate_of_somebody_else(
    setting: Setting, name: str, hosts: tuple[str, ...], reason: str
) -> None:
    """TLS-19: 42 with the reason, and the old one goes on; unless that is allowed."""
    new = issue(setting.authority, name, hosts)
    async with setting.running() as admin:
        before = await setting.shown()
        setting.keys.write_text(new.pem)
        with pytest.raises(InvalidRequestError, match=reason):
            await alter(admin, (KEYSTORE, str(setting.keys)))
        await setting.settled()
        assert await setting.shown() == before
    setting.keys.write_text(issue(setting.authority, "node", HOSTS).pem)
    allowed = {"ssl_allow_dn_changes": "true", "ssl_allow_san_changes": "true"}
    async with setting.running(**allowed) as admin:
        setting.keys.write_text(new.pem)
        await alter(admin, (KEYSTORE, str(setting.keys)))
        await setting.settled()
        found = setting.node.listeners[1].security.tls
        assert found is not None
        (used,) = setting.node.quorum.security.certificates._used.values()
        assert used.loaded.facts is not None
        assert used.loaded.facts.subject == f"CN={name}"


async def test_what_is_refused(setting: Setting) -> None:
    """TLS-18, TLS-19, ATK-01: 42, and nothing of the request is kept."""
    (setting.folder / "no-key.pem").write_text(setting.authority.certificate)
    everywhere = ConfigResource(ConfigResourceType.BROKER, "")
    wrong: list[tuple[str, str, ConfigResource, str]] = [
        (KEYSTORE, str(TLS / "expired.pem"), BROKER, "does not hold now"),
        (KEYSTORE, str(setting.folder / "no-key.pem"), BROKER, "0 private keys"),
        (KEYSTORE, str(setting.folder / "nowhere.pem"), BROKER, "cannot be read"),
        (KEYSTORE, str(setting.keys), everywhere, "a broker id must be specified"),
        ("ssl.keystore.location", str(setting.keys), BROKER, "Cannot update these configs"),
        ("listener.name.clients.ssl.client.auth", "none", BROKER, "cannot be changed while"),
        ("listener.name.open.ssl.keystore.location", "x", BROKER, "open of this node has no TLS"),
    ]
    async with setting.running() as admin:
        before = await setting.shown()
        for name, value, resource, reason in wrong:
            with pytest.raises(InvalidRequestError, match=reason):
                await alter(admin, (name, value), to=resource)
        assert not setting.node.image.config_of(RESOURCE_BROKER, "1")
        assert await setting.shown() == before
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await setting.shown(issue(new_authority("stranger"), "x", ()))
