"""Groups whose members agree by the classic protocol: JoinGroup, SyncGroup, heartbeats."""
