"""The subject of a certificate as text: RFC 2253, as Java writes it (TLS-14).

The last part comes first: what OpenSSL shows as `/C=DE/O=Org/CN=alice` is `CN=alice,O=Org,C=DE`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

_SEQUENCE: Final = 0x30
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
    0x13: "ascii",
    0x14: "latin-1",
    0x16: "ascii",
    0x1B: "utf-8",
    0x1E: "utf-16-be",
}
"""Tags of the types of strings that Java writes as text; values of others stay bytes."""

_ESCAPED: Final = ',=+<>#;"\\'
"""More than RFC 2253 asks for, as in Java: with `=` as it is, a part of a name that its owner may
choose would read as another part to rules that look for `CN=`."""

_EDGES: Final = " \r"
"""Escaped wherever they are before the first other character, or behind the last."""


class CertificateError(ValueError):
    """These bytes are no certificate, or one that is nobody's."""


class _Element(NamedTuple):
    """Tag, content, and both with their length, as they were."""

    tag: int
    content: bytes
    whole: bytes


def subject_of(certificate: bytes) -> str:
    """The subject of a certificate in DER. Raises CertificateError."""
    try:
        parts = list(_elements(_one(_one(certificate).content).content))
        at = _BEFORE_SUBJECT + (parts[0].tag == _VERSION)
        names = [_relative(each) for each in _elements(parts[at].content)]
    except (IndexError, UnicodeDecodeError, StopIteration) as error:
        raise CertificateError(f"no certificate: {error!r}") from None
    return ",".join(reversed(names))


def _relative(name: _Element) -> str:
    """A relative name: one attribute, or several that are joined."""
    if name.tag != _SET:
        raise CertificateError("a name that is no set")
    return "+".join(_attribute(each) for each in _elements(name.content))


def _attribute(attribute: _Element) -> str:
    kind, value = list(_elements(attribute.content))[:2]
    if kind.tag != _OBJECT_ID:
        raise CertificateError("an attribute without a type")
    number = _object_id(kind.content)
    keyword, encoding = _KEYWORDS.get(number), _ENCODINGS.get(value.tag)
    if keyword is None or encoding is None:
        return f"{keyword or number}=#{value.whole.hex()}"
    return f"{keyword}={_escaped(value.content.decode(encoding))}"


def _escaped(text: str) -> str:
    begin, end = len(text) - len(text.lstrip(_EDGES)), len(text.rstrip(_EDGES))
    shown = "".join(
        "\\" + each if each in _ESCAPED or not begin <= at < end else each
        for at, each in enumerate(text)
    )
    return shown.replace("\0", "\\00")


def _one(data: bytes) -> _Element:
    """The sequence that stands here. Raises CertificateError, StopIteration."""
    found = next(_elements(data))
    if found.tag != _SEQUENCE:
        raise CertificateError("no sequence where one must be")
    return found


def _elements(data: bytes) -> Iterator[_Element]:
    """What stands in this content, one after the other. Raises CertificateError, IndexError."""
    at = 0
    while at < len(data):
        tag, size, begin = data[at], data[at + 1], at + 2
        if size & 0x80:
            count = size & 0x7F
            size = int.from_bytes(data[begin : begin + count], "big")
            begin += count
        if begin + size > len(data):
            raise CertificateError("an element that is cut off")
        yield _Element(tag, data[begin : begin + size], data[at : begin + size])
        at = begin + size


def _object_id(content: bytes) -> str:
    """The numbers of an object identifier, with dots."""
    numbers: list[int] = []
    value = 0
    for byte in content:
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(value)
            value = 0
    first = min(numbers[0] // 40, 2)
    return ".".join(map(str, (first, numbers[0] - 40 * first, *numbers[1:])))
