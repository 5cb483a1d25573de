"""What a history of clients shows of broken promises: a checker without any cluster."""
