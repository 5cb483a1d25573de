"""The invariants: each file watches over one subject and fails the run at the first bad step."""
