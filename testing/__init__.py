"""In-process cluster, fixtures and simulation, for users and for us."""
