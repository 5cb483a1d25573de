"""Planted bugs of groups that only a single promise can detect: by what members are told and
get."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from barnabas.broker.core.coordination.groups.classic import syncing
from barnabas.broker.core.coordination.groups.offsets.offset_table import OffsetTable
from barnabas.client.consuming.places import Places
from barnabas.client.groups.classic_member import ClassicMember

from .mutant import CALM, Mutant, wrapping

Method = Callable[..., Any]
GROUPS = CALM.replaced(group_members=2)


def _every_fifth_lost(original: Method) -> Method:
    """Of the offset commits that are answered, one in five is not kept."""
    numbers = count(1)

    def commit(table: Any, group_id: str, partition: Any, committed: Any) -> None:
        if next(numbers) % 5:
            original(table, group_id, partition, committed)

    return commit


def _of_the_leader(original: Method) -> Method:
    def assigned(group: Any, member: Any) -> Any:
        return original(group, group.roster.get(group.leader_id) or member)

    return assigned


def _one_further(original: Method) -> Method:
    def handed_out(places: Any) -> Any:
        found = original(places)
        return {where: one._replace(offset=one.offset + 1) for where, one in found.items()}

    return handed_out


def _one_left_out(original: Method) -> Method:
    def assign(member: Any, members: Any, partitions: Any) -> Any:
        found = original(member, members, partitions)
        longest = max(found, key=lambda one: len(found[one]))
        return {**found, longest: found[longest][:-1]}

    return assign


MUTANTS = (
    Mutant(
        "commits-lost",
        "the coordinator does not keep each fifth offset that it answers",
        ("I-26",),
        wrapping(OffsetTable, "commit", _every_fifth_lost),
        GROUPS,
    ),
    Mutant(
        "all-read-everything",
        "every member of a generation is told what its leader shall read",
        ("I-31",),
        wrapping(syncing, "_assigned", _of_the_leader),
        GROUPS,
    ),
    Mutant(
        "commits-one-further",
        "the consumer commits one record more than it has handed out",
        ("I-32",),
        wrapping(Places, "handed_out", _one_further),
        GROUPS,
    ),
    Mutant(
        "partition-left-out",
        "the member that assigns leaves one partition out",
        ("L-8",),
        wrapping(ClassicMember, "assign", _one_left_out),
        GROUPS,
    ),
)
