"""The metadata quorum for real: Raft (`core/raft`) over sockets, files and timers."""
