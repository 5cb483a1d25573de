"""A node of the version that a file names: `python -m lab.chaos.chosen_version`.

`DIR.version`, beside the log directory DIR, has the folder with that version's packages; without
it, or when it is empty, the node is of the version that runs this. The process becomes
`python -m barnabas.broker` of that version and keeps its number.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

from barnabas.testing import archives

from ..programs import ROOT

MODULE: Final = "lab.chaos.chosen_version"
PREVIOUS: Final = "CHAOS_PREVIOUS"
"""Names the revision that counts as the previous version."""
BACK: Final = 50
"""Without that revision and without a tag: this many commits ago."""


def choose(directory: Path, packages: Path | None) -> None:
    """From its next start on, the node of this directory has that version; None: the present
    one."""
    Path(f"{directory}.version").write_text("" if packages is None else str(packages))


def previous_revision() -> str:
    """Git's name for the previous version. Raises LookupError if there is none."""
    for revision in (os.environ.get(PREVIOUS), _git("describe", "--tags", "--abbrev=0", "HEAD^")):
        if revision:
            return revision
    revision = _git("rev-parse", f"HEAD~{BACK}")
    if not revision:
        raise LookupError(f"no repository with {BACK} commits here; {PREVIOUS} can name a revision")
    return revision


def unpack(revision: str, folder: Path) -> Path:
    """Put the revision's files into `folder`; returns where its packages are.

    Raises LookupError if git does not know the revision.
    """
    found = subprocess.run(
        ["git", "-C", str(ROOT), "archive", revision], capture_output=True, check=False
    )
    if found.returncode:
        raise LookupError(found.stderr.decode().strip())
    with tarfile.open(fileobj=io.BytesIO(found.stdout)) as archive:
        archives.unpack(archive, folder)
    return folder / "src"


def _git(*arguments: str) -> str:
    try:
        found = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


def main() -> None:
    """Become the node."""
    directory = sys.argv[sys.argv.index("--dir") + 1]
    environment = dict(os.environ)
    try:
        packages = Path(f"{directory}.version").read_text()
    except FileNotFoundError:
        packages = ""
    if packages:
        environment["PYTHONPATH"] = packages
    command = [sys.executable, "-m", "barnabas.broker", *sys.argv[1:]]
    os.execve(sys.executable, command, environment)


if __name__ == "__main__":
    main()
