"""Passwords from files."""

from __future__ import annotations

from pathlib import Path

from barnabas.cli.passwords import password_of


def test_a_mark_is_no_part_of_a_password(tmp_path: Path) -> None:
    """Goal: whoever types the password later does not type the mark of Windows' editors."""
    file = tmp_path / "password"
    file.write_bytes("sécret\r\n".encode("utf-8-sig"))
    assert password_of(str(file), "bob") == "sécret"
