"""Programs that run on Spark through the barnabas data source."""
