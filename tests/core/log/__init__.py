"""Tests of the log: its files, its state, its recovery."""
