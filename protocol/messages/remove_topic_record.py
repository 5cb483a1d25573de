"""RemoveTopicRecord, generated from RemoveTopicRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    ZERO_UUID,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_uuid,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":9,"type":"metadata","name":"RemoveTopicRecord","validVersions":"0","flexibleVers'
    'ions":"0+","fields":[{"name":"TopicId","type":"uuid","versions":"0+"}]}'
)


class RemoveTopicRecord(Message):
    """Metadata: a topic is gone, with all its partitions."""

    __slots__ = ("topic_id",)
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id",)
    NAME: ClassVar[str] = "RemoveTopicRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 9
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    topic_id: bytes  # Id of the topic.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
    ) -> None:
        self.topic_id = topic_id

    @staticmethod
    def decode(data: bytes, version: int) -> RemoveTopicRecord:
        message, end = RemoveTopicRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("RemoveTopicRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[RemoveTopicRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("RemoveTopicRecord", version, len(data), error) from None
        raise no_version("RemoveTopicRecord", version)

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
            raise no_encoding("RemoveTopicRecord", version, error) from error
        raise no_encoding("RemoveTopicRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[RemoveTopicRecord, i64]:
    size: i64 = len(data)
    end: i64
    m = RemoveTopicRecord()
    end = i + 16
    if end > size:
        raise bad_length("RemoveTopicRecord.TopicId", 16, size - i)
    m.topic_id = data[i:end]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: RemoveTopicRecord, w: BytesWriter, version: int) -> None:
    write_uuid(w, m.topic_id)
    w.append(0)
