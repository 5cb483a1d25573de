"""The client's end of a connection to a broker, without I/O; `client_end` is where to begin.

Two drivers use it: `client/wire/connection.py` and `broker/server/peer_connection.py`.
"""
