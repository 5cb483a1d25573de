"""Planted bugs: each is a patch of the product that a check must catch (reliability 1.12)."""
