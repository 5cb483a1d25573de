"""The first users of a new cluster, who can log in before anybody could make users (KIP-900).

`SCRAM-SHA-256=[name=alice,password=secret,iterations=8192]`, as `kafka-storage format --add-scram`
takes it; several follow each other. What is stored is never shown (SASL-33).
"""

from __future__ import annotations

import base64
import binascii
import re
import secrets
from typing import Final

from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord
from barnabas.protocol.sasl.scram import (
    BY_NAME,
    ITERATIONS_MAX,
    ITERATIONS_MIN,
    keys_of,
    salted_password,
)

from ..core.config.field import ConfigError

SETTING: Final = "metadata.bootstrap.scram"
_SALT_BYTES: Final = 16
_ENTRY: Final = re.compile(r"\s*(SCRAM-[A-Z0-9-]+)=\[((?:\"(?:\\.|[^\"\\])*\"|[^\]\"])*)\]\s*,?")
_PART: Final = re.compile(r"\s*([a-z]+)=(?:\"((?:\\.|[^\"\\])*)\"|([^,]*))\s*(?:,|$)")
_PARTS: Final = ("name", "password", "saltedpassword", "salt", "iterations")


def first_users(text: str) -> list[UserScramCredentialRecord]:
    """The records for these users. Raises ConfigError, which repeats nothing of the text."""
    found: list[UserScramCredentialRecord] = []
    at = 0
    while at < len(text.rstrip()):
        entry = _ENTRY.match(text, at)
        if entry is None or entry[1] not in BY_NAME:
            raise _wrong(f"must be SCRAM-SHA-256=[…] or SCRAM-SHA-512=[…], at character {at + 1}")
        found.append(_user(entry[1], _parts(entry[2])))
        at = entry.end()
    return found


def _user(mechanism: str, parts: dict[str, str]) -> UserScramCredentialRecord:
    kind = BY_NAME[mechanism]
    name = parts.get("name", "")
    if not name:
        raise _wrong("must name each user: name=…")
    if ("password" in parts) == ("saltedpassword" in parts):
        raise _wrong(f"must have either password or saltedpassword for {name}")
    iterations = parts.get("iterations", str(ITERATIONS_MIN))
    if not (iterations.isascii() and iterations.isdecimal()):
        raise _wrong(f"must have a number of iterations for {name}")
    count = int(iterations)
    if not ITERATIONS_MIN <= count <= ITERATIONS_MAX:
        raise _wrong(f"must have {ITERATIONS_MIN} to {ITERATIONS_MAX} iterations for {name}")
    salt = _bytes(parts["salt"]) if "salt" in parts else secrets.token_bytes(_SALT_BYTES)
    if "saltedpassword" in parts:
        if "salt" not in parts:
            raise _wrong(f"must have the salt that made the saltedpassword of {name}")
        salted = _bytes(parts["saltedpassword"])
    else:
        salted = salted_password(kind, parts["password"], salt, count)
    stored_key, server_key = keys_of(kind, salted)
    return UserScramCredentialRecord(
        name=name,
        mechanism=kind.number,
        salt=salt,
        stored_key=stored_key,
        server_key=server_key,
        iterations=count,
    )


def _parts(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None or part[1] not in _PARTS or part[1] in found:
            raise _wrong(f"must have {', '.join(_PARTS)} as name=value, each once")
        found[part[1]] = part[3] if part[2] is None else re.sub(r"\\(.)", r"\1", part[2])
        at = part.end()
    return found


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise _wrong("must have salt and saltedpassword in base64") from None


def _wrong(allowed: str) -> ConfigError:
    return ConfigError(SETTING, None, allowed)
