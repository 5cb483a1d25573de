"""Process-level chaos: real nodes are killed, stopped, cut off and damaged while clients work."""
