"""Transactions of a producer: its states, and what it says to coordinators."""
