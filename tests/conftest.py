"""Fixtures for all tests."""

from __future__ import annotations

from kafka_jars import kafka_jars

__all__ = ["kafka_jars"]
