"""Fine planted bugs: one condition each, by the rules that they break."""

from __future__ import annotations

from ..planting import FineMutant
from . import first_ten

FINE: tuple[FineMutant, ...] = (*first_ten.MUTANTS,)
