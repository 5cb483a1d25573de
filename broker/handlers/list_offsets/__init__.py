"""ListOffsets: the offset of a time, of the log's two ends, or of the newest record."""

from .handler import HANDLER

__all__ = ["HANDLER"]
