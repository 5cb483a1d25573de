"""Clusters in one process, fixtures and simulation, for users' tests and ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .background_cluster import BackgroundCluster
    from .cluster import CLIENTS, Cluster, ClusterError, LayoutError

__all__ = ["CLIENTS", "BackgroundCluster", "Cluster", "ClusterError", "LayoutError"]


def __getattr__(name: str) -> Any:
    """A name is imported when it is first used, since `barnabas cluster` needs no node in its
    process."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = "background_cluster" if name == "BackgroundCluster" else "cluster"
    return getattr(import_module(f"{__name__}.{module}"), name)
