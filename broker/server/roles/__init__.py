"""What a node is made of: its role as a broker, as a controller, and its place in the cluster."""
