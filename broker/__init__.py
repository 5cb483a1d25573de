"""The broker: decisions in core, meaning of the APIs in handlers, disk in storage, sockets in server."""
