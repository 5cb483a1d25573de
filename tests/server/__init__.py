"""Tests of connections, dispatch and the hot paths, over real sockets."""
