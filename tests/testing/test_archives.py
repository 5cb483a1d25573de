"""Archives are unpacked alike on every Python."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from barnabas.testing import archives


def archive_of(*members: tuple[str, bytes, bytes]) -> tarfile.TarFile:
    """An archive of (name, type, content or link) members."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind, content in members:
            info = tarfile.TarInfo(name)
            info.type, info.mode, info.mtime = kind, 0o775, 1_000_000
            if kind in {tarfile.SYMTYPE, tarfile.LNKTYPE}:
                info.linkname = content.decode()
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return tarfile.open(fileobj=io.BytesIO(buffer.getvalue()))


def test_folders_files_and_links_are_unpacked(tmp_path: Path) -> None:
    """Goal: what a git archive and a log directory hold is there, with its mode and time."""
    archive = archive_of(
        ("broker", tarfile.DIRTYPE, b""),
        ("broker/node.py", tarfile.REGTYPE, b"pass\n"),
        ("src/barnabas/broker", tarfile.SYMTYPE, b"../../broker"),
    )
    archives.unpack(archive, tmp_path / "new")
    found = tmp_path / "new/src/barnabas/broker/node.py"
    assert found.read_bytes() == b"pass\n"
    assert found.stat().st_mode & 0o777 == 0o755
    assert found.stat().st_mtime == 1_000_000


@pytest.mark.parametrize(
    "member",
    [
        ("../outside", tarfile.REGTYPE, b"x"),
        ("/outside", tarfile.REGTYPE, b"x"),
        ("link", tarfile.SYMTYPE, b"/etc"),
        ("link", tarfile.SYMTYPE, b"../.."),
        ("hard", tarfile.LNKTYPE, b"other"),
        ("pipe", tarfile.FIFOTYPE, b""),
    ],
)
def test_a_member_that_leads_outside_is_refused(
    tmp_path: Path, member: tuple[str, bytes, bytes]
) -> None:
    """Goal: nothing is written or linked outside of the folder, and no device is made."""
    with pytest.raises(ValueError, match=member[0].lstrip("/.")):
        archives.unpack(archive_of(member), tmp_path / "root")
    assert [path.name for path in tmp_path.iterdir()] == ["root"]
    assert not list((tmp_path / "root").iterdir())


def test_a_link_of_the_archive_is_not_written_through(tmp_path: Path) -> None:
    """Goal: two members together lead outside no more than one does."""
    (tmp_path / "root").mkdir()
    (tmp_path / "root/link").symlink_to(tmp_path)
    with pytest.raises(ValueError, match="link/file"):
        archives.unpack(archive_of(("link/file", tarfile.REGTYPE, b"x")), tmp_path / "root")
    assert not (tmp_path / "file").exists()
