"""Keys, users and settings of a local cluster with TLS, logins and an authorizer."""
