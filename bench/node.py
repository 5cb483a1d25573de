"""barnabas itself, from a wheel built from this checkout into an environment of its own."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from . import paths
from .running import PARTITIONS, SEGMENT_BYTES, Broker, UnavailableError

PYTHON = paths.VENV / "bin" / "python"
STAMP = paths.VENV / "built-from"
BUILD_TIMEOUT_S = 1_200
ASK = (
    "import json, platform, barnabas, barnabas.build_info as b;"
    "i = b.build_info();"
    "print(json.dumps({'barnabas': barnabas.__version__, 'build': i.describe(),"
    "'python': platform.python_version()}))"
)


def fingerprint() -> str:
    """One hash over all that goes into the wheel."""
    digest = hashlib.sha256()
    package = paths.ROOT / "src" / "barnabas"
    folders = sorted(path.resolve() for path in package.iterdir() if path.is_dir())
    files = [paths.ROOT / "setup.py", paths.ROOT / "pyproject.toml", *package.glob("*.py")]
    for folder in folders:
        files += folder.rglob("*.py")
    for path in sorted(files):
        digest.update(str(path.relative_to(paths.ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def build_environment(*, compiled: bool) -> None:
    """A fresh virtual environment with the wheel and what it depends on, unless it is current."""
    stamp = f"{'compiled' if compiled else 'pure'} {fingerprint()}"
    if STAMP.exists() and STAMP.read_text() == stamp and PYTHON.exists():
        return
    wheels = paths.BUILD / "wheel"
    for old in (wheels, paths.VENV):
        shutil.rmtree(old, ignore_errors=True)
    environment = {**os.environ, "BARNABAS_COMPILE": "1" if compiled else "0"}
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels)]
    run([*build, str(paths.ROOT)], environment)
    run([sys.executable, "-m", "venv", str(paths.VENV)], environment)
    constraints = paths.ROOT / "constraints.txt"
    pinned = ["-c", str(constraints)] if constraints.exists() else []
    wheel = next(wheels.glob("*.whl"))
    run([str(PYTHON), "-m", "pip", "install", "-q", *pinned, str(wheel)], environment)
    STAMP.write_text(stamp)


def run(command: list[str], environment: dict[str, str]) -> None:
    """Run to the end, output into build/bench/logs/build.log; `UnavailableError` if it fails."""
    log = paths.LOGS / "build.log"
    paths.LOGS.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        result = subprocess.run(
            command,
            env=environment,
            stdout=output,
            stderr=output,
            check=False,
            timeout=BUILD_TIMEOUT_S,
        )
    if result.returncode:
        raise UnavailableError(f"{' '.join(command[1:4])} failed, see {log}")


class Barnabas(Broker):
    """One node with defaults, but for what Kafka is told too; it formats its directory itself."""

    name = "barnabas"
    title = "barnabas"

    def __init__(self, *, compiled: bool = True, checkout: bool = False) -> None:
        super().__init__()
        self.compiled = compiled
        self.python = Path(sys.executable) if checkout else PYTHON
        self.checkout = checkout

    def prepare(self) -> None:
        if not self.checkout:
            build_environment(compiled=self.compiled)

    def versions(self) -> dict[str, str]:
        command = [str(self.python), "-c", ASK]
        answer = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
        return dict(json.loads(answer.stdout))

    def format(self) -> list[str]:
        command = [
            str(self.python.parent / "barnabas"),
            "serve",
            "--dir",
            str(self.directory / "data"),
            "--port",
            str(self.port),
            "--set",
            f"num.partitions={PARTITIONS}",
            "--set",
            f"log.segment.bytes={SEGMENT_BYTES}",
        ]
        for name, value in self.settings.items():
            command += ["--set", f"{name}={value}"]
        if self.tls is not None:
            listeners = f"PLAINTEXT://127.0.0.1:{self.port},{self.tls.address}"
            for name, value in {"listeners": listeners, **self.tls.settings}.items():
                command += ["--set", f"{name}={value}"]
        return command
