"""The broker: core decides, handlers say what the APIs mean, storage and server touch the world."""
