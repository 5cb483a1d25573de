"""What a certificate says, as far as another one in its place must say the same (TLS-19)."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final, NamedTuple

from .der import CertificateError, Element, elements, object_id, one
from .distinguished_name import subject_of

_VERSION: Final = 0xA0
_EXTENSIONS: Final = 0xA3
_VALIDITY: Final = 3  # after serial number, algorithm and issuer
_UTC_TIME: Final = 0x17
_ALTERNATIVE_NAMES: Final = "2.5.29.17"
_DNS_NAME: Final = 0x82
_IP_ADDRESS: Final = 0x87
_TURN_OF_CENTURY: Final = 50
"""Years of two digits below it are of this century."""


class CertificateFacts(NamedTuple):
    """One certificate; times are `YYYYMMDDhhmmss`, in UTC."""

    subject: str
    names: frozenset[str]
    """The hosts that it is for, as text; what is neither name nor address as tag and bytes."""

    not_before: str
    not_after: str


def facts_of(certificate: bytes) -> CertificateFacts:
    """Of a certificate in DER. Raises CertificateError."""
    try:
        parts = list(elements(one(one(certificate).content).content))
        validity = parts[_VALIDITY + (parts[0].tag == _VERSION)]
        begins, ends = list(elements(validity.content))[:2]
        names = [
            _name(name)
            for part in parts
            if part.tag == _EXTENSIONS
            for extension in elements(one(part.content).content)
            for name in _alternative_names(extension)
        ]
        return CertificateFacts(
            subject_of(certificate), frozenset(names), _time(begins), _time(ends)
        )
    except (IndexError, UnicodeDecodeError, StopIteration, ValueError) as error:
        raise CertificateError(f"no certificate: {error!r}") from None


def _alternative_names(extension: Element) -> list[Element]:
    kind, *_, value = elements(extension.content)
    if object_id(kind.content) != _ALTERNATIVE_NAMES:
        return []
    return list(elements(one(value.content).content))


def _name(name: Element) -> str:
    if name.tag == _DNS_NAME:
        return name.content.decode("ascii").lower()
    if name.tag == _IP_ADDRESS:
        return str(ip_address(name.content))
    return name.whole.hex()


def _time(element: Element) -> str:
    text = element.content.decode("ascii").removesuffix("Z")
    if element.tag != _UTC_TIME:
        return text
    return ("20" if int(text[:2]) < _TURN_OF_CENTURY else "19") + text


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
