"""Tests of the meaning of each API, over real sockets."""
