"""Anomalies of single records: lost, twice, at one offset two, aborted, too early."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .operations import Anomaly, Operation, Outcome
from .places import Places


def inconsistent_offsets(places: Places) -> Iterator[Anomaly]:
    """One offset has two values."""
    for (place, offset), values in places.at.items():
        if len(values) > 1:
            yield Anomaly("inconsistent-offsets", f"{place}@{offset} has {list(values)}")


def duplicates(places: Places) -> Iterator[Anomaly]:
    """One value is at two places."""
    for value, found in places.of.items():
        if len(found) > 1:
            listed = ", ".join(f"{place}@{offset}" for place, offset in found)
            yield Anomaly("duplicate", f"{value!r} is at {listed}")


def losses(places: Places, *, drained: bool) -> Iterator[Anomaly]:
    """A committed record that nobody was handed: though somebody read behind it (lost), or, where
    readers were given all the time that they need, at all (unseen)."""
    for value, (writer, sent) in places.writers.items():
        if writer.outcome is not Outcome.OK or value in places.readers:
            continue
        end = places.read_up_to.get(sent.place, -1)
        if sent.offset is not None and sent.offset < end:
            text = f"{value!r} of {writer.name} is at {sent.place}@{sent.offset}; read up to {end}"
            yield Anomaly("lost-write", text)
        elif drained:
            yield Anomaly("unseen", f"{value!r} of {writer.name} was never read")


def wrong_reads(places: Places) -> Iterator[Anomaly]:
    """Reads of what was aborted (G1a), may not be seen yet (dirty), or was written by nobody."""
    for value, readers in places.readers.items():
        found = places.writers.get(value)
        if found is None:
            yield Anomaly("unwritten", f"{readers[0].name} reads {value!r}, which nobody wrote")
            continue
        writer, _ = found
        if writer.outcome is Outcome.FAILED:
            yield Anomaly("G1a", f"{readers[0].name} reads {value!r} of {writer.name}: it failed")
            continue
        for reader in readers:
            if reader is writer or reader.ended_s < writer.asked_s:
                yield Anomaly(
                    "dirty-read",
                    f"{reader.name} reads {value!r} of {writer.name} before its commit",
                )


def torn_reads(operations: Sequence[Operation], places: Places) -> Iterator[Anomaly]:
    """A reader is handed one part of a transaction's records in a partition, and passes by the
    rest (G1b)."""
    for operation in operations:
        if operation.outcome is Outcome.FAILED or len(operation.sent) < 2:
            continue
        for sent in operation.sent:
            if sent.offset is None or sent.value in places.readers:
                continue
            behind = [
                other.value
                for other in operation.sent
                if other.place == sent.place and other.value in places.readers
            ]
            if behind and sent.offset < places.read_up_to.get(sent.place, -1):
                text = f"of {operation.name} {behind[0]!r} is read, {sent.value!r} is passed by"
                yield Anomaly("G1b", text)
