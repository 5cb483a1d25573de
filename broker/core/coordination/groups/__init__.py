"""The group coordinator: groups of both protocols, and the offsets that they commit."""
