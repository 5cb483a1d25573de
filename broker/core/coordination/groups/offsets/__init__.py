"""Committed offsets of the groups of one shard: kept, read, deleted, expired."""
