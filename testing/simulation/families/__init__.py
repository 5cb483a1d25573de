"""Families of runs: skeletons of trouble, each for one group of rules, with drawn parameters."""
