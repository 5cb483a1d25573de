"""Connections to brokers, what brokers tell about the cluster, and calls that are retried."""
