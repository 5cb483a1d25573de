"""The image and the compose file, tried on a container engine: `python -m lab.containers`."""
