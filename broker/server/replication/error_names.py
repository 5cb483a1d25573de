"""Error codes for the log."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode


def name_of(error_code: int) -> str:
    """An error code by its name, an unknown one by its number."""
    try:
        return ErrorCode(error_code).name
    except ValueError:
        return f"error code {error_code}"
