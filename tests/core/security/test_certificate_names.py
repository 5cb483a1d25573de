"""Subjects of certificates as text, and rules that make users of them."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from barnabas.broker.core.security.distinguished_name import CertificateError, subject_of
from barnabas.broker.core.security.mapping_rules import MappingRuleError, MappingRules

TLS = Path(__file__).resolve().parents[2] / "data" / "tls"


def certificate(name: str) -> bytes:
    text = (TLS / f"{name}.pem").read_text()
    begin = text.index("-----BEGIN CERTIFICATE")
    end = text.index("-----END CERTIFICATE-----") + len("-----END CERTIFICATE-----")
    return ssl.PEM_cert_to_DER_cert(text[begin:end])


def element(tag: int, *content: bytes) -> bytes:
    joined = b"".join(content)
    assert len(joined) < 128 or len(joined) < 65536
    size = bytes([len(joined)]) if len(joined) < 128 else b"\x82" + len(joined).to_bytes(2, "big")
    return bytes([tag]) + size + joined


def attribute(number: bytes, tag: int, value: bytes) -> bytes:
    return element(0x30, element(0x06, number), element(tag, value))


def made(*sets: bytes) -> bytes:
    """A certificate as far as anybody looks: what stands before the subject is empty."""
    subject = element(0x30, *(element(0x31, one) for one in sets))
    parts = [element(0x02, b"\x01")] + [element(0x30)] * 3 + [subject]
    return element(0x30, element(0x30, *parts))


CN, OU, EMAIL = b"\x55\x04\x03", b"\x55\x04\x0b", bytes.fromhex("2a864886f70d010901")


def test_the_last_part_comes_first() -> None:
    """TLS-14: what OpenSSL shows as /C=DE/O=Org/OU=Eng/CN=alice."""
    assert subject_of(certificate("alice")) == "CN=alice,OU=Eng,O=Org,C=DE"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (b"a,b", "a\\,b"),
        (b'"+<>;\\', '\\"\\+\\<\\>\\;\\\\'),
        (b"#a", "\\#a"),
        (b"a#b=c", "a\\#b\\=c"),
        (b" a ", "\\ a\\ "),
        (b"  a b  ", "\\ \\ a b\\ \\ "),
        (b"   ", "\\ \\ \\ "),
        (b"\ra\rb", "\\\ra\rb"),
        (b"a\0b", "a\\00b"),
        ("j\u00f6".encode(), "j\u00f6"),
    ],
)
def test_special_characters_are_escaped(value: bytes, shown: str) -> None:
    """TLS-14: nobody can make a subject that reads as another."""
    assert subject_of(made(attribute(CN, 0x0C, value))) == f"CN={shown}"


def test_a_part_does_not_read_as_another() -> None:
    """TLS-14, TLS-15: a unit that is called `CN=admin` gives nobody the name of the admin."""
    subject = subject_of(made(attribute(CN, 0x0C, b"mallory"), attribute(OU, 0x0C, b"CN=admin")))
    assert subject == "OU=CN\\=admin,CN=mallory"
    assert MappingRules("RULE:^.*?CN=([^,]*).*$/$1/").name_of(subject) == "mallory"


@pytest.mark.parametrize(("tag", "shown"), [(0x12, "#12023132"), (0x1C, "#1c023132")])
def test_strings_that_java_does_not_read(tag: int, shown: str) -> None:
    """TLS-14: bytes, under the type's own name."""
    assert subject_of(made(attribute(CN, tag, b"12"))) == f"CN={shown}"


def test_types_without_a_name_are_numbers_and_bytes() -> None:
    """TLS-14: an address of mail is one of them, as in Java."""
    found = subject_of(made(attribute(CN, 0x0C, b"a"), attribute(EMAIL, 0x16, b"a@b")))
    assert found == "1.2.840.113549.1.9.1=#1603614062,CN=a"


def test_parts_of_one_set_are_joined() -> None:
    """TLS-14: by a plus sign, in their order."""
    both = attribute(CN, 0x13, b"a") + attribute(OU, 0x13, b"b")
    assert subject_of(made(both)) == "CN=a+OU=b"


@pytest.mark.parametrize("cut", [0, 1, 5, 40, 100, 200])
def test_no_certificate_is_an_error(cut: int) -> None:
    """TLS-14: bytes that are cut off are no certificate, and no other exception."""
    with pytest.raises(CertificateError):
        subject_of(certificate("alice")[:cut])


@pytest.mark.parametrize(
    ("rules", "subject", "name"),
    [
        ("DEFAULT", "CN=a", "CN=a"),
        ("", "CN=a", "CN=a"),
        ("RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/", "CN=svc,OU=ServiceUsers,O=x", "svc"),
        (
            "RULE:^.*[Cc][Nn]=([a-zA-Z0-9.]*).*$/$1/L, DEFAULT",
            "OU=a,CN=Bob.X,C=d",
            "bob.x",
        ),
        ("RULE:^cn=(.*?),ou=(.*?),dc=(.*?),dc=(.*?)$/$1@$2/U", "cn=a,ou=b,dc=c,dc=d", "A@B"),
        ("RULE:^CN=(.*)$/$1/,DEFAULT", "O=x,CN=a", "O=x,CN=a"),
        ("RULE:CN=/x/,DEFAULT", "CN=a", "CN=a"),  # TLS-15a: not the whole subject
        ("RULE:^(a)(b)(c)$/$12-$9/", "abc", "a2-$9"),
        (r"RULE:^a\/b$/c\/d/", "a/b", "c/d"),
        (r"RULE:^(?<n>.*)$/$1/U", "ab", "AB"),
        (r"RULE:^CN=(?<n>[^,]*),O=(?<o>x)?.*$/${n}@${o}/", "CN=a,O=y", "a@"),
        (r"RULE:^CN=(.*)$/\$1/", "CN=a", "$1"),
        (r"RULE:^CN=(\w+)$/$1/,DEFAULT", "CN=\u00e4", "CN=\u00e4"),
        (r"RULE:^CN=(\d+)$/$1/,DEFAULT", "CN=\u0663", "CN=\u0663"),
        (r"RULE:^CN=(?i:(super))$/$1/,DEFAULT", "CN=\u017fuper", "CN=\u017fuper"),
    ],
)
def test_the_first_rule_that_matches_names_the_user(rules: str, subject: str, name: str) -> None:
    """TLS-15, TLS-15a: groups, escapes, and case."""
    assert MappingRules(rules).name_of(subject) == name


@pytest.mark.parametrize(
    "text",
    [
        "RULE:^CN=([a-z&&[^b]]+)$/$1/",
        "RULE:^[[a-z]_]+$/x/",
        "RULE:a/$/",
        "RULE:a/$x/",
        "RULE:a/${n}/",
    ],
)
def test_what_java_means_otherwise_is_refused(text: str) -> None:
    """TLS-15, TLS-15d: sets within sets, and a `$` that Java fails at with every client."""
    with pytest.raises(MappingRuleError):
        MappingRules(text)


def test_without_a_rule_that_matches_there_is_no_name() -> None:
    """TLS-15c: and no ANONYMOUS instead."""
    assert MappingRules("RULE:^CN=(.*)$/$1/").name_of("O=x,CN=a") is None


@pytest.mark.parametrize("text", ["RULE:a", "RULE:a/b", "RULE:a/b/X", "RULE:(/b/", "default", "a"])
def test_what_is_no_rule_is_refused(text: str) -> None:
    """TLS-15: at the start, not with the first client."""
    with pytest.raises(MappingRuleError):
        MappingRules(text)
