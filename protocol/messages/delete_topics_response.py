"""DeleteTopicsResponse, generated from DeleteTopicsResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    ZERO_UUID,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    null_refused,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":20,"type":"response","name":"DeleteTopicsResponse","validVersions":"1-6","flexib'
    'leVersions":"4+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"1+","ignora'
    'ble":true},{"name":"Responses","type":"[]DeletableTopicResult","versions":"0+","fields":[{'
    '"name":"Name","type":"string","versions":"0+","nullableVersions":"6+","mapKey":true,"entit'
    'yType":"topicName"},{"name":"TopicId","type":"uuid","versions":"6+","ignorable":true},{"na'
    'me":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","ve'
    'rsions":"5+","nullableVersions":"5+","ignorable":true,"default":"null"}]}]}'
)


class DeletableTopicResult(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "topic_id", "error_code", "error_message")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "topic_id", "error_code", "error_message")
    name: str | None  # Name of the topic, or null when only its id is known.
    topic_id: bytes  # Id of the topic.
    error_code: int  # Zero, or why it is still there.
    error_message: str | None  # The reason in words, or null.

    def __init__(
        self,
        *,
        name: str | None = "",
        topic_id: bytes = ZERO_UUID,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message


class DeleteTopicsResponse(Message):
    """What became of each topic."""

    __slots__ = ("throttle_time_ms", "responses")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "responses")
    NAME: ClassVar[str] = "DeleteTopicsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 20
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 6
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    responses: list[DeletableTopicResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        responses: list[DeletableTopicResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.responses = [] if responses is UNSET_LIST else responses

    @staticmethod
    def decode(data: bytes, version: int) -> DeleteTopicsResponse:
        message, end = DeleteTopicsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DeleteTopicsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DeleteTopicsResponse, int]:
        try:
            if version == 6:
                return _decode_6(data, offset)
            if version == 5:
                return _decode_5(data, offset)
            if version == 4:
                return _decode_4(data, offset)
            if 1 <= version <= 3:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DeleteTopicsResponse", version, len(data), error) from None
        raise no_version("DeleteTopicsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 6:
                return _encode_6(self, writer, version)
            if version == 5:
                return _encode_5(self, writer, version)
            if version == 4:
                return _encode_4(self, writer, version)
            if 1 <= version <= 3:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DeleteTopicsResponse", version, error) from error
        raise no_encoding("DeleteTopicsResponse", version)


def _decode_1(data: bytes, i: i64) -> tuple[DeleteTopicsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DeleteTopicsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 4 > size - i:
        raise bad_count("DeleteTopicsResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteTopicsResponse.Responses", 10000000)
    count1 = n
    found1: list[DeletableTopicResult] = []
    m.responses = found1
    for _ in range(count1):
        s1 = DeletableTopicResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DeleteTopicsResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.error_code = read_i16_be(data, i)
        found1.append(s1)
        i += 2
    return m, i


def _encode_1(m: DeleteTopicsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.responses
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        if v2 is None:
            raise null_refused("DeleteTopicsResponse.Responses.Name", version)
        write_string(w, v2)
        write_i16_be(w, s1.error_code)


def _decode_4(data: bytes, i: i64) -> tuple[DeleteTopicsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DeleteTopicsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("DeleteTopicsResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteTopicsResponse.Responses", 10000000)
    count1 = n
    found1: list[DeletableTopicResult] = []
    m.responses = found1
    for _ in range(count1):
        s1 = DeletableTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DeleteTopicsResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.error_code = read_i16_be(data, i)
        if data[i + 2] == 0:
            i += 3
        else:
            i = skip_tagged_fields(data, i + 2)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_4(m: DeleteTopicsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        if v2 is None:
            raise null_refused("DeleteTopicsResponse.Responses.Name", version)
        write_compact_string(w, v2)
        write_i16_be(w, s1.error_code)
        w.append(0)
    w.append(0)


def _decode_5(data: bytes, i: i64) -> tuple[DeleteTopicsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DeleteTopicsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("DeleteTopicsResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteTopicsResponse.Responses", 10000000)
    count1 = n
    found1: list[DeletableTopicResult] = []
    m.responses = found1
    for _ in range(count1):
        s1 = DeletableTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DeleteTopicsResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DeleteTopicsResponse.Responses.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_5(m: DeleteTopicsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        if v2 is None:
            raise null_refused("DeleteTopicsResponse.Responses.Name", version)
        write_compact_string(w, v2)
        write_i16_be(w, s1.error_code)
        v3 = s1.error_message
        write_compact_nullable_string(w, v3)
        w.append(0)
    w.append(0)


def _decode_6(data: bytes, i: i64) -> tuple[DeleteTopicsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DeleteTopicsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 21 > size - i:
        raise bad_count("DeleteTopicsResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteTopicsResponse.Responses", 10000000)
    count1 = n
    found1: list[DeletableTopicResult] = []
    m.responses = found1
    for _ in range(count1):
        s1 = DeletableTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.name = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DeleteTopicsResponse.Responses.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
        end = i + 16
        if end > size:
            raise bad_length("DeleteTopicsResponse.Responses.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DeleteTopicsResponse.Responses.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_6(m: DeleteTopicsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_nullable_string(w, v2)
        write_uuid(w, s1.topic_id)
        write_i16_be(w, s1.error_code)
        v3 = s1.error_message
        write_compact_nullable_string(w, v3)
        w.append(0)
    w.append(0)
