"""Who a peer is, and what it may do: principals, access control entries, and the authorizer."""
