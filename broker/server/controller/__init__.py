"""The active controller of a cluster, the listener of controllers, and a broker's life in it."""
