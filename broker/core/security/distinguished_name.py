"""The subject of a certificate as text: RFC 2253, as Java writes it (TLS-14).

The last part comes first: what OpenSSL shows as `/C=DE/O=Org/CN=alice` is `CN=alice,O=Org,C=DE`.
"""

from __future__ import annotations

from typing import Final

from .der import CertificateError, Element, elements, object_id, one

__all__ = ["CertificateError", "subject_of"]

_SET: Final = 0x31
_OBJECT_ID: Final = 0x06
_VERSION: Final = 0xA0
_BEFORE_SUBJECT: Final = 4  # serial number, algorithm, issuer, validity

_KEYWORDS: Final = {
    "2.5.4.3": "CN",
    "2.5.4.6": "C",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.9": "STREET",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "0.9.2342.19200300.100.1.25": "DC",
    "0.9.2342.19200300.100.1.1": "UID",
}
"""The types of attributes that have a name; all others are written as numbers and bytes."""

_ENCODINGS: Final = {
    0x0C: "utf-8",
    0x12: "ascii",
    0x13: "ascii",
    0x14: "latin-1",
    0x16: "ascii",
    0x1C: "utf-32-be",
    0x1E: "utf-16-be",
}
"""Tags of the types of strings."""

_ESCAPED: Final = ',+"\\<>;'


def subject_of(certificate: bytes) -> str:
    """The subject of a certificate in DER. Raises CertificateError."""
    try:
        parts = list(elements(one(one(certificate).content).content))
        at = _BEFORE_SUBJECT + (parts[0].tag == _VERSION)
        names = [_relative(each) for each in elements(parts[at].content)]
    except (IndexError, UnicodeDecodeError, StopIteration) as error:
        raise CertificateError(f"no certificate: {error!r}") from None
    return ",".join(reversed(names))


def _relative(name: Element) -> str:
    """A relative name: one attribute, or several that are joined."""
    if name.tag != _SET:
        raise CertificateError("a name that is no set")
    return "+".join(_attribute(each) for each in elements(name.content))


def _attribute(attribute: Element) -> str:
    kind, value = list(elements(attribute.content))[:2]
    if kind.tag != _OBJECT_ID:
        raise CertificateError("an attribute without a type")
    number = object_id(kind.content)
    keyword, encoding = _KEYWORDS.get(number), _ENCODINGS.get(value.tag)
    if keyword is None or encoding is None:
        return f"{number}=#{value.whole.hex()}"
    return f"{keyword}={_escaped(value.content.decode(encoding))}"


def _escaped(text: str) -> str:
    shown = "".join("\\" + each if each in _ESCAPED else each for each in text)
    shown = shown.replace("\0", "\\00")
    if shown.startswith(("#", " ")):
        shown = "\\" + shown
    if len(text) > 1 and text.endswith(" "):
        shown = shown[:-1] + "\\ "
    return shown
