"""Goal: what a broker was asked before it was gone is not waited for until it times out."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from kit.waiting import until

from barnabas.broker.core.cluster.broker_image import BrokerImage
from barnabas.broker.core.cluster.changes import Changes
from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.server.coordinators.broker_channels import BrokerChannels
from barnabas.broker.server.peer_channel import PeerUnavailableError
from barnabas.broker.server.security.peer_security import OPEN
from barnabas.broker.storage.files import real_env
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest

from ..peers import House, listening

HERE = BrokerImage(2, 10, b"\1" * 16, (), fenced=False)


class Scene:
    """Channels of broker 1, and what the metadata say of broker 2."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.image = ClusterImage()
        self.image.brokers[2] = HERE
        node: Any = SimpleNamespace(
            node_id=1,
            env=real_env(),
            image=self.image,
            peer_security=OPEN,
            broker_address=lambda broker_id: address,
        )
        self.channels = BrokerChannels(node, "test")

    def tell(self, broker: BrokerImage | None) -> None:
        """The metadata say this of broker 2 from now on."""
        if broker is None:
            del self.image.brokers[2]
        else:
            self.image.brokers[2] = broker
        changes = Changes()
        changes.brokers[2] = None
        self.channels.on_image(self.image, changes)

    async def ask(self) -> str:
        found = await self.channels.of(2).call(DescribeClusterRequest(), timeout_ms=60_000)
        return str(found.cluster_id)


GONE = [
    pytest.param(HERE._replace(fenced=True), id="fenced"),
    pytest.param(HERE._replace(epoch=11), id="registered anew"),
    pytest.param(None, id="unregistered"),
]


@pytest.mark.parametrize("now", GONE)
async def test_who_is_gone_is_not_waited_for(now: BrokerImage | None) -> None:
    """TXN-33, TXN-50: the call fails at once, and the broker is asked again when it is back."""
    house = House()
    async with listening(house) as address:
        scene = Scene(address)
        house.is_mute = True
        asking = asyncio.ensure_future(scene.ask())
        await until(lambda: house.asked)
        scene.tell(now)
        with pytest.raises(PeerUnavailableError, match="fenced, or has registered anew"):
            await asking
        house.is_mute = False
        scene.tell(HERE._replace(epoch=12))
        assert await scene.ask() == "number 2"
        scene.channels.close()


async def test_other_news_of_a_broker_end_nothing() -> None:
    """It stops in good order, or comes back from being fenced: it answers what it was asked."""
    house = House()
    async with listening(house) as address:
        scene = Scene(address)
        scene.tell(HERE)  # there is no channel yet
        await scene.ask()
        scene.tell(HERE._replace(in_controlled_shutdown=True))
        await scene.ask()
        scene.tell(HERE._replace(fenced=True))
        await scene.ask()
        scene.tell(HERE)
        await scene.ask()
        assert len(house.peers) == 2
        scene.channels.close()
