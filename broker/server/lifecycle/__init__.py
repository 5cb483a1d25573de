"""A broker's life in the cluster: it registers, tells that it lives, and leaves."""
