"""The main job: a year of flights through a broker, the client and Spark, every count checked.

`python -m examples.flights`, or `make run`. The parts: `dataset` (the input), `replay`
(producer and consumer), `ledger` (nothing lost, nothing twice, in order), `pipeline` (what Spark
sums up), `delays` (its table in a topic, exactly once), `verdict` (Spark against pandas),
`screen`, `plot`, and `program`, which puts them in their order.
"""
