"""All decisions that are compared with their rules."""

from __future__ import annotations

from . import logs, quorum, replication
from .comparing import Rule

RULES: tuple[Rule, ...] = (*logs.RULES, *replication.RULES, *quorum.RULES)
