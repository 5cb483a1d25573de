"""Who a peer is: principals, and how a connection comes to have one."""
