"""How a login goes wrong."""

from __future__ import annotations


class SaslError(Exception):
    """A login cannot succeed. The text names no secret and nothing that the peer made up."""
