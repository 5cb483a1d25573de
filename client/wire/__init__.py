"""Connections to brokers, what they say of the cluster, and calls that are tried again."""
