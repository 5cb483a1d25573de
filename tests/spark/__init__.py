"""Tests of the Spark data source and of the flights pipeline."""
