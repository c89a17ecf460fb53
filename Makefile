# `make serve` and `make test` are all that one needs. The first call of any target makes .venv and installs from the
# locks in requirements/; later calls find it there.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# PYTHONDONTWRITEBYTECODE would have every process compile all sources anew.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE

# Threads of numpy's matrix products that wait for one another made embedding two to five times slower.
export OPENBLAS_NUM_THREADS ?= 1
export VECLIB_MAXIMUM_THREADS ?= 1

PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
INSTALL := $(PIP) install --progress-bar off --require-hashes
WORKERS ?= 2
OPENSEARCH = $(BIN)/python tests/support/opensearch_server/server.py

# A checkout that was moved, or whose Python is gone, gets a new .venv; one that somebody else made is kept.
ifneq ($(wildcard $(VENV)/.home),)
ifneq ($(shell cat $(VENV)/.home; $(BIN)/python -c 'print("works")' 2>/dev/null),$(CURDIR) works)
$(shell rm -rf $(VENV))
endif
endif

CONTEXT ?=
CHOICES = $(foreach each,$(CONTEXT),-c $(each))

.PHONY: help serve test test-all test-opensearch mutation check format-check lint types imports dead docs format bench wheel lock clean \
  deploy synth diff destroy

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS='	' read -r name what; do printf '  make %-16s %s\n' "$$name" "$$what"; done

# ------------------------------------------------------------------------------------------------ what people run

serve: $(VENV)/.serve ## start the memory on this machine
	@unset MAKEFLAGS MFLAGS MAKELEVEL; exec $(BIN)/palimpsest serve --sigterm-is-forwarded

# What tests/architecture looks at is a part of `make check`.
test: $(VENV)/.develop ## the test suite, about eight minutes on two cores
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup -m "not slow" --ignore tests/architecture

test-all: $(VENV)/.develop ## the same, with the slow tests
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadgroup

test-opensearch: $(VENV)/.develop ## the search index on a real OpenSearch server; needs Maven and Java 21 or later
	@$(OPENSEARCH) install >/dev/null
	@url=$$($(OPENSEARCH) start) && { $(BIN)/python -m pytest -q -n $(WORKERS) --opensearch="$$url" \
	  -k "not embedded" --dist loadgroup tests/contract/search_index tests/e2e/test_search_engines.py \
	  tests/e2e/cloud/test_search.py tests/benchmarks/test_backends.py; \
	  code=$$?; $(OPENSEARCH) stop; exit $$code; }

mutation: $(VENV)/.mutation ## change the rules of lineage, judge and scrub bit by bit: the tests have to notice
	@$(BIN)/python tests/mutation/run.py $(DIGITS)

check: $(VENV)/.develop ## format, lint, types, imports, dead code, docs = code
	@$(MAKE) --no-print-directory -k -j 4 $(if $(filter output-sync,$(.FEATURES)),-O) format-check lint types imports dead docs

bench: $(VENV)/.develop ## the benchmarks; DATA_LOCOMO=FILE and DATA_POQUAD=FILE for those that need data
	@$(BIN)/palimpsest bench imports
	@$(BIN)/palimpsest bench latency
	@$(BIN)/palimpsest bench supply
	@$(BIN)/palimpsest bench scrub $(if $(DATA_LOCOMO),--locomo '$(DATA_LOCOMO)') $(if $(DATA_POQUAD),--poquad '$(DATA_POQUAD)')
	@$(if $(DATA_LOCOMO),$(BIN)/palimpsest bench locomo --data '$(DATA_LOCOMO)')
	@$(if $(DATA_POQUAD),$(BIN)/palimpsest bench poquad --data '$(DATA_POQUAD)')

wheel: $(VENV)/.develop ## dist/palimpsest-*.whl
	@rm -rf dist
	@$(PIP) wheel --no-deps --no-build-isolation --no-index --wheel-dir dist .
	@ls dist/*.whl

format: $(VENV)/.develop ## write the format that check wants
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

# ------------------------------------------------------------------------------------------------- in an AWS account

deploy: $(VENV)/.infra ## to your AWS account; CONTEXT="search=off alarm_email=me@home.example" chooses
	@unset MAKEFLAGS MFLAGS MAKELEVEL; $(BIN)/python -m infra.deploy $(CHOICES)

synth: $(VENV)/.infra ## the CloudFormation templates, to .build/cdk.out
	@$(BIN)/python -m infra.cdk synth --quiet $(CHOICES)

diff: $(VENV)/.infra ## what deploy would change
	@$(BIN)/python -m infra.cdk diff $(CHOICES)

destroy: $(VENV)/.infra ## remove what can be made again; table, bucket and owner key stay
	@$(BIN)/python -m infra.destroy $(CHOICES)

clean: ## remove all that make made; the memory itself (~/.palimpsest) stays
	@rm -rf $(VENV) .build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .schemathesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ------------------------------------------------------------------------------------------------- parts of check

format-check: $(VENV)/.develop
	@$(BIN)/ruff format --check --quiet .

lint: $(VENV)/.develop
	@$(BIN)/ruff check --quiet .

types: $(VENV)/.develop
	@$(BIN)/mypy --no-error-summary

imports: $(VENV)/.develop
	@$(BIN)/lint-imports --no-logo > $(VENV)/.imports.log 2>&1 || { cat $(VENV)/.imports.log; exit 1; }

# Fields of dataclasses and wire models look unused where a framework reads them, so only code counts.
dead: $(VENV)/.develop
	@! { $(BIN)/vulture || [ $$? -eq 3 ] || echo "unreachable: vulture failed"; } | grep -E "unused (function|method|class|property|import)|unreachable"

docs: $(VENV)/.develop
	@$(BIN)/python -m pytest -q -p no:cacheprovider tests/architecture

# ------------------------------------------------------------------------------------------------------ the locks

# dev.txt is the superset; the others are parts of it, so that what is tested is what runs.
COMPILE = env -u UV_FIND_LINKS -u UV_INDEX -u UV_DEFAULT_INDEX -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL \
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links

lock: $(VENV)/.develop ## newest versions that pyproject.toml allows, with their hashes
	@$(COMPILE) pyproject.toml --upgrade --extra fast --extra rerank --group build --group dev -o requirements/dev.txt
	@$(COMPILE) pyproject.toml --extra fast -c requirements/dev.txt -o requirements/fast.txt
	@$(COMPILE) pyproject.toml --extra rerank -c requirements/dev.txt -o requirements/rerank.txt
	@$(COMPILE) pyproject.toml -c requirements/dev.txt -o requirements/runtime.txt
	@$(COMPILE) --group build -c requirements/dev.txt -o requirements/build.txt
	@$(COMPILE) --group infra -c requirements/dev.txt -o requirements/infra.txt
	@$(COMPILE) --group mutation -c requirements/dev.txt -o requirements/mutation.txt
	@$(COMPILE) layers/vendor/core/requirements.in -c requirements/runtime.txt -o layers/vendor/core/requirements.txt
	@set -e; for set in $(filter-out core,$(notdir $(wildcard layers/vendor/*))); do \
	  $(COMPILE) layers/vendor/$$set/requirements.in -c requirements/runtime.txt -o layers/vendor/$$set/requirements.txt \
	    $$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package \1/p' layers/vendor/core/requirements.txt); done
	@$(BIN)/python -m infra.cdk --lock

# --------------------------------------------------------------------------------------------- the environment, once

$(VENV)/.home:
	@lacks=; for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  "$$python" -c 'import ensurepip, venv' 2>/dev/null || { lacks="$$python"; continue; }; \
	  echo "making $(VENV) with $$("$$python" --version)" >&2; \
	  "$$python" -m venv $(VENV) && printf '%s\n' '$(CURDIR)' > $@ && exit 0; \
	done; \
	if [ -n "$$lacks" ]; then echo "$$lacks has no venv module: install it (Debian and Ubuntu: apt install python3-venv)" >&2; \
	else echo "Python 3.11 or later is needed and was not found: install it, or name it with make PYTHON=/path/to/python3" >&2; fi; \
	exit 1

$(VENV)/.runtime: $(VENV)/.home requirements/runtime.txt requirements/build.txt
	@echo "installing what palimpsest needs (once)" >&2
	@$(INSTALL) -r requirements/runtime.txt -r requirements/build.txt
	@touch $@

# The checkout itself: an editable install, so that .venv/bin/palimpsest runs what stands here.
$(VENV)/.editable: pyproject.toml | $(VENV)/.runtime
	@$(PIP) install --no-deps --no-build-isolation --no-index --editable .
	@touch $@

$(VENV)/.fast: requirements/fast.txt | $(VENV)/.runtime
	@$(INSTALL) --only-binary :all: -r requirements/fast.txt 2>$(VENV)/.fast.log || \
	  echo "no fast embedding engine for this machine (see $(VENV)/.fast.log); going on with the one that is always there" >&2
	@touch $@

.PHONY: $(VENV)/.serve
$(VENV)/.serve: $(VENV)/.runtime $(VENV)/.editable $(VENV)/.fast

# Node comes in a wheel, and the CDK's command line by its npm, beside the Python that runs it.
$(VENV)/.infra: requirements/infra.txt infra/package-lock.json infra/.npmrc | $(VENV)/.runtime
	@echo "installing what a deployment needs (once)" >&2
	@$(INSTALL) -r requirements/infra.txt
	@$(BIN)/python -m infra.cdk --install
	@touch $@

$(VENV)/.mutation: requirements/mutation.txt | $(VENV)/.develop
	@$(INSTALL) -r requirements/mutation.txt
	@touch $@

$(VENV)/.develop: requirements/dev.txt | $(VENV)/.serve $(VENV)/.infra
	@echo "installing what tests and checks need (once)" >&2
	@$(INSTALL) -r requirements/dev.txt
	@touch $@
