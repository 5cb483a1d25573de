"""TLS and logins of a node: of its listeners, and of its connections to other nodes."""
