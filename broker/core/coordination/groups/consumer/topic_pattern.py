"""Regular expressions over topic names, in RE2's syntax and with its engine (848-22).

RE2 takes time in proportion to the text, whatever the pattern, and no more memory than it is told.
It refuses back references and look-around, as Kafka's brokers do.
"""

from __future__ import annotations

from typing import Final

import re2

from barnabas.protocol.errors import ErrorCode, KafkaError

LENGTH_MAX: Final = 16 * 1024
"""Characters of a pattern."""

MEMORY_MAX: Final = 1024 * 1024
"""Bytes that one pattern may take, compiled and while it is used."""


PROGRAM_MAX: Final = 10_000
"""Instructions of a compiled pattern; what a name costs at most grows with their number. A list of
five hundred names of topics has fewer."""


class TopicPattern:
    """A compiled pattern, which must match whole names."""

    __slots__ = ("_matcher",)

    def __init__(self, pattern: str) -> None:
        """Raises KafkaError INVALID_REGULAR_EXPRESSION (128) with what is wrong."""
        if len(pattern) > LENGTH_MAX:
            raise _invalid(f"it has {len(pattern)} characters, and {LENGTH_MAX} are allowed")
        options = re2.Options()
        options.log_errors = False
        options.never_capture = True
        options.max_mem = MEMORY_MAX
        try:
            self._matcher = re2.compile(pattern, options)
        except (re2.error, UnicodeError) as error:
            raise _invalid(_words(error)) from None
        finally:
            # The library remembers 128 patterns; nobody asks for the same one often.
            re2.purge()
        size = self._matcher.programsize
        if size > PROGRAM_MAX:
            raise _invalid(f"it takes {size} steps when compiled, and {PROGRAM_MAX} are allowed")

    def matches(self, name: str) -> bool:
        """Whether the pattern matches the whole of a topic's name."""
        return self._matcher.fullmatch(name) is not None


def _invalid(reason: str) -> KafkaError:
    return KafkaError(
        ErrorCode.INVALID_REGULAR_EXPRESSION,
        f"SubscribedTopicRegex is not a valid regular expression: {reason}.",
    )


def _words(error: Exception) -> str:
    words = error.args[0] if error.args else error
    return words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
