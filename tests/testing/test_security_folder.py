"""Keys and users of a secured cluster: made once and whole, secret, and what follows from them."""

from __future__ import annotations

import json
import ssl
import stat
import sys
import tomllib
from pathlib import Path

import pytest

from barnabas.authority import Pair, issue, new_authority
from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.server.security.node_security import NodeSecurity
from barnabas.broker.settings import load_config
from barnabas.broker.storage.files import RealClock
from barnabas.cli.client_properties import client_options
from barnabas.properties import parse_properties
from barnabas.testing.cluster_layout import ClusterLayout, plan_cluster
from barnabas.testing.secured.client_files import python_options
from barnabas.testing.secured.folder import SecurityFolder, SecurityFolderError
from barnabas.tls import Own, TlsError, Trust, check_own_trust, client_context, server_context

ID = "AAAAAAAAAAAAAAAAAAAAAQ"


def planned(brokers: int = 1, controllers: str = "combined") -> ClusterLayout:
    return plan_cluster(cluster_id=ID, brokers=brokers, controllers=controllers, is_secured=True)


@pytest.fixture
def folder(tmp_path: Path) -> SecurityFolder:
    made = SecurityFolder(tmp_path, planned())
    made.ensure()
    return made


def shake_hands(authority: Pair, server: Pair, client: Pair, trusted: Pair) -> None:
    trust = Trust(text=authority.certificate)
    versions = ("TLSv1.2", "TLSv1.3")
    check_own_trust(
        server_context(
            Own(server.pem), trust, client_auth="required", versions=versions, ciphers=()
        ),
        client_context(Own(client.pem), Trust(text=trusted.certificate)),
    )


def test_certificates_serve_both_sides() -> None:
    """TLS-16: whom the authority signed for passes as server and as client; whom another one did,
    does not."""
    authority, other = new_authority("one"), new_authority("other")
    server, client = issue(authority, "s", ["127.0.0.1", "localhost"]), issue(authority, "c", [])
    shake_hands(authority, server, client, authority)
    with pytest.raises(TlsError):
        shake_hands(authority, server, issue(other, "c", []), authority)
    with pytest.raises(TlsError, match="do not belong together"):
        issue(Pair(authority.key, other.certificate), "x", [])
    with pytest.raises(TlsError, match="no certificate for x can be signed"):
        issue(authority, "x", ["höst"])


def test_the_strictest_check_takes_them() -> None:
    """Goal: with the flags that Python sets from 3.13 on, chain and names hold."""
    authority = new_authority("one")
    own = issue(authority, "s", ["localhost"])
    server = server_context(
        Own(own.pem), Trust(), client_auth="none", versions=("TLSv1.3",), ciphers=()
    )
    client = client_context(None, Trust(text=authority.certificate))
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    check_own_trust(server, client)


def test_nobody_else_may_read_it(folder: SecurityFolder) -> None:
    """SEC-08: the folder is its owner's alone, and so is every file in it."""
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in folder.path.iterdir()}
    assert set(modes.values()) == {0o600}, modes
    assert "node-1.toml" in modes


def test_what_is_made_once_stays(folder: SecurityFolder) -> None:
    """Goal: a second start writes the same again; only what follows from the rest is repaired."""
    before = {one.name: one.read_bytes() for one in folder.path.iterdir()}
    (folder.path / "app.properties").unlink()
    folder.note_granted()
    folder.ensure()
    after = {one.name: one.read_bytes() for one in folder.path.iterdir()}
    assert {name for name in before if after[name] != before[name]} == {"users.json"}
    assert folder.has_granted


def test_half_made_is_not_made(tmp_path: Path) -> None:
    """Goal: what an interrupted start left behind is thrown away, not used."""
    draft = tmp_path / "security.part"
    draft.mkdir()
    (draft / "ca.key").write_text("half")
    folder = SecurityFolder(tmp_path, planned())
    folder.ensure()
    assert not draft.exists()
    assert "half" not in (folder.path / "ca.key").read_text()


def test_keys_that_are_gone(folder: SecurityFolder, tmp_path: Path) -> None:
    """Goal: passwords in the metadata log cannot be made anew: say so, and make nothing."""
    (folder.path / "users.json").unlink()
    with pytest.raises(SecurityFolderError, match=r"users\.json is missing"):
        folder.ensure()
    (folder.path / "users.json").write_text("{}")
    with pytest.raises(SecurityFolderError, match=r"users\.json is damaged"):
        folder.ensure()
    (tmp_path / "node-1").mkdir()
    folder.path.rename(tmp_path / "elsewhere")
    with pytest.raises(SecurityFolderError, match="put it back, or take another --dir"):
        folder.ensure()
    assert not folder.path.exists()


def test_without_the_package_for_certificates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: one line that names what to install; nothing is left behind."""
    monkeypatch.setitem(sys.modules, "barnabas.authority", None)
    folder = SecurityFolder(tmp_path, planned())
    with pytest.raises(SecurityFolderError, match="pip install cryptography"):
        folder.ensure()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("controllers", ["combined", "1"])
def test_every_node_can_be_started(tmp_path: Path, controllers: str) -> None:
    """TLS-03, TLS-04, TLS-17, ACL-09: what is written is what a node takes, whatever its roles."""
    layout = planned(brokers=2, controllers=controllers)
    folder = SecurityFolder(tmp_path, layout)
    folder.ensure()
    for node in layout.nodes:
        pairs = [f"{name}={value}" for name, value in layout.settings_of(node).items()]
        config = load_config(file=str(folder.settings_of(node.id)), assignments=pairs)
        security = NodeSecurity(config, RealClock())
        assert not security.notes
        assert "User:CN=node-2" in config.super_users
        assert (config.metadata_bootstrap_scram is not None) == node.is_voter


def test_an_open_node_does_not_take_them(folder: SecurityFolder) -> None:
    """TLS-01: settings for listeners that are not there are refused."""
    with pytest.raises(ConfigError):
        load_config(file=str(folder.settings_of(1)), assignments=["listeners=PLAINTEXT://:0"])


def test_all_clients_are_told_the_same(folder: SecurityFolder) -> None:
    """TLS-10, SASL-21: the properties of Java and librdkafka, and Python's arguments."""
    wanted = python_options(folder.access_of("app"))
    assert json.loads(folder.client_file("app", "python").read_text()) == wanted
    for kind in ("java", "librdkafka"):
        text = folder.client_file("app", kind).read_text()
        found = client_options(parse_properties(text))
        assert found.pop("ssl_context").verify_mode is ssl.CERT_REQUIRED
        assert found == {key: wanted[key] for key in wanted if key != "ssl_cafile"}


def test_no_secret_is_shown(folder: SecurityFolder) -> None:
    """SEC-04: neither what `--json` prints nor a repr has a password or a key."""
    access = folder.access_of("admin")
    shown = json.dumps(folder.describe()) + repr(access) + repr(new_authority("x"))
    assert access.password not in shown
    assert "PRIVATE KEY" not in shown
    settings = tomllib.loads(folder.settings_of(1).read_text())
    assert access.password in settings["metadata.bootstrap.scram"], "for the first start"
