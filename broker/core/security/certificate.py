"""When a certificate may take the place of another one (TLS-19)."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class CertificateFacts(NamedTuple):
    """What one certificate says, as far as another one in its place must say the same."""

    subject: str
    names: frozenset[str]
    """The hosts that it is for, and what else stands among them, as text."""

    not_before: datetime
    not_after: datetime


def why_not_in_its_place(
    old: CertificateFacts,
    new: CertificateFacts,
    *,
    allows_other_subject: bool,
    allows_other_names: bool,
) -> str | None:
    """Why the new certificate cannot take the place of the old one; None if it can."""
    if old.subject.lower() != new.subject.lower() and not allows_other_subject:
        return (
            f"the new certificate is {new.subject}'s, not {old.subject}'s"
            " (ssl.allow.dn.changes is false)"
        )
    missing = sorted(old.names - new.names)
    if missing and not allows_other_names:
        return (
            f"the new certificate is not for {', '.join(missing)} (ssl.allow.san.changes is false)"
        )
    return None
