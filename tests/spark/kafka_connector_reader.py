"""A program: a Spark stream over Apache Spark's own Kafka connector, asked by lines.

    kafka_connector_reader.py BOOTSTRAP TOPIC FOLDER

For each line that it is sent it prints one line of JSON: how far the stream has read each
partition, and why it ended if it has. It stops when its input ends.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from barnabas.spark.session import start_session

REQUEST_TIMEOUT_MS = 3000
"""The default of 30 s would wait that long for a leader that stands still."""


def main(bootstrap: str, topic: str, folder: Path) -> None:
    """Until the input ends."""
    session = start_session("kafka connector", log_file=folder / "spark.log")
    session.sparkContext.setLogLevel("WARN")  # what the connector finds odd is a warning
    source = (
        session.readStream.format("kafka")
        .option("kafka.bootstrap.servers", bootstrap)
        .option("kafka.request.timeout.ms", str(REQUEST_TIMEOUT_MS))
        .option("kafka.default.api.timeout.ms", "20000")
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .option("failOnDataLoss", "false")
    )
    query = (
        source.load()
        .writeStream.format("noop")
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(processingTime="200 milliseconds")
        .start()
    )
    for _ in sys.stdin:
        progress = query.lastProgress
        ends = None if progress is None else progress["sources"][0]["endOffset"]
        if isinstance(ends, str):
            ends = json.loads(ends)
        error = query.exception()
        told = {"ends": (ends or {}).get(topic, {}), "error": error and str(error)}
        print(json.dumps(told), flush=True)
    query.stop()
    session.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
