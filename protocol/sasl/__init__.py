"""The mechanisms of SASL, without I/O: messages and formulas of both sides, and the client's part.

The server's part, which knows users, is in `broker/core/security/`.
"""
