"""Directed runs: one fault at a known moment, and figures instead of a verdict only."""
