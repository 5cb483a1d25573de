"""What tests of several folders build with, one file a subject; no test of its own.

What only one folder needs is in that folder, in a file whose name does not begin with `test_`.
"""
