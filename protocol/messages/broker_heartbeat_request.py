"""BrokerHeartbeatRequest, generated from BrokerHeartbeatRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, UNSET_LIST)
from ..primitives import (
    bad_count,
    bad_length,
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    over_budget,
    read_tag,
    skip_tagged_fields,
    trailing,
    write_tag,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":63,"type":"request","listeners":["controller"],"name":"BrokerHeartbeatRequest","'
    'validVersions":"0-2","flexibleVersions":"0+","fields":[{"name":"BrokerId","type":"int32","'
    'versions":"0+","entityType":"brokerId"},{"name":"BrokerEpoch","type":"int64","versions":"0'
    '+","default":"-1"},{"name":"CurrentMetadataOffset","type":"int64","versions":"0+"},{"name"'
    ':"WantFence","type":"bool","versions":"0+"},{"name":"WantShutDown","type":"bool","versions'
    '":"0+"},{"name":"OfflineLogDirs","type":"[]uuid","versions":"1+","taggedVersions":"1+","ta'
    'g":0},{"name":"CordonedLogDirs","type":"[]uuid","versions":"2+","taggedVersions":"2+","tag'
    '":1,"nullableVersions":"2+","default":"null"}]}'
)


class BrokerHeartbeatRequest(Message):
    """A registered broker says that it lives, and what it wants to be."""

    __slots__ = (
        "broker_id",
        "broker_epoch",
        "current_metadata_offset",
        "want_fence",
        "want_shut_down",
        "offline_log_dirs",
        "cordoned_log_dirs",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "broker_id",
        "broker_epoch",
        "current_metadata_offset",
        "want_fence",
        "want_shut_down",
        "offline_log_dirs",
        "cordoned_log_dirs",
    )
    NAME: ClassVar[str] = "BrokerHeartbeatRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 63
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    broker_id: int  # Id of the broker.
    broker_epoch: int  # Epoch of its registration.
    current_metadata_offset: int  # Offset of the newest metadata record that it has applied.
    want_fence: bool  # Whether it wants to be fenced, as one that is not ready for clients yet.
    want_shut_down: bool  # Whether it wants to shut down as soon as its leaderships are elsewhere.
    offline_log_dirs: list[bytes]  # Ids of its log directories that have failed.
    cordoned_log_dirs: list[bytes] | None  # Ids of those that take no new partitions; null when it does not say.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        current_metadata_offset: int = 0,
        want_fence: bool = False,
        want_shut_down: bool = False,
        offline_log_dirs: list[bytes] = UNSET_LIST,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.current_metadata_offset = current_metadata_offset
        self.want_fence = want_fence
        self.want_shut_down = want_shut_down
        self.offline_log_dirs = [] if offline_log_dirs is UNSET_LIST else offline_log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs

    @staticmethod
    def decode(data: bytes, version: int) -> BrokerHeartbeatRequest:
        message, end = BrokerHeartbeatRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("BrokerHeartbeatRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[BrokerHeartbeatRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("BrokerHeartbeatRequest", version, len(data), error) from None
        raise no_version("BrokerHeartbeatRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("BrokerHeartbeatRequest", version, error) from error
        raise no_encoding("BrokerHeartbeatRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[BrokerHeartbeatRequest, i64]:
    m = BrokerHeartbeatRequest()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    m.current_metadata_offset = read_i64_be(data, i + 12)
    m.want_fence = data[i + 20] != 0
    m.want_shut_down = data[i + 21] != 0
    if data[i + 22] == 0:
        i += 23
    else:
        i = skip_tagged_fields(data, i + 22)
    return m, i


def _encode_0(m: BrokerHeartbeatRequest, w: BytesWriter, version: int) -> None:
    if len(m.offline_log_dirs) > 0:
        raise not_carried("BrokerHeartbeatRequest.OfflineLogDirs", version)
    if m.cordoned_log_dirs is not None:
        raise not_carried("BrokerHeartbeatRequest.CordonedLogDirs", version)
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    write_i64_be(w, m.current_metadata_offset)
    w.append(1 if m.want_fence else 0)
    w.append(1 if m.want_shut_down else 0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[BrokerHeartbeatRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = BrokerHeartbeatRequest()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    m.current_metadata_offset = read_i64_be(data, i + 12)
    m.want_fence = data[i + 20] != 0
    m.want_shut_down = data[i + 21] != 0
    n = data[i + 22]
    i += 23
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count1 = n
        tag1 = -1
        unknown1 = 0
        for _ in range(count1):
            tag1, start1, stop1 = read_tag(data, i, tag1)
            i = start1
            if tag1 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 16 > size - i:
                    raise bad_count("BrokerHeartbeatRequest.OfflineLogDirs", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("BrokerHeartbeatRequest.OfflineLogDirs", 100000)
                count2 = n
                found1: list[bytes] = []
                m.offline_log_dirs = found1
                for _ in range(count2):
                    end = i + 16
                    if end > size:
                        raise bad_length("BrokerHeartbeatRequest.OfflineLogDirs", 16, size - i)
                    v1 = data[i:end]
                    i = end
                    found1.append(v1)
                if i != stop1:
                    raise bad_tag_size("BrokerHeartbeatRequest.OfflineLogDirs")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_1(m: BrokerHeartbeatRequest, w: BytesWriter, version: int) -> None:
    if m.cordoned_log_dirs is not None:
        raise not_carried("BrokerHeartbeatRequest.CordonedLogDirs", version)
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    write_i64_be(w, m.current_metadata_offset)
    w.append(1 if m.want_fence else 0)
    w.append(1 if m.want_shut_down else 0)
    t1 = len(m.offline_log_dirs) > 0
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            w1 = BytesWriter()
            v1 = m.offline_log_dirs
            write_uvarint(w1, len(v1) + 1)
            for s1 in v1:
                write_uuid(w1, s1)
            write_tag(w, 0, w1)
    else:
        w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[BrokerHeartbeatRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = BrokerHeartbeatRequest()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    m.current_metadata_offset = read_i64_be(data, i + 12)
    m.want_fence = data[i + 20] != 0
    m.want_shut_down = data[i + 21] != 0
    n = data[i + 22]
    i += 23
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count1 = n
        tag1 = -1
        unknown1 = 0
        for _ in range(count1):
            tag1, start1, stop1 = read_tag(data, i, tag1)
            i = start1
            if tag1 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 16 > size - i:
                    raise bad_count("BrokerHeartbeatRequest.OfflineLogDirs", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("BrokerHeartbeatRequest.OfflineLogDirs", 100000)
                count2 = n
                found1: list[bytes] = []
                m.offline_log_dirs = found1
                for _ in range(count2):
                    end = i + 16
                    if end > size:
                        raise bad_length("BrokerHeartbeatRequest.OfflineLogDirs", 16, size - i)
                    v1 = data[i:end]
                    i = end
                    found1.append(v1)
                if i != stop1:
                    raise bad_tag_size("BrokerHeartbeatRequest.OfflineLogDirs")
            elif tag1 == 1:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.cordoned_log_dirs = None
                else:
                    if n < 0 or n * 16 > size - i:
                        raise bad_count("BrokerHeartbeatRequest.CordonedLogDirs", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("BrokerHeartbeatRequest.CordonedLogDirs", 100000)
                    count3 = n
                    found2: list[bytes] = []
                    m.cordoned_log_dirs = found2
                    for _ in range(count3):
                        end = i + 16
                        if end > size:
                            raise bad_length("BrokerHeartbeatRequest.CordonedLogDirs", 16, size - i)
                        v2 = data[i:end]
                        i = end
                        found2.append(v2)
                if i != stop1:
                    raise bad_tag_size("BrokerHeartbeatRequest.CordonedLogDirs")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_2(m: BrokerHeartbeatRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    write_i64_be(w, m.current_metadata_offset)
    w.append(1 if m.want_fence else 0)
    w.append(1 if m.want_shut_down else 0)
    t1 = len(m.offline_log_dirs) > 0
    t2 = m.cordoned_log_dirs is not None
    if t1 or t2:
        write_uvarint(w, int(t1) + int(t2))
        if t1:
            w1 = BytesWriter()
            v1 = m.offline_log_dirs
            write_uvarint(w1, len(v1) + 1)
            for s1 in v1:
                write_uuid(w1, s1)
            write_tag(w, 0, w1)
        if t2:
            w2 = BytesWriter()
            v2 = m.cordoned_log_dirs
            if v2 is None:
                w2.append(0)
            else:
                write_uvarint(w2, len(v2) + 1)
                for s2 in v2:
                    write_uuid(w2, s2)
            write_tag(w, 1, w2)
    else:
        w.append(0)
