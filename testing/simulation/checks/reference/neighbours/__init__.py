"""Questions that a run did not ask, but could have: arguments near those of a decision that came.

A run meets few of the cases in which a rule and a product with one wrong condition differ: an end
that is one record too low, an epoch too early, a time-out that is over by a millisecond. So some of
the decisions of a run are asked again for what lies near them. Objects stay as they are: what is to
be different of one is put on a copy, or on a view of it (`Altered`).
"""
