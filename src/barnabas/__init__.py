"""barnabas: a cluster of message brokers that speaks Apache Kafka's wire protocol."""

__version__ = "0.1.0"
