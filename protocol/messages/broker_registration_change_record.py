"""BrokerRegistrationChangeRecord, generated from BrokerRegistrationChangeRecord.json: do not edit, run `make generate`."""

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
    trailing,
    write_i8,
    write_tag,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":17,"type":"metadata","name":"BrokerRegistrationChangeRecord","validVersions":"0-'
    '3","flexibleVersions":"0+","fields":[{"name":"BrokerId","type":"int32","versions":"0+","en'
    'tityType":"brokerId"},{"name":"BrokerEpoch","type":"int64","versions":"0+"},{"name":"Fence'
    'd","type":"int8","versions":"0+","taggedVersions":"0+","tag":0},{"name":"InControlledShutd'
    'own","type":"int8","versions":"1+","taggedVersions":"1+","tag":1},{"name":"LogDirs","type"'
    ':"[]uuid","versions":"2+","taggedVersions":"2+","tag":2},{"name":"CordonedLogDirs","type":'
    '"[]uuid","versions":"3+","taggedVersions":"3+","tag":3,"nullableVersions":"3+","default":"'
    'null"}]}'
)


class BrokerRegistrationChangeRecord(Message):
    """Metadata: something about a registered broker has changed."""

    __slots__ = (
        "broker_id",
        "broker_epoch",
        "fenced",
        "in_controlled_shutdown",
        "log_dirs",
        "cordoned_log_dirs",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "broker_id",
        "broker_epoch",
        "fenced",
        "in_controlled_shutdown",
        "log_dirs",
        "cordoned_log_dirs",
    )
    NAME: ClassVar[str] = "BrokerRegistrationChangeRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 17
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    broker_id: int  # Id of the broker.
    broker_epoch: int  # Epoch of the registration that it is about.
    fenced: int  # -1 it becomes live, 1 it is fenced, 0 neither.
    in_controlled_shutdown: int  # 1 it is shutting down in order, 0 nothing has changed.
    log_dirs: list[bytes]  # Ids of its good log directories, when they have changed.
    cordoned_log_dirs: list[bytes] | None  # Ids of the directories that take no new partitions, when they have changed; else null.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = 0,
        fenced: int = 0,
        in_controlled_shutdown: int = 0,
        log_dirs: list[bytes] = UNSET_LIST,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs = [] if log_dirs is UNSET_LIST else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs

    @staticmethod
    def decode(data: bytes, version: int) -> BrokerRegistrationChangeRecord:
        message, end = BrokerRegistrationChangeRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("BrokerRegistrationChangeRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[BrokerRegistrationChangeRecord, int]:
        try:
            if version == 3:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("BrokerRegistrationChangeRecord", version, len(data), error) from None
        raise no_version("BrokerRegistrationChangeRecord", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 3:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("BrokerRegistrationChangeRecord", version, error) from error
        raise no_encoding("BrokerRegistrationChangeRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[BrokerRegistrationChangeRecord, i64]:
    n: int
    m = BrokerRegistrationChangeRecord()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    n = data[i + 12]
    i += 13
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
                m.fenced = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.Fenced")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_0(m: BrokerRegistrationChangeRecord, w: BytesWriter, version: int) -> None:
    if m.in_controlled_shutdown != 0:
        raise not_carried("BrokerRegistrationChangeRecord.InControlledShutdown", version)
    if len(m.log_dirs) > 0:
        raise not_carried("BrokerRegistrationChangeRecord.LogDirs", version)
    if m.cordoned_log_dirs is not None:
        raise not_carried("BrokerRegistrationChangeRecord.CordonedLogDirs", version)
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    t1 = m.fenced != 0
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            write_uvarint(w, 0)
            w.append(1)
            write_i8(w, m.fenced)
    else:
        w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[BrokerRegistrationChangeRecord, i64]:
    n: int
    m = BrokerRegistrationChangeRecord()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    n = data[i + 12]
    i += 13
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
                m.fenced = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.Fenced")
            elif tag1 == 1:
                m.in_controlled_shutdown = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.InControlledShutdown")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_1(m: BrokerRegistrationChangeRecord, w: BytesWriter, version: int) -> None:
    if len(m.log_dirs) > 0:
        raise not_carried("BrokerRegistrationChangeRecord.LogDirs", version)
    if m.cordoned_log_dirs is not None:
        raise not_carried("BrokerRegistrationChangeRecord.CordonedLogDirs", version)
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    t1 = m.fenced != 0
    t2 = m.in_controlled_shutdown != 0
    if t1 or t2:
        write_uvarint(w, int(t1) + int(t2))
        if t1:
            write_uvarint(w, 0)
            w.append(1)
            write_i8(w, m.fenced)
        if t2:
            write_uvarint(w, 1)
            w.append(1)
            write_i8(w, m.in_controlled_shutdown)
    else:
        w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[BrokerRegistrationChangeRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = BrokerRegistrationChangeRecord()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    n = data[i + 12]
    i += 13
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
                m.fenced = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.Fenced")
            elif tag1 == 1:
                m.in_controlled_shutdown = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.InControlledShutdown")
            elif tag1 == 2:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 16 > size - i:
                    raise bad_count("BrokerRegistrationChangeRecord.LogDirs", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("BrokerRegistrationChangeRecord.LogDirs", 10000000)
                count2 = n
                found1: list[bytes] = []
                m.log_dirs = found1
                for _ in range(count2):
                    end = i + 16
                    if end > size:
                        raise bad_length("BrokerRegistrationChangeRecord.LogDirs", 16, size - i)
                    v1 = data[i:end]
                    i = end
                    found1.append(v1)
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.LogDirs")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_2(m: BrokerRegistrationChangeRecord, w: BytesWriter, version: int) -> None:
    if m.cordoned_log_dirs is not None:
        raise not_carried("BrokerRegistrationChangeRecord.CordonedLogDirs", version)
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    t1 = m.fenced != 0
    t2 = m.in_controlled_shutdown != 0
    t3 = len(m.log_dirs) > 0
    if t1 or t2 or t3:
        write_uvarint(w, int(t1) + int(t2) + int(t3))
        if t1:
            write_uvarint(w, 0)
            w.append(1)
            write_i8(w, m.fenced)
        if t2:
            write_uvarint(w, 1)
            w.append(1)
            write_i8(w, m.in_controlled_shutdown)
        if t3:
            w1 = BytesWriter()
            v1 = m.log_dirs
            write_uvarint(w1, len(v1) + 1)
            for s1 in v1:
                write_uuid(w1, s1)
            write_tag(w, 2, w1)
    else:
        w.append(0)


def _decode_3(data: bytes, i: i64) -> tuple[BrokerRegistrationChangeRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = BrokerRegistrationChangeRecord()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    n = data[i + 12]
    i += 13
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
                m.fenced = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.Fenced")
            elif tag1 == 1:
                m.in_controlled_shutdown = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.InControlledShutdown")
            elif tag1 == 2:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 16 > size - i:
                    raise bad_count("BrokerRegistrationChangeRecord.LogDirs", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("BrokerRegistrationChangeRecord.LogDirs", 10000000)
                count2 = n
                found1: list[bytes] = []
                m.log_dirs = found1
                for _ in range(count2):
                    end = i + 16
                    if end > size:
                        raise bad_length("BrokerRegistrationChangeRecord.LogDirs", 16, size - i)
                    v1 = data[i:end]
                    i = end
                    found1.append(v1)
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.LogDirs")
            elif tag1 == 3:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.cordoned_log_dirs = None
                else:
                    if n < 0 or n * 16 > size - i:
                        raise bad_count("BrokerRegistrationChangeRecord.CordonedLogDirs", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("BrokerRegistrationChangeRecord.CordonedLogDirs", 10000000)
                    count3 = n
                    found2: list[bytes] = []
                    m.cordoned_log_dirs = found2
                    for _ in range(count3):
                        end = i + 16
                        if end > size:
                            raise bad_length("BrokerRegistrationChangeRecord.CordonedLogDirs", 16, size - i)
                        v2 = data[i:end]
                        i = end
                        found2.append(v2)
                if i != stop1:
                    raise bad_tag_size("BrokerRegistrationChangeRecord.CordonedLogDirs")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_3(m: BrokerRegistrationChangeRecord, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    t1 = m.fenced != 0
    t2 = m.in_controlled_shutdown != 0
    t3 = len(m.log_dirs) > 0
    t4 = m.cordoned_log_dirs is not None
    if t1 or t2 or t3 or t4:
        write_uvarint(w, int(t1) + int(t2) + int(t3) + int(t4))
        if t1:
            write_uvarint(w, 0)
            w.append(1)
            write_i8(w, m.fenced)
        if t2:
            write_uvarint(w, 1)
            w.append(1)
            write_i8(w, m.in_controlled_shutdown)
        if t3:
            w1 = BytesWriter()
            v1 = m.log_dirs
            write_uvarint(w1, len(v1) + 1)
            for s1 in v1:
                write_uuid(w1, s1)
            write_tag(w, 2, w1)
        if t4:
            w2 = BytesWriter()
            v2 = m.cordoned_log_dirs
            if v2 is None:
                w2.append(0)
            else:
                write_uvarint(w2, len(v2) + 1)
                for s2 in v2:
                    write_uuid(w2, s2)
            write_tag(w, 3, w2)
    else:
        w.append(0)
