"""Tests of the follower's side of replication, and of what it does in the background."""
