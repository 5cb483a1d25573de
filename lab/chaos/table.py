"""The table of faults: all its rows."""

from __future__ import annotations

from .bounces import BOUNCES
from .cuts import CUTS
from .damage import DAMAGE
from .deaths import DEATHS
from .disks import DISKS
from .fault_points import FAULT_POINTS
from .killed_clients import CLIENT_DEATHS
from .pauses import PAUSES
from .pressure import PRESSURE
from .rows import Row
from .silences import SILENCES
from .soak import SOAK
from .transaction_steps import TRANSACTION_STEPS
from .transactional import TRANSACTIONAL
from .versions import VERSIONS


def all_rows() -> dict[str, Row]:
    """Every row by its id, those that find most first."""
    faults = (DEATHS, PAUSES, BOUNCES, DAMAGE, CUTS, PRESSURE, DISKS, FAULT_POINTS)
    clients = (CLIENT_DEATHS, TRANSACTIONAL, TRANSACTION_STEPS)
    kinds = (*faults, SILENCES, *clients, VERSIONS, SOAK)
    return {row.id: row for rows in kinds for row in rows}
