"""Files with secrets: written whole or not at all, and readable by nobody else."""

from __future__ import annotations

import os
from pathlib import Path

PRIVATE = 0o600


def write_private(path: Path, text: str, mode: int = PRIVATE) -> None:
    """Put `text` into the file at `path`, in the place of what was there. Raises OSError."""
    draft = path.with_name(path.name + ".part")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        os.fchmod(descriptor, mode)  # a draft that was there may have had other rights
        stream.write(text)
    os.replace(draft, path)
