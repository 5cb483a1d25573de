"""Decisions, pure: no sockets, files, clocks or randomness but those that the caller hands in."""
