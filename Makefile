# Everything a newcomer types. `make run` and `make test` start from nothing: Python 3.11 to 3.14 and make are enough.
SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
LOCK := requirements/dev.txt
STAMP := $(VENV)/.installed
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))
PORT ?= 8000

.PHONY: help setup run test lint format prove bench audit lock messages clean

help:
	@echo "make run      set up what is missing and serve the demo season on http://127.0.0.1:$(PORT)/"
	@echo "make test     set up what is missing and run every test"
	@echo "make lint     style, types, import contracts, templates, migrations, catalogues"
	@echo "make prove    the long proofs and their table (ARGS=T3 for one)        make bench   the measurements and theirs"
	@echo "make audit    asks a public service whether a pinned package has known holes"
	@echo "make format   rewrite style          make lock    pin requirements/*.in      make messages   collect texts to translate"

setup: $(STAMP) $(CATALOGUES)

$(STAMP): $(LOCK)
	@found=$$(sh docker/find-python) && { test -x $(PY) || $$found -m venv --clear $(VENV); }
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(LOCK)
	@touch $(STAMP)

%.mo: %.po docker/compile_messages.py | $(STAMP)
	@$(PY) docker/compile_messages.py $<

run: setup
	@PORT=$(PORT) PYTHON=$(PY) sh docker/run-embedded

test: setup
	@PYTHON=$(PY) sh docker/test $(ARGS)

lint: setup
	@BIN=$(BIN) sh docker/lint

format: setup
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	@for pass in 1 2; do $(BIN)/djlint templates --reformat --quiet >/dev/null; done  # it settles at the second pass

prove: setup
	@$(PY) -m tests.proofs $(ARGS)

bench: setup
	@$(PY) -m bench $(ARGS)

audit: setup
	@BIN=$(BIN) sh docker/audit

lock: setup
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 --custom-compile-command "make lock" requirements/dev.in -o requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 --custom-compile-command "make lock" --constraint requirements/dev.txt requirements/base.in -o requirements/base.txt

messages: setup
	@PYTHON=$(PY) sh docker/messages

clean:
	rm -rf $(VENV) var .pytest_cache .mypy_cache .ruff_cache .import_linter_cache staticfiles
