"""What only controllers serve: to brokers, and to the other voters of the metadata quorum."""
