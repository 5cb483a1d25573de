r"""Format strings for records, as kcat has them: `%k %v %h %o %T\n`.

`%v` or `%s` value, `%k` key, `%h` headers as `a=1,b=2`, `%t` topic, `%p` partition, `%o` offset,
`%T` timestamp in milliseconds, `%S` and `%K` the bytes of value and key (-1 for none), `%%` a per
cent sign; `\n`, `\t`, `\r`, `\\` and `\x41` are understood.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any, Protocol

import click


class Record(Protocol):
    """What a format needs of a record."""

    @property
    def topic(self) -> str: ...
    @property
    def partition(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def timestamp(self) -> int: ...
    @property
    def key(self) -> bytes | None: ...
    @property
    def value(self) -> bytes | None: ...
    @property
    def headers(self) -> tuple[tuple[str, bytes | None], ...]: ...


FORMAT_HELP = """\b
Letters of --format:
  %v, %s  value            %k  key              %h  headers, as a=1,b=2
  %t      topic            %p  partition        %o  offset
  %T      timestamp in ms  %S  bytes of value   %K  bytes of key (-1: none)
  %%      a per cent sign
  \\n \\t \\r \\0 \\\\ \\xHH as in C
"""

Piece = Callable[[Record], bytes]


def _size(data: bytes | None) -> bytes:
    return b"%d" % (-1 if data is None else len(data))


def _headers(record: Record) -> bytes:
    return b",".join(name.encode() + b"=" + (value or b"") for name, value in record.headers)


PIECES: dict[str, Piece] = {
    "v": lambda record: record.value or b"",
    "s": lambda record: record.value or b"",
    "k": lambda record: record.key or b"",
    "h": _headers,
    "t": lambda record: record.topic.encode(),
    "p": lambda record: b"%d" % record.partition,
    "o": lambda record: b"%d" % record.offset,
    "T": lambda record: b"%d" % record.timestamp,
    "S": lambda record: _size(record.value),
    "K": lambda record: _size(record.key),
    "%": lambda record: b"%",
}

TOKEN = re.compile(r"%(.?)|\\(x[0-9A-Fa-f]{2}|.)|([^%\\]+)|(\\)$", re.DOTALL)
ESCAPED = re.compile(r"\\(x[0-9A-Fa-f]{2}|.)|[^\\]+|\\$", re.DOTALL)
ESCAPES = {"n": b"\n", "t": b"\t", "r": b"\r", "0": b"\0", "\\": b"\\"}


def compile_format(text: str) -> Callable[[Record], bytes]:
    """A function from a record to the bytes that `text` asks for.

    Raises:
        click.BadParameter: an unknown `%` letter or `\\` escape, named.
    """
    pieces: list[bytes | Piece] = []
    for token in TOKEN.finditer(text):
        letter, escape, literal, dangling = token.groups()
        if literal is not None:
            pieces.append(literal.encode())
        elif dangling is not None:
            pieces.append(b"\\")
        elif letter is not None:
            pieces.append(_piece(letter, text))
        else:
            pieces.append(_escape(escape))

    def render(record: Record) -> bytes:
        return b"".join(p if isinstance(p, bytes) else p(record) for p in pieces)

    return render


def _piece(letter: str, text: str) -> Piece:
    if letter not in PIECES:
        known = " ".join("%" + name for name in PIECES)
        raise click.BadParameter(f"%{letter} in {text!r} is not one of {known}")
    return PIECES[letter]


def _escape(escape: str) -> bytes:
    if escape.startswith("x"):
        return bytes([int(escape[1:], 16)])
    if escape not in ESCAPES:
        raise click.BadParameter(f"\\{escape} is not one of \\n \\t \\r \\0 \\\\ \\xHH")
    return ESCAPES[escape]


def unescaped(text: str) -> bytes:
    """The bytes that a text with escapes means; a per cent sign is one.

    Raises:
        click.BadParameter: an unknown escape, named.
    """
    tokens = ESCAPED.finditer(text)
    return b"".join(
        _escape(each[1]) if each[1] is not None else each[0].encode() for each in tokens
    )


def record_to_json(record: Record) -> dict[str, Any]:
    """One record as JSON; bytes that are no UTF-8 become `{"base64": ...}`."""
    return {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": record.timestamp,
        "key": text_or_base64(record.key),
        "value": text_or_base64(record.value),
        "headers": [[name, text_or_base64(value)] for name, value in record.headers],
    }


def text_or_base64(data: bytes | None) -> str | dict[str, str] | None:
    """Text where the bytes are UTF-8, else base64; None stays None."""
    if data is None:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
