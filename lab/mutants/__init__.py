"""Planted bugs: each is a patch of the product that a check must catch."""
