"""The active controller of a cluster, and the listener of controllers."""
