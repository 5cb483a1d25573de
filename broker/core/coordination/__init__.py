"""Coordinators of groups and transactions: state machines over partitions of internal topics."""
