"""Sockets, event loop and background work, for real."""
