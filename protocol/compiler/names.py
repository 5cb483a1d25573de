"""Names of the grammar (`TopicId`) as names in Python (`topic_id`) and in JSON (`topicId`)."""

from __future__ import annotations

import keyword
import re
from typing import Final

_WORD_END: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake_case(name: str) -> str:
    """`IsrNodes` -> `isr_nodes`, `ISR` -> `isr`; a Python keyword gets an underscore."""
    snake = _WORD_END.sub("_", name).lower()
    return snake + "_" if keyword.iskeyword(snake) else snake


def json_case(name: str) -> str:
    """`TopicId` -> `topicId`, as Kafka's JSON converters write it."""
    return name[:1].lower() + name[1:]
