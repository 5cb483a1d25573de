"""Goal: a broker whose directory is older than its last life says so in its own log."""

from __future__ import annotations

import pytest
from kit.list_logger import ListLogger

from barnabas.broker.core.cluster.broker_image import BrokerImage
from barnabas.broker.server.lifecycle.earlier_lives import EarlierLives
from barnabas.broker.server.quorum.publisher import ImagePublisher
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord

EARLIER, NOW = bytes([1]) * 16, bytes([2]) * 16


def life(epoch: int, incarnation_id: bytes, *, fenced: bool) -> BrokerImage:
    record = RegisterBrokerRecord(
        broker_id=1, incarnation_id=incarnation_id, broker_epoch=epoch, fenced=fenced
    )
    return BrokerImage.from_record(record)


@pytest.mark.parametrize(
    ("previous_epoch", "log_end", "is_let_in", "expected"),
    [
        (40, 90, True, {}),  # the last clean stop was that of the last life
        (30, 90, True, {"last_epoch": 40, "epoch_of_the_copy": 30}),
        (-1, 90, True, {}),  # killed, with all that it knew
        (-1, 35, True, {"last_epoch": 40, "metadata_log_ended_at": 35}),
        (-1, 35, False, {}),  # it may have died before it heard of its registration
        (-1, 0, True, {}),  # a new disk
    ],
)
def test_what_is_known_of_the_last_life(
    previous_epoch: int, log_end: int, is_let_in: bool, expected: dict[str, int]
) -> None:
    """966-03: by the marker of a clean stop, or by the end of the metadata log (631-02)."""
    publisher, log = ImagePublisher("a-cluster"), ListLogger()
    lives = EarlierLives(publisher, 1, NOW, log_end)
    lived = [life(40, EARLIER, fenced=True), life(40, EARLIER, fenced=not is_let_in)]
    for broker in (*lived, lived[0], life(50, NOW, fenced=True)):
        publisher.image.brokers[1] = broker
        for listener in publisher.applied_listeners:
            listener(0)
    lives.end()
    assert publisher.applied_listeners == []
    lives.tell(log, previous_epoch)
    found = [fields for _, text, fields in log.lines if "this directory is an older copy" in text]
    assert found == ([expected] if expected else [])
