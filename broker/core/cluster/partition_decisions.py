"""The decisions about partitions that are there, by their commands; no start needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from . import partition_commands as commands
from .alter_partition import decide_alter_partition
from .directories import decide_assign_replicas_to_dirs
from .elections import (
    decide_balance_leaders,
    decide_elect_leaders,
    decide_elect_unclean_leaders,
)
from .reassignments import decide_alter_reassignments, decide_list_reassignments

if TYPE_CHECKING:
    from .controller import Decide

DECIDE: Final[dict[type, Decide]] = {
    commands.AlterPartition: decide_alter_partition,
    commands.ElectLeaders: decide_elect_leaders,
    commands.BalanceLeaders: decide_balance_leaders,
    commands.ElectUncleanLeaders: decide_elect_unclean_leaders,
    commands.AlterPartitionReassignments: decide_alter_reassignments,
    commands.ListPartitionReassignments: decide_list_reassignments,
    commands.AssignReplicasToDirs: decide_assign_replicas_to_dirs,
}
"""Class of a command -> what decides it."""
