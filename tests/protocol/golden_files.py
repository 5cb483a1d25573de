"""The part of the vectors of Apache Kafka 4.3.1 that the tests carry: the messages that we have."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from barnabas.protocol.messages.index import MODULES

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(MODULES)


def golden_file(name: str) -> Path:
    """The vectors of one message."""
    return GOLDEN / f"{name}.jsonl.gz"


@cache
def vectors(name: str) -> list[dict[str, Any]]:
    """The vectors of one message, parsed."""
    with gzip.open(golden_file(name), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]
