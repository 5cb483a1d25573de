"""From the subject of a certificate to the name of a user: `ssl.principal.mapping.rules` (TLS-15).

A rule is `DEFAULT`, which takes the subject as it is, or `RULE:pattern/replacement/[LU]`; rules are
separated by commas. The first whose pattern matches the whole subject gives the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_RULE: Final = re.compile(
    r"\s*(?:(DEFAULT)|RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?))\s*(?:,|$)"
)
_REFERENCE: Final = re.compile(r"\$(\d+)|\\(.)")


class MappingRuleError(ValueError):
    """These are no rules; the text says where."""


class _Rule:
    """One rule with a pattern."""

    def __init__(self, pattern: str, replacement: str, case: str) -> None:
        try:
            # What Java writes (?<name>…), Python writes (?P<name>…).
            self._pattern = re.compile(re.sub(r"\(\?<(?=[A-Za-z])", "(?P<", pattern))
        except re.error as error:
            raise MappingRuleError(f"{pattern!r} is no pattern: {error}") from None
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
                return reference[2]
            digits = reference[1]
            for size in range(len(digits), 0, -1):  # `$12` with three groups is `$1` and a 2
                if int(digits[:size]) <= groups:
                    return (found[int(digits[:size])] or "") + digits[size:]
            return reference[0]

        return _REFERENCE.sub(group, self._replacement)


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
