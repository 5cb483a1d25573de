"""Programs by other languages' clients, for tests that run them: fetched once, into `build/`.

Where the language or its registry is missing, the calling test is skipped and says why.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

KAFKAJS_VERSION = "2.2.4"
SARAMA = "github.com/IBM/sarama v1.46.3"
FRANZ_GO = "github.com/twmb/franz-go v1.22.2"
ROOT = Path(__file__).resolve().parent.parent.parent
MEMBERS = ROOT / "tests" / "compatibility" / "members"
_FETCH_TIMEOUT_S = 300


@contextmanager
def _alone(name: str) -> Iterator[Path]:
    """The folder for this client, while no other test process is at it."""
    folder = ROOT / "build" / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def _do(what: str, folder: Path, *command: str, **environment: str) -> None:
    """Run it in the folder; skips the calling test, with the reason, if it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=_FETCH_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"{what} took more than {_FETCH_TIMEOUT_S} s")
    if done.returncode != 0:
        pytest.skip(f"{what} failed: {done.stdout[-300:]}{done.stderr[-300:]}")


def _need(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"no {program} on this machine")


def kafkajs_member() -> tuple[Sequence[str], dict[str, str]]:
    """How to run a member of a group by KafkaJS: command, and what its environment must have."""
    _need("node")
    with _alone("kafkajs") as folder:
        package = folder / "node_modules" / "kafkajs"
        if not (package / "package.json").exists():
            _need("npm")
            (folder / "package.json").write_text('{"private": true}\n')
            wanted = f"kafkajs@{KAFKAJS_VERSION}"
            options = ("--no-audit", "--no-fund", "--ignore-scripts")
            _do("fetching KafkaJS", folder, "npm", "install", *options, wanted)
    return ("node", str(MEMBERS / "kafkajs.js")), {"KAFKAJS": str(package)}


def _go_program(name: str, module: str) -> str:
    """The program from the source in `members/name`, compiled if that is newer."""
    source = MEMBERS / name / "main.go"
    with _alone(name) as folder:
        program = folder / "program"
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            _need("go")
            (folder / "go.mod").write_text(f"module program\n\ngo 1.24\n\nrequire {module}\n")
            shutil.copy(source, folder / "main.go")
            built = ("go", "build", "-o", str(program), ".")
            _do(f"compiling with {name}", folder, *built, GOFLAGS="-mod=mod -buildvcs=false")
    return str(program)


def sarama_member() -> tuple[Sequence[str], dict[str, str]]:
    """How to run a member of a group by sarama."""
    return (_go_program("sarama", SARAMA),), {}


def franz_go_member() -> tuple[Sequence[str], dict[str, str]]:
    """How to run a member of a group by franz-go, with the classic protocol."""
    return (_go_program("franz-go", FRANZ_GO),), {}


def franz_go_848_member() -> tuple[Sequence[str], dict[str, str]]:
    """The same with the consumer protocol."""
    return (_go_program("franz-go", FRANZ_GO),), {"PROTOCOL": "consumer"}


def franz_go_copier() -> Sequence[str]:
    """How to run a program by franz-go that copies a topic exactly once."""
    return (_go_program("franz-go-copier", FRANZ_GO),)


def franz_go_login() -> str:
    """The path of a program by franz-go that logs in, writes a record and reads it."""
    return _go_program("franz-go-login", FRANZ_GO)


def kcat_program() -> str:
    """Its command, under either of its names; skips the calling test where it is not installed."""
    found = shutil.which("kcat") or shutil.which("kafkacat")
    if found is None:
        pytest.skip("no kcat on this machine")
    return found


def run(command: Sequence[str]) -> tuple[int, str]:
    """Status of a program that ends by itself, and what it printed on either output."""
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout
