"""Names of the files and folders of a log directory, as Apache Kafka has them."""

from __future__ import annotations

LOG = ".log"
OFFSET_INDEX = ".index"
TIME_INDEX = ".timeindex"
TRANSACTION_INDEX = ".txnindex"
PRODUCER_SNAPSHOT = ".snapshot"
METADATA_SNAPSHOT = ".checkpoint"

DELETED = ".deleted"
CLEANED = ".cleaned"
SWAP = ".swap"
CUT = ".cut"
"""Ours: a segment that recovery took out of the log."""

SEGMENT_SUFFIXES = (LOG, OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX)
INDEX_SUFFIXES = (OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX)

LEADER_EPOCHS = "leader-epoch-checkpoint"
PARTITION_METADATA = "partition.metadata"
META_PROPERTIES = "meta.properties"
CLEAN_SHUTDOWN = ".kafka_cleanshutdown"
RECOVERY_POINTS = "recovery-point-offset-checkpoint"
HIGH_WATERMARKS = "replication-offset-checkpoint"
LOG_START_OFFSETS = "log-start-offset-checkpoint"
CLEANER_OFFSETS = "cleaner-offset-checkpoint"

DELETED_FOLDER = "-delete"
FUTURE_FOLDER = "-future"
STRAY_FOLDER = "-stray"
CLUSTER_METADATA_FOLDER = "__cluster_metadata-0"

OFFSET_DIGITS = 20
_FOLDER_NAME_MAX = 255


def segment_file(directory: str, base_offset: int, suffix: str) -> str:
    """Path of one file of the segment that starts at `base_offset`."""
    return f"{directory}/{base_offset:020d}{suffix}"


def offset_of(name: str) -> int | None:
    """The offset that a file name starts with; None if it is not one of ours."""
    digits = name.partition(".")[0]
    if len(digits) == OFFSET_DIGITS and digits.isascii() and digits.isdigit():
        return int(digits)
    return None


def has_suffix(name: str, suffix: str) -> bool:
    """True for exactly `<20 digits><suffix>`, so never for `….log.deleted`."""
    return len(name) == OFFSET_DIGITS + len(suffix) and name.endswith(suffix)


def partition_folder(topic: str, partition: int) -> str:
    """Folder of a partition inside a log directory."""
    return f"{topic}-{partition}"


def parse_partition_folder(name: str) -> tuple[str, int] | None:
    """(topic, partition) of a partition's folder; None for any other name."""
    topic, dash, number = name.rpartition("-")
    if not dash or not topic or not number.isascii() or not number.isdigit():
        return None
    if len(number) > 1 and number[0] == "0":
        return None
    return topic, int(number)


def future_folder(topic: str, partition: int, unique: str) -> str:
    """Folder of a copy that will take the place of the replica in another log directory (KIP-113).

    `unique` is 32 hexadecimal digits. It may be longer than a name can be: see `is_name`.
    """
    return f"{topic}-{partition}.{unique}{FUTURE_FOLDER}"


def parse_future_folder(name: str) -> tuple[str, int] | None:
    """(topic, partition) of such a folder; None for any other name."""
    if not name.endswith(FUTURE_FOLDER):
        return None
    folder, dot, unique = name[: -len(FUTURE_FOLDER)].rpartition(".")
    return parse_partition_folder(folder) if dot and unique else None


def parse_log_folder(name: str) -> tuple[str, int] | None:
    """(topic, partition) of a partition's folder or of a future one; None for any other name."""
    return parse_partition_folder(name) or parse_future_folder(name)


def is_name(name: str) -> bool:
    """Whether a file or folder can be called so."""
    return len(name) <= _FOLDER_NAME_MAX


def deleted_folder(topic: str, partition: int, unique: str) -> str:
    """Folder of a partition on its way out; `unique` is 32 hexadecimal digits.

    A topic name too long for the file system is cut, as Kafka does.
    """
    return _marked_folder(topic, partition, unique, DELETED_FOLDER)


def stray_folder(topic: str, partition: int, unique: str) -> str:
    """Folder of a partition that the cluster does not know: kept, not served."""
    return _marked_folder(topic, partition, unique, STRAY_FOLDER)


def _marked_folder(topic: str, partition: int, unique: str, mark: str) -> str:
    ending = f"-{partition}.{unique}{mark}"
    return topic[: _FOLDER_NAME_MAX - len(ending)] + ending
