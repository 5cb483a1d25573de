"""Three brokers beside three brokers: barnabas and Apache Kafka in turn on one machine."""
