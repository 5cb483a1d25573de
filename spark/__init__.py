"""PySpark data source and the pipelines built on it."""
