"""Checks of the image and the compose file on a container engine: `python -m lab.containers`."""
