"""`barnabas certificates` as a user types it, in this process."""

from __future__ import annotations

import json
import ssl
import stat
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from barnabas.cli.certificates import command
from barnabas.tls import Own, Trust, check_own_trust, client_context, server_context


def run(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == status, done.output
    return done.output


def test_what_is_made_is_kept(tmp_path: Path) -> None:
    """SEC-08: keys are the owner's alone; a second run adds what is missing; --renew makes new
    ones, of the same authority."""
    here = str(tmp_path / "keys")
    found = json.loads(run(here, "--for", "node-1=localhost,127.0.0.1", "--json"))
    assert [Path(one).name for one in found["made"]] == ["ca.key", "ca.pem", "node-1.pem"]
    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in Path(here).iterdir()}
    assert modes == {"ca.key": 0o600, "ca.pem": 0o644, "node-1.pem": 0o600}
    before = {one.name: one.read_text() for one in Path(here).iterdir()}
    assert "are there already" in run(here, "--for", "node-1=localhost")
    assert run(here, "--for", "node-1", "--for", "alice") == f"made {here}/alice.pem\n"
    run(here, "--for", "node-1=localhost", "--renew")
    after = {one.name: one.read_text() for one in Path(here).iterdir()}
    assert {name for name in before if after[name] != before[name]} == {"node-1.pem"}
    trust = Trust(file=f"{here}/ca.pem")
    server = server_context(
        Own(after["node-1.pem"]), trust, client_auth="required", versions=("TLSv1.3",), ciphers=()
    )
    client = client_context(Own(after["alice.pem"]), trust)
    check_own_trust(server, client)
    assert client.verify_mode is ssl.CERT_REQUIRED


def test_the_authority_elsewhere(tmp_path: Path) -> None:
    """Goal: whoever has the keys of nodes need not have that of the authority."""
    run(str(tmp_path / "keys"), "--authority", str(tmp_path / "secret"), "--for", "a")
    assert {one.name for one in (tmp_path / "keys").iterdir()} == {"ca.pem", "a.pem"}
    assert {one.name for one in (tmp_path / "secret").iterdir()} == {"ca.pem", "ca.key"}


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: the message names what is wrong; nothing that is there is lost."""
    for name in ("../x", "", "ca", "a b"):
        told = run(str(tmp_path), "--for", f"{name}=host", status=2)
        assert "cannot be the name of a file" in told
    assert "no certificate for x" in run(str(tmp_path), "--for", "x=höst", status=1)
    (tmp_path / "ca.key").unlink()
    assert "ca.key is missing" in run(str(tmp_path), "--for", "x", status=1)
    monkeypatch.setitem(sys.modules, "barnabas.authority", None)
    assert "pip install cryptography" in run(str(tmp_path / "n"), "--for", "x", status=1)


def test_an_authority_that_is_binary(tmp_path: Path) -> None:
    """Goal: files in DER are refused in one line, wherever the authority is."""
    home = tmp_path / "home"
    run(str(home), "--for", "a")
    (home / "ca.pem").write_bytes(b"\x30\x82\x01\xff")
    for arguments in ([str(home)], [str(tmp_path / "keys"), "--authority", str(home)]):
        assert "ca.pem is no PEM, but binary" in run(*arguments, "--for", "b", status=1)
