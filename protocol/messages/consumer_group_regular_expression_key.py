"""ConsumerGroupRegularExpressionKey, generated from ConsumerGroupRegularExpressionKey.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    trailing,
    write_string,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":16,"type":"coordinator-key","name":"ConsumerGroupRegularExpressionKey","validVer'
    'sions":"0","flexibleVersions":"none","fields":[{"name":"GroupId","type":"string","versions'
    '":"0"},{"name":"RegularExpression","type":"string","versions":"0"}]}'
)


class ConsumerGroupRegularExpressionKey(Message):
    """Names a regular expression by which members of a consumer group choose topics."""

    __slots__ = ("group_id", "regular_expression")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id", "regular_expression")
    NAME: ClassVar[str] = "ConsumerGroupRegularExpressionKey"
    KIND: ClassVar[str] = "coordinator-key"
    API_KEY: ClassVar[int | None] = 16
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.
    regular_expression: str  # The expression as the members sent it, in RE2 syntax.

    def __init__(
        self,
        *,
        group_id: str = "",
        regular_expression: str = "",
    ) -> None:
        self.group_id = group_id
        self.regular_expression = regular_expression

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupRegularExpressionKey:
        message, end = ConsumerGroupRegularExpressionKey.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupRegularExpressionKey", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupRegularExpressionKey, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupRegularExpressionKey", version, len(data), error) from None
        raise no_version("ConsumerGroupRegularExpressionKey", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ConsumerGroupRegularExpressionKey", version, error) from error
        raise no_encoding("ConsumerGroupRegularExpressionKey", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupRegularExpressionKey, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = ConsumerGroupRegularExpressionKey()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("ConsumerGroupRegularExpressionKey.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("ConsumerGroupRegularExpressionKey.RegularExpression", n, size - i)
    m.regular_expression = data[i:end].decode()
    i = end
    return m, i


def _encode_0(m: ConsumerGroupRegularExpressionKey, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_string(w, v1)
    v2 = m.regular_expression
    write_string(w, v2)
