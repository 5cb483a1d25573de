"""Datagram simulator of the consensus core: messages as values, no sockets, no event loop."""
