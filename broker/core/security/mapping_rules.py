"""From the subject of a certificate to the name of a user: `ssl.principal.mapping.rules` (TLS-15).

A rule is `DEFAULT`, which takes the subject as it is, or `RULE:pattern/replacement/[LU]`; rules are
separated by commas. The first whose pattern matches the whole subject gives the name.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Final

_RULE: Final = re.compile(
    r"\s*(?:(DEFAULT)|RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?))\s*(?:,|$)"
)
_REFERENCE: Final = re.compile(r"\$([0-9]+)|\$\{([A-Za-z][A-Za-z0-9]*)\}|\\(.)|(\$)")
"""A group by number or name, a character as it is, and a `$` that is none of these."""


class MappingRuleError(ValueError):
    """These are no rules; the text says where."""


class _Rule:
    """One rule with a pattern."""

    def __init__(self, pattern: str, replacement: str, case: str) -> None:
        self._pattern = _compiled(pattern)
        for reference in _REFERENCE.finditer(replacement):
            name = reference[2]
            if reference[4] or (name and name not in self._pattern.groupindex):
                raise MappingRuleError(
                    f"{replacement!r}: {reference[0]!r} is no group; a plain $ is \\$"
                )
        self._replacement = replacement
        self._case: Callable[[str], str] = {"L": str.lower, "U": str.upper}.get(case, str)

    def name_of(self, subject: str) -> str | None:
        """The name; None if the pattern does not match all of the subject."""
        if self._pattern.fullmatch(subject) is None:
            return None
        return self._case(self._pattern.sub(self._expanded, subject))

    def _expanded(self, found: re.Match[str]) -> str:
        """The replacement, with the groups in the place of `$1`, …"""
        groups = self._pattern.groups

        def group(reference: re.Match[str]) -> str:
            if reference[2] is not None:
                return found[reference[2]] or ""
            if reference[3] is not None:
                return reference[3]
            digits = reference[1]
            for size in range(len(digits), 0, -1):  # `$12` with three groups is `$1` and a 2
                if int(digits[:size]) <= groups:
                    return (found[int(digits[:size])] or "") + digits[size:]
            return reference[0]

        return _REFERENCE.sub(group, self._replacement)


def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, as Java means it. Raises MappingRuleError if Python would mean something else.

    Java's `\\w`, `\\d`, `\\s` and `(?i)` are about ASCII alone.
    """
    try:
        with warnings.catch_warnings():
            # Sets within sets, as in [a-z&&[^b]]: Java knows them, and Python warns of them.
            warnings.simplefilter("error", FutureWarning)
            # What Java writes (?<name>…), Python writes (?P<name>…).
            return re.compile(re.sub(r"\(\?<(?=[A-Za-z])", "(?P<", pattern), re.ASCII)
    except (re.error, FutureWarning) as error:
        raise MappingRuleError(f"{pattern!r} is no pattern that is known here: {error}") from None


class MappingRules:
    """All rules of a listener."""

    def __init__(self, text: str) -> None:
        """Raises MappingRuleError."""
        self._rules: list[_Rule | None] = []
        text = text.strip() or "DEFAULT"
        at = 0
        while at < len(text):
            found = _RULE.match(text, at)
            if found is None:
                raise MappingRuleError(f"{text[at:]!r} is neither DEFAULT nor RULE:…/…/[LU]")
            self._rules.append(None if found[1] else _Rule(found[2], found[3], found[4]))
            at = found.end()

    def name_of(self, subject: str) -> str | None:
        """The user's name; None if no rule matches: then the connection is closed (TLS-15c)."""
        for rule in self._rules:
            name = subject if rule is None else rule.name_of(subject)
            if name is not None:
                return name
        return None
