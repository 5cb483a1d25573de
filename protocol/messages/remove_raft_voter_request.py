"""RemoveRaftVoterRequest, generated from RemoveRaftVoterRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    ZERO_UUID,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":81,"type":"request","listeners":["controller","broker"],"name":"RemoveRaftVoterR'
    'equest","validVersions":"0","flexibleVersions":"0+","fields":[{"name":"ClusterId","type":"'
    'string","versions":"0+","nullableVersions":"0+"},{"name":"VoterId","type":"int32","version'
    's":"0+"},{"name":"VoterDirectoryId","type":"uuid","versions":"0+"}]}'
)


class RemoveRaftVoterRequest(Message):
    """Takes a voter's vote away, so that it is an observer."""

    __slots__ = ("cluster_id", "voter_id", "voter_directory_id")
    FIELDS: ClassVar[tuple[str, ...]] = ("cluster_id", "voter_id", "voter_directory_id")
    NAME: ClassVar[str] = "RemoveRaftVoterRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 81
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    cluster_id: str | None  # Id of the cluster that is meant, or null for whichever it reaches.
    voter_id: int  # Node id of the voter.
    voter_directory_id: bytes  # Id of the directory that it keeps its log in.

    def __init__(
        self,
        *,
        cluster_id: str | None = "",
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id

    @staticmethod
    def decode(data: bytes, version: int) -> RemoveRaftVoterRequest:
        message, end = RemoveRaftVoterRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("RemoveRaftVoterRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[RemoveRaftVoterRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("RemoveRaftVoterRequest", version, len(data), error) from None
        raise no_version("RemoveRaftVoterRequest", version)

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
            raise no_encoding("RemoveRaftVoterRequest", version, error) from error
        raise no_encoding("RemoveRaftVoterRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[RemoveRaftVoterRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = RemoveRaftVoterRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RemoveRaftVoterRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.voter_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("RemoveRaftVoterRequest.VoterDirectoryId", 16, size - i)
    m.voter_directory_id = data[i:end]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: RemoveRaftVoterRequest, w: BytesWriter, version: int) -> None:
    v1 = m.cluster_id
    write_compact_nullable_string(w, v1)
    write_i32_be(w, m.voter_id)
    write_uuid(w, m.voter_directory_id)
    w.append(0)
