"""The metadata that all nodes agree on: the image, and the controller that decides its changes."""
