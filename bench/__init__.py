"""Benchmarks of barnabas, side by side with Apache Kafka; run as `python -m bench`."""
