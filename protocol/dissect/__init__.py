"""Explains bytes: a frame, a file of a log directory, as rows of offset, hex, field, value.

Pure: bytes in, rows out. Damaged bytes give the rows up to the damage, then a row that says what
is wrong and where.
"""

from __future__ import annotations

from .contents import kind_of_contents
from .kinds import KINDS, Request, dissect, kind_of
from .rows import Row

__all__ = ["KINDS", "Request", "Row", "dissect", "kind_of", "kind_of_contents"]
