"""The text of `sasl.jaas.config`: `<login module> required name="value" …;` (SASL-21)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(
    r'\s*(?:"((?:\\.|[^"\\])*)"|\'((?:\\.|[^\'\\])*)\'|([=;])|([^\s"\'=;]+))'
)
_FLAGS: Final = ("required", "requisite", "sufficient", "optional")
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}


class JaasError(ValueError):
    """This is no such text; the message does not repeat it, for it holds passwords (SEC-04)."""


class JaasEntry(NamedTuple):
    """One login module and its options."""

    module: str
    options: Mapping[str, str]

    @property
    def users(self) -> dict[str, str]:
        """Name -> password, of the options `user_<name>`."""
        prefix = "user_"
        return {
            name.removeprefix(prefix): value
            for name, value in self.options.items()
            if name.startswith(prefix)
        }


def parse_jaas(text: str) -> JaasEntry:
    """The one entry of this text. Raises JaasError."""
    tokens = _tokens(text.strip())
    if len(tokens) < 3 or tokens[-1] != (True, ";"):
        raise JaasError("must be `<login module> required name=value …;`, with a semicolon last")
    (_, module), (_, flag), *rest = tokens[:-1]
    if flag.lower() not in _FLAGS:
        raise JaasError(f"must have one of {', '.join(_FLAGS)} after the login module")
    if (True, ";") in rest:
        raise JaasError("must have one login module, not several")
    options: dict[str, str] = {}
    if len(rest) % 3:
        raise JaasError("must have name=value after the flag")
    for at in range(0, len(rest), 3):
        (_, name), equals, (is_sign, value) = rest[at : at + 3]
        if equals != (True, "=") or is_sign:
            raise JaasError("must have name=value after the flag")
        options[name] = value
    return JaasEntry(module, options)


def _tokens(text: str) -> list[tuple[bool, str]]:
    """Words and signs; the first says which."""
    found: list[tuple[bool, str]] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise JaasError("has a quotation mark without its partner")
        double, single, sign, word = match.groups()
        quoted = double if double is not None else single
        if quoted is not None:
            found.append((False, _ESCAPE.sub(_unescape, quoted)))
        else:
            found.append((sign is not None, sign or word))
        at = match.end()
    return found


def _unescape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[1], found[1])
