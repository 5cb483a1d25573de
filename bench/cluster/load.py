"""One-record load on three brokers: every connection talks to the leader of its partitions.

Runs as a process of its own, `python -m bench.cluster.load`, and prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys

from ..load import Load, produce_exchanges, timed
from ..wire import Wire


def end_offsets(ports: list[int], topic: str) -> int:
    """The sum of all partitions' end offsets, each asked at its leader."""
    total = 0
    for partition, port in enumerate(ports):
        with Wire(port) as connection:
            total += connection.end_offset(topic, partition)
    return total


def measure(options: argparse.Namespace) -> dict[str, float]:
    """One warm-up, one timed window, and a count of what the logs hold."""
    ports = [int(one) for one in options.leaders.split(",")]
    before = end_offsets(ports, options.topic)
    exchanges = produce_exchanges(len(ports), options.topic, options.size)
    load = Load(ports, options.connections, exchanges)
    figures = timed(load, options.warm_up, options.seconds)
    figures["acked_but_absent"] = load.acked - (end_offsets(ports, options.topic) - before)
    return figures


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster.load", description=__doc__)
    parser.add_argument("--leaders", required=True, help="ports of the leaders of partitions 0, …")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--warm-up", type=float, default=1.0)
    parser.add_argument("--size", type=int, default=100, help="bytes of each record's value")
    parser.add_argument("--topic", required=True)
    json.dump(measure(parser.parse_args()), sys.stdout)


if __name__ == "__main__":
    main()
