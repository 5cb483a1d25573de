"""The datagram simulator of the consensus core."""
