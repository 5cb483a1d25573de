"""Fixtures for all tests, and how properties are tried: the same examples each time, untimed."""

from __future__ import annotations

from hypothesis import settings
from kit.kafka_jars import kafka_jars

__all__ = ["kafka_jars"]

settings.register_profile("the same each time", derandomize=True, deadline=None)
settings.register_profile("quick", settings.get_profile("the same each time"), max_examples=20)
settings.load_profile("the same each time")
