"""A null broker: answers every Produce frame of the load generator at once and does nothing else.

It bounds what the generator can do on this machine; a broker's figure far below the bound is the
broker's own. `python -m bench.echo --port 0` prints the port that it listens on.
"""

from __future__ import annotations

import argparse
import gc
import select
import signal
import socket
import struct
import sys

from . import wire

CORRELATION_AT = 8
RECEIVE_BYTES = 65_536


def answer(topic: str, partition: int) -> bytes:
    """The whole frame that acknowledges a record of the generator (Produce 11, all zero)."""
    prefix = wire.produce_success_prefix(topic, partition, partition)
    rest = (
        struct.pack(">qqq", 0, -1, 0) + b"\x01\x00\x00" + b"\x00" + struct.pack(">i", 0) + b"\x00"
    )
    return struct.pack(">i", len(prefix) + len(rest)) + prefix + rest


def serve(listener: socket.socket, topic: str, partitions: int) -> None:
    """Accept and answer for ever. The generator's correlation ids are partition numbers."""
    answers = [answer(topic, partition) for partition in range(partitions)]
    poll = select.epoll()
    poll.register(listener.fileno(), select.EPOLLIN)
    peers: dict[int, socket.socket] = {}
    door = listener.fileno()
    while True:
        for fd, _ in poll.poll():
            if fd == door:
                peer, _ = listener.accept()
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                peers[peer.fileno()] = peer
                poll.register(peer.fileno(), select.EPOLLIN)
                continue
            request = peers[fd].recv(RECEIVE_BYTES)
            if request:
                peers[fd].send(answers[request[CORRELATION_AT + 3]])
            else:
                poll.unregister(fd)
                peers.pop(fd).close()


def main() -> None:
    """Listen, say where, serve until SIGTERM."""
    parser = argparse.ArgumentParser(prog="python -m bench.echo", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--topic", default="one-record")
    parser.add_argument("--partitions", type=int, default=8)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    listener = socket.create_server(("127.0.0.1", options.port), backlog=128)
    print(listener.getsockname()[1], flush=True)
    gc.disable()
    serve(listener, options.topic, options.partitions)


if __name__ == "__main__":
    main()
