"""What clients do in a simulation, and the history of all that they were told."""
