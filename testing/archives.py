"""Unpacking a tar archive, on every Python that barnabas runs on.

`TarFile.extractall` takes its `filter` from Python 3.11.4 on only, warns without it since 3.12, and
Debian 12 has 3.11.2.
"""

from __future__ import annotations

import os
import shutil
import tarfile
from pathlib import Path


def unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Write the archive's folders, files and symbolic links below `folder`, which may be missing.

    Permissions of files are kept but for set-user-id bits and write access of others; times are
    kept, owners are not. Raises ValueError at a member that is of another kind, or that lies or
    leads outside of `folder`: the members before it are there then.
    """
    root = Path(os.path.realpath(folder))
    root.mkdir(parents=True, exist_ok=True)
    for member in archive:
        target = _inside(root, root / member.name, member)
        target.parent.mkdir(parents=True, exist_ok=True)
        if member.isdir():
            target.mkdir(exist_ok=True)
        elif member.issym():
            _inside(root, target.parent / member.linkname, member)
            target.symlink_to(member.linkname)
        elif member.isfile():
            _write(archive, member, target)
        else:
            raise ValueError(f"{member.name}: neither a folder, a file nor a symbolic link")


def _inside(root: Path, path: Path, member: tarfile.TarInfo) -> Path:
    if not Path(os.path.realpath(path)).is_relative_to(root):
        raise ValueError(f"{member.name}: leads out of {root}")
    return path


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> None:
    source = archive.extractfile(member)
    assert source is not None  # a regular file has content
    with source, open(target, "wb") as file:
        shutil.copyfileobj(source, file)
    target.chmod(member.mode & 0o755)
    os.utime(target, (member.mtime, member.mtime))
