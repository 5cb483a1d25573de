"""Frames made by hand."""

from __future__ import annotations


def framed(content: bytes) -> bytes:
    """A frame as it goes over a connection: its length, then its content."""
    return len(content).to_bytes(4, "big") + content
