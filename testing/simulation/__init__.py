"""Deterministic simulation: one thread, a seeded loop, virtual time, network and disk that fail."""
