"""The rules once more, each in a few lines of its own: what the product decides is compared."""
