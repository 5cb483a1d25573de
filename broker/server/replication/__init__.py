"""The follower's side of replication, and what a broker does for its replicas in the background."""
