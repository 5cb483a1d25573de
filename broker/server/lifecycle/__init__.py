"""A broker's life in the cluster: it registers, sends heartbeats, and leaves."""
