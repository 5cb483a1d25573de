"""What all brokers agree on: the image, and the controller that decides its changes."""
