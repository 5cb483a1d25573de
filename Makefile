# Two commands are all that a newcomer needs: `make run` and `make test`.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.setup-done
FAST := not slow and not kafka and not spark
PYTEST := $(PY) -m pytest -q -p no:cacheprovider --durations=25 --durations-min=10
# Half of what a fast test takes is a wait for timers and sockets: four of them keep two processors busy.
FAST_WORKERS := 4
# Slow tests without processes and real time. The other slow ones run two files at a time, since
# they mostly wait for other people's clients; the tests of one file share a cluster.
BY_VIRTUAL_TIME := tests/benchmarks/test_simulation.py tests/core tests/fuzz tests/protocol tests/simulation
# A seed is the same simulated run under any hash seed (tests/simulation/test_hash_seeds.py). Should a
# change break that, the kept seeds are still the same runs each time.
export PYTHONHASHSEED := 0

.PHONY: help setup run test check bench bench-cluster generate wheel clean java

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(STAMP) ## make .venv with everything that run, test and check need

$(STAMP): pyproject.toml constraints.txt scripts/setup-venv.sh
	@scripts/setup-venv.sh $(VENV)
	@touch $@

java:
	@scripts/setup-java.sh

run: $(STAMP) java ## the main job: 336,776 flights through three brokers and Spark, a leader killed half-way
	@$(PY) -m examples.flights --out build/run

test: $(STAMP) ## everything: lint, types, contracts, unit, golden, real clients, Spark, the built wheel
	@scripts/setup-java.sh || echo "test: without it what needs Spark or Apache Kafka is skipped" >&2
	@$(MAKE) --no-print-directory lint
	@$(PYTEST) -n $(FAST_WORKERS) -m "$(FAST)"
	@$(PYTEST) -n 2 -m "not ($(FAST))" $(BY_VIRTUAL_TIME)
	@$(PYTEST) -n 2 --dist loadfile -m "not ($(FAST))" $(BY_VIRTUAL_TIME:%=--ignore=%)

check: $(STAMP) ## lint, types, contracts, generated code fresh, fast tests, with fewer examples for each property; under 3 minutes
	@$(MAKE) --no-print-directory -j2 --output-sync=target lint quick

# Beside `lint`, whose longest tool keeps one processor busy and leaves the other one idle.
.PHONY: quick
quick: $(STAMP)
	@$(PYTEST) -n $(FAST_WORKERS) -m "$(FAST)" --hypothesis-profile=quick

.PHONY: lint
lint: $(STAMP) ## ruff, mypy strict, pyright, import contracts, generated code fresh
	@scripts/lint.sh $(VENV)

bench: $(STAMP) ## side by side with Apache Kafka; writes build/bench/report.{json,md,png}
	@$(PY) -m bench

.PHONY: simulate simulate-long
simulate: $(STAMP) ## 200 simulated clusters under faults, in two processes; failures are kept
	@$(PY) -m barnabas.cli.main simulate --seeds 1..201 --jobs 2 --save build/simulate

simulate-long: $(STAMP) ## 5,000 of them and all planted bugs: a night
	@$(PY) -m barnabas.cli.main simulate --seeds 1..5001 --jobs 2 --save build/simulate
	@$(PY) -m lab.mutants --jobs 2 --write docs/mutants.md

bench-cluster: $(STAMP) ## three nodes beside three of Apache Kafka; writes build/bench-cluster/report.{json,md}
	@$(PY) -m bench.cluster

.PHONY: bench-simulation
bench-simulation: $(STAMP) ## how fast the simulators run, with targets
	@$(PY) -m bench.simulation

.PHONY: chaos
chaos: $(STAMP) ## faults on real processes, each once, about ten minutes; writes build/chaos.md
	@$(PY) -m lab.chaos --short

generate: $(STAMP) ## schemas -> protocol/messages; settings, commands, client and rules -> docs/
	@scripts/generate.sh $(VENV)

wheel: $(STAMP) ## the wheel that ships, its leaves compiled where there is a C compiler, in dist/
	@BARNABAS_COMPILE=1 $(PY) -m build --wheel --no-isolation --outdir dist .

.PHONY: test-wheel
test-wheel: $(STAMP) ## one stage of `make test`: the wheel, built and installed with nothing else
	@$(PY) -m pytest -q -p no:cacheprovider -m artifact

clean: ## remove what the other targets made, .venv too
	rm -rf build dist $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: fresh
fresh: ## both commands on a bare Debian 12 and 13 (root; RELEASES=bookworm COMMANDS=test for one)
	@scripts/fresh.sh

.PHONY: containers
containers: $(STAMP) ## the image and docker-compose.yml on a container engine: kills, cuts, stops
	@scripts/containers.sh $(VENV)
