"""The wheel that ships: built from this checkout, alone in an environment of its own."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NO_COMPILER = "barnabas: no C compiler"
"""What `setup.py` says where it cannot compile."""

BUILD_TIMEOUT_S = 600
COMMAND_TIMEOUT_S = 120


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment with the wheel and what it depends on, and a folder to work in."""

    bin: Path
    site_packages: Path
    home: Path
    """Where its programs run: outside the checkout."""

    build_log: str

    @property
    def python(self) -> Path:
        return self.bin / "python"

    @property
    def could_compile(self) -> bool:
        """Whether there was a C compiler to build the wheel with."""
        return NO_COMPILER not in self.build_log

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of ours: no path to the checkout, no settings."""
        return {"PATH": os.defpath, "HOME": str(self.home), "LANG": "C.UTF-8"}

    def barnabas(
        self, *arguments: str, timeout_s: float = COMMAND_TIMEOUT_S
    ) -> subprocess.CompletedProcess[str]:
        """Run the installed command; it must end well."""
        done = subprocess.run(
            [str(self.bin / "barnabas"), *arguments],
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def json(self, *arguments: str) -> Any:
        """What the command says with `--json`."""
        return json.loads(self.barnabas(*arguments, "--json").stdout)


def build_and_install(folder: Path) -> Installed:
    """Build the wheel as `make wheel` does, and install it with the versions of constraints.txt.

    The build needs nothing from the network and nothing from the home directory.
    """
    home = folder / "home"
    home.mkdir(parents=True)
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    }
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
    (ROOT / "build").mkdir(exist_ok=True)
    # One after the other: builds share the checkout's folder for what is compiled.
    with (ROOT / "build" / "wheel.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        log = _run(
            [*build, "--outdir", str(folder / "dist"), str(ROOT)],
            {**inherited, "HOME": str(home), "BARNABAS_COMPILE": "1"},
        )
    (wheel,) = (folder / "dist").glob("*.whl")
    _run([sys.executable, "-m", "venv", str(folder / "venv")], inherited)
    python = folder / "venv" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "-q"]
    _run([*install, "-c", str(ROOT / "constraints.txt"), str(wheel)], inherited)
    ask = "import sysconfig; print(sysconfig.get_path('platlib'))"
    found = _run([str(python), "-I", "-c", ask], inherited)
    return Installed(python.parent, Path(found.strip()), home, log)


def _run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=BUILD_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}"
    return done.stdout
