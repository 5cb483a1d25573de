"""Tests of partitions, sessions and what wakes the parked."""
