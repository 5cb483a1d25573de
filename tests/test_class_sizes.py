"""The sizes of classes and how high they stand on each other, checked."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from kit.source_files import FOLDERS, ROOT, name_of, parsed, python_files

LINES_PER_CLASS_MAX = 300
METHODS_PER_CLASS_MAX = 30
LEVELS_OF_CLASSES_MAX = 2

LARGE_CLASSES = {
    "broker/core/cluster/image.py:ClusterImage": "one short method for each kind of record",
    "broker/core/config/broker.py:BrokerConfig": "settings by subject, one level for each",
    "broker/core/log/log_directory.py:LogDirectory": "everything that a directory is asked for",
    "broker/core/log/partition_log.py:PartitionLog": "the door to the parts of a log",
    "broker/core/log/segment.py:Segment": "a file of records with its indexes",
    "broker/core/raft/raft.py:Raft": "the door: each method hands over to the core, most in a line",
    "broker/core/replication/partition.py:Partition": "the door to log, waiters and roles",
    "broker/node.py:Node": "starts and stops all parts in their order",
    "broker/server/quorum/driver.py:Driver": "does what the consensus core asks for, and no more",
    "broker/server/quorum/quorum.py:Quorum": "the door to the metadata log",
    "client/wire/cluster.py:Cluster": "the client's picture of a cluster, asked by all its parts",
    "client/consuming/consumer.py:Consumer": "the client's interface for consumers",
    "client/producing/sender.py:Sender": "one task that owns every batch from queue to answer",
    "testing/simulation/loop.py:SimulatedLoop": "stands for asyncio's whole loop",
    "testing/simulation/raft/machine.py:Machine": "a node of the consensus simulator in one piece",
    "testing/simulation/raft/memory_log.py:MemoryRaftLog": "stands for the whole log interface",
    "testing/simulation/transport.py:SimulatedTransport": "stands for asyncio's whole transport",
}
"""Classes beyond the limits, by file, and why. None may be added; one that fits is taken out."""


@dataclass
class OwnClass:
    """A class of ours, as its text has it."""

    lines: int
    methods: int
    bases: list[str]
    is_protocol: bool


def own_classes() -> dict[str, OwnClass]:
    """All classes of the product by `file:name`; bases are named in the same way."""
    classes = {}
    for path in python_files(*(folder for folder in FOLDERS if folder != "tests")):
        tree = parsed(path.read_text())
        sources = {
            alias.asname or alias.name: _file_of(path, node)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                assert node.end_lineno is not None
                bases = [ast.unparse(base).split("[")[0] for base in node.bases]
                classes[f"{name_of(path)}:{node.name}"] = OwnClass(
                    node.end_lineno - node.lineno + 1,
                    sum(
                        isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) for one in node.body
                    ),
                    [f"{sources.get(base, name_of(path))}:{base}" for base in bases],
                    "Protocol" in bases,
                )
    return classes


def _file_of(path: Path, node: ast.ImportFrom) -> str:
    """The file of our own from which something is imported."""
    module = node.module or ""
    if node.level:
        folder = path.parents[node.level - 1]
    else:
        folder, module = ROOT, module.removeprefix("barnabas.")
    return name_of(folder / f"{module.replace('.', '/')}.py")


def levels(classes: dict[str, OwnClass], name: str) -> int:
    """How many classes of ours stand above each other here.

    Protocols are nothing to stand on. Errors do not count: who catches them wants kinds of kinds.
    """
    found = classes.get(name)
    if found is None or found.is_protocol or name.endswith("Error"):
        return 0
    return 1 + max((levels(classes, base) for base in found.bases), default=0)


def test_classes_are_small() -> None:
    """Goal: a class has one subject, and its fields and rules are found in one place or two."""
    classes = own_classes()
    large = {}
    for name, found in classes.items():
        height = levels(classes, name)
        if (
            found.lines > LINES_PER_CLASS_MAX
            or found.methods > METHODS_PER_CLASS_MAX
            or height > LEVELS_OF_CLASSES_MAX
        ):
            large[name] = f"{found.lines} lines, {found.methods} methods, {height} levels"
    added = {name: sizes for name, sizes in large.items() if name not in LARGE_CLASSES}
    assert not added, "classes that are too large, or stand too high"
    stale = LARGE_CLASSES.keys() - large.keys()
    assert not stale, "these are small now: take them out of the list"
