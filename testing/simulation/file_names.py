"""Which names of files a loss of power leaves on a simulated disk.

Each change of a name since its directory was synced is kept or undone, in no certain order. But a
rename is one change, as on every file system with a journal: afterwards the file has its old name
or its new one, never both and never none.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from .inode import Inode


def names_after_power_loss(
    durable: Mapping[str, Inode], present: Mapping[str, Inode], random: Random
) -> dict[str, Inode]:
    """`durable` has the names as they were last synced, `present` as the system sees them."""
    names = dict(durable)
    changed = sorted(set(present) ^ set(durable)) + sorted(
        path for path, inode in present.items() if path in durable and durable[path] is not inode
    )
    for path in changed:
        if random.random() < 0.5:
            continue  # this change of a name had not reached the disk
        if path in present:
            names[path] = present[path]
        else:
            names.pop(path, None)
    _join_renames(durable, present, names)
    return names


def _join_renames(
    durable: Mapping[str, Inode], present: Mapping[str, Inode], names: dict[str, Inode]
) -> None:
    """Give each renamed file one name: the new one if it survived, else the old one.

    If its old name went to another file meanwhile, the rename came first, and is done too.
    """
    former = {id(inode): path for path, inode in durable.items()}
    for path, inode in present.items():
        old = former.get(id(inode), path)
        if old == path:
            continue
        is_new = names.get(path) is inode
        if names.get(old) is inode:
            if is_new:
                del names[old]
        elif not is_new:
            names[path if old in names else old] = inode
