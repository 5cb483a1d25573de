"""Settings of what a node tells about itself."""

from __future__ import annotations

from dataclasses import dataclass

from .field import Settings, setting


@dataclass(frozen=True, init=False, repr=False, eq=False)
class ObservingSettings(Settings):
    """The node's own log, and whether it is ready."""

    logging_format: str = setting(
        "console", choices=("console", "json"), doc="Form of the node's log on standard error."
    )
    logging_level: str = setting(
        "info",
        choices=("debug", "info", "warning", "error"),
        doc="Least important lines that are written to the node's log.",
    )
    ready_file: str | None = setting(
        None,
        doc="File that is touched each second while this node is ready, and else removed: what a "
        "health check looks at (docs/containers.md). None if not set.",
    )
