"""Brokers that clients are still told of, after they were fenced without a goodbye."""

from __future__ import annotations

import pytest
from kit.logs import ManualClock

from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.cluster.lost_brokers import LostBrokers
from barnabas.protocol.message import Message
from barnabas.protocol.messages.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord
from barnabas.protocol.messages.unregister_broker_record import UnregisterBrokerRecord

LISTING_MS = 9000
ID = 2


class Told:
    """One broker's view of broker 2."""

    def __init__(self, *records: Message, node_id: int = 1, listing_ms: int = LISTING_MS) -> None:
        """`records` are in the image when broker `node_id` begins to listen."""
        self.clock = ManualClock()
        self.image = ClusterImage("a-cluster")
        self.apply(*records)
        self.image.take_changes()
        self.lost = LostBrokers(node_id, self.clock, listing_ms)
        self.lost.begin(self.image)

    def apply(self, *records: Message) -> None:
        for record in records:
            self.image.apply(record, self.image.last_offset + 1)

    def hears(self, *records: Message) -> None:
        self.apply(*records)
        self.lost.on_image(self.image, self.image.take_changes())

    @property
    def is_listed(self) -> bool:
        broker = self.image.brokers.get(ID)
        return broker is not None and self.lost.is_listed(broker)


def registered(epoch: int = 10, *, fenced: bool = True) -> Message:
    return RegisterBrokerRecord(broker_id=ID, broker_epoch=epoch, fenced=fenced)


def changed(epoch: int = 10, *, fenced: int = 0, leaves: int = 0) -> Message:
    return BrokerRegistrationChangeRecord(
        broker_id=ID, broker_epoch=epoch, fenced=fenced, in_controlled_shutdown=leaves
    )


@pytest.mark.parametrize("looks_before_it_hears", [False, True])
def test_a_broker_that_died_is_told_for_as_long_as_kafka_would_miss_it(
    looks_before_it_hears: bool,
) -> None:
    """The image may know before its listeners hear: then time counts from the first look."""
    told = Told(registered(fenced=False))
    told.apply(changed(fenced=1))
    if not looks_before_it_hears:
        told.hears()
    assert told.is_listed
    told.clock.now_ms = LISTING_MS - 1
    if looks_before_it_hears:
        told.hears()
    assert told.is_listed
    told.clock.now_ms = LISTING_MS
    assert not told.is_listed


def test_a_broker_that_comes_back_in_time_was_never_missing() -> None:
    """Neither while its new incarnation catches up, nor when that is let in."""
    told = Told(registered(fenced=False))
    told.hears(changed(fenced=1))
    told.clock.now_ms = 5000
    told.hears(registered(20))
    assert told.is_listed
    told.hears(changed(20, fenced=-1))
    told.clock.now_ms = 2 * LISTING_MS
    assert told.is_listed
    told.hears(changed(20, fenced=1))
    told.clock.now_ms += LISTING_MS - 1
    assert told.is_listed, "what was before does not count"


def test_a_broker_that_registers_before_it_was_missed_stays() -> None:
    told = Told(registered(fenced=False))
    told.hears(registered(20))
    assert told.is_listed


def test_a_broker_that_stops_in_good_order_is_left_out_at_once() -> None:
    """631-03; also where both changes come in one batch, and when it starts again."""
    told = Told(registered(fenced=False))
    told.hears(changed(leaves=1))
    assert told.is_listed
    told.hears(changed(fenced=1))
    assert not told.is_listed
    told.hears(registered(20))
    assert not told.is_listed
    told.hears(changed(20, fenced=-1))
    told.hears(changed(20, leaves=1), changed(20, fenced=1))
    assert not told.is_listed


def test_who_was_fenced_before_is_not_told() -> None:
    """Nor a new broker before it was let in."""
    assert not Told(registered()).is_listed
    told = Told()
    told.hears(registered())
    assert not told.is_listed
    told.hears(changed(fenced=-1))
    assert told.is_listed


def test_an_unregistered_broker_is_forgotten() -> None:
    told = Told(registered(fenced=False))
    told.hears(changed(fenced=1))
    told.hears(UnregisterBrokerRecord(broker_id=ID, broker_epoch=10))
    told.hears(registered(20))
    assert not told.is_listed


def test_without_time_fenced_brokers_are_left_out() -> None:
    """lost.broker.listing.ms=0."""
    told = Told(registered(fenced=False), listing_ms=0)
    told.hears(changed(fenced=1))
    assert not told.is_listed


def test_a_broker_names_itself() -> None:
    """Whoever is asked is there, also before it is let in, until it leaves."""
    told = Told(registered(), node_id=ID, listing_ms=0)
    assert told.is_listed
    told.hears(changed(fenced=-1))
    told.hears(changed(leaves=1), changed(fenced=1))
    assert not told.is_listed
    told.hears(registered(20))
    assert told.is_listed
