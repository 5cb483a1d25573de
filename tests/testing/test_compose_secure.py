"""docker-compose.secure.yml, tried without Docker: its services as processes on this machine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from barnabas.client import Admin, NewTopic
from barnabas.client.login_errors import LoginFailedError
from barnabas.properties import parse_properties

from .compose_services import FILE, SECURE_FILE, running, script_of, secured_environments

pytestmark = pytest.mark.slow


def draw(folder: Path) -> subprocess.CompletedProcess[str]:
    """What the service does that makes keys and a password, in `folder` in place of /cluster."""
    program = folder / "bin" / "barnabas"
    if not program.exists():
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m barnabas.cli.main "$@"\n')
        program.chmod(0o755)
    script = script_of(SECURE_FILE).replace("/authority", f"{folder}/authority")
    script = re.sub(r"/cluster\b", str(folder), script)
    script = re.sub(r"(=broker-\d,localhost)", r"\1,127.0.0.1", script)
    return subprocess.run(
        ["sh", "-ec", script],
        check=False,
        timeout=60,
        text=True,
        capture_output=True,
        env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"},
    )


async def test_the_services_are_one_locked_cluster(tmp_path: Path) -> None:
    """TLS-03, TLS-04, ACL-06: keys and a password are made once; brokers find each other by
    certificates; a client needs the password, and a command in a container its certificate."""
    assert draw(tmp_path).returncode == 0
    before = (tmp_path / "security" / "broker-1.pem").read_bytes()
    assert draw(tmp_path).returncode == 0
    assert (tmp_path / "security" / "broker-1.pem").read_bytes() == before
    assert not (tmp_path / "security" / "ca.key").exists()
    modes = {one.name: one.stat().st_mode & 0o777 for one in (tmp_path / "security").iterdir()}
    assert {name for name, mode in modes.items() if mode != 0o600} == {"ca.pem"}
    found = {
        number: {name: re.sub(r"^/cluster", str(tmp_path), one) for name, one in settings.items()}
        for number, settings in secured_environments().items()
    }
    properties = parse_properties((tmp_path / "security" / "admin.properties").read_text())
    password = properties["sasl.jaas.config"].partition('password="')[2].partition('"')[0]
    with running(tmp_path, found) as ports:
        outside, inside = (
            ",".join(f"127.0.0.1:{ports[number, name]}" for number in (1, 2, 3))
            for name in ("EXTERNAL", "INTERNAL")
        )
        options: dict[str, Any] = {
            "security_protocol": "SASL_SSL",
            "ssl_cafile": str(tmp_path / "security" / "ca.pem"),
            "sasl_mechanism": properties["sasl.mechanism"],
            "sasl_plain_username": "admin",
        }
        async with Admin(
            bootstrap_servers=outside, sasl_plain_password=password, **options
        ) as admin:
            await admin.create_topics([NewTopic("t", 1, 3)])
        with pytest.raises(LoginFailedError):
            await Admin(bootstrap_servers=outside, sasl_plain_password="wrong", **options).start()
        for name, sees in (("admin", ["t"]), ("broker-2", ["t"])):
            async with Admin(
                bootstrap_servers=inside,
                security_protocol="SSL",
                ssl_cafile=options["ssl_cafile"],
                ssl_certfile=str(tmp_path / "security" / f"{name}.pem"),
            ) as admin:
                assert list(await admin.list_topics()) == sees


def test_a_cluster_that_is_open_stays_so(tmp_path: Path) -> None:
    """Goal: it says so, and makes nothing."""
    (tmp_path / "barnabas.toml").write_text('cluster.id = "AAAAAAAAAAAAAAAAAAAAAQ"\n')
    told = draw(tmp_path)
    assert told.returncode == 1
    assert "was made without TLS and logins" in told.stderr
    assert not (tmp_path / "security").exists()


def test_the_page_names_the_files() -> None:
    """Goal: the command as docs/security.md has it is that of the two files."""
    page = (FILE.parent / "docs" / "security.md").read_text(encoding="utf-8")
    assert f"-f {FILE.name} -f {SECURE_FILE.name} up" in page
