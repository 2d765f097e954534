# Everything a developer, a newcomer or CI runs. `make` alone lists it.
# Needed beforehand: Python 3.11 or newer with venv, git, make. Everything else goes into .venv.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

# The first Python that is new enough; `make PYTHON=/path/to/python3.12 …` names another one.
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach each,$(CANDIDATES),$(shell $(each) -c '$(NEW_ENOUGH)' 2>/dev/null && echo $(each))) python3)

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALLED_TEST := $(VENV)/.installed-test
PIP := $(BIN)/python -m pip install --quiet --quiet --no-input --editable
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

# What a target hands on to the program it runs: `make demo ARGS="--port 9000"`, `make test ARGS="-k pointer"`.
ARGS ?=
# For how long `make fuzz` tries.
SECONDS ?= 60

.PHONY: help demo test check format lint types browser fuzz bench screenshots patterns clean

help: ## List what can be made.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

demo: $(INSTALLED) ## Serve a repository made up on the spot and print its address; Ctrl-C ends it and removes everything.
	@$(BIN)/cockpit demo $(ARGS)

test: $(INSTALLED_TEST) browser ## Run all tests, those in a real browser included.
	$(BIN)/python -m pytest -n auto $(ARGS)

check: lint types test ## What CI runs: format, lint, types, tests.

format: $(INSTALLED_TEST) ## Format the code and mend what the linter can mend by itself.
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(INSTALLED_TEST) ## Say where the format or the linter's rules do not hold; change nothing.
	$(BIN)/ruff format --check --quiet --diff .
	$(BIN)/ruff check --quiet .

types: $(INSTALLED_TEST) ## Check the types, strictly.
	$(BIN)/mypy --no-error-summary

browser: $(INSTALLED_TEST) ## Find a Chromium for the browser tests, and install one where there is none.
	@$(BIN)/python -m tests.browser

fuzz: $(INSTALLED_TEST) ## Break whole stores at random for a minute and hold every promise; SECONDS=600 for ten.
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(ARGS)

bench: $(INSTALLED_TEST) ## Measure side by side.
	$(BIN)/python -m bench $(ARGS)

screenshots: browser ## Photograph the demonstration's pages into build/screenshots, and the README's pictures into tests/pictures.
	$(BIN)/python -m tests.screenshots $(ARGS)

patterns: $(INSTALLED_TEST) ## Serve every component of the pages: ordinary, empty, long and hostile; Ctrl-C ends it.
	@$(BIN)/python -m tests.patterns $(ARGS)

clean: ## Remove .venv and everything else that git does not track by rule.
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .make
	find cockpit tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# ---------------------------------------------------------------------- .venv
# An installation is repeated only when pyproject.toml has changed since.

$(INSTALLED): pyproject.toml | $(BIN)/pip
	@echo "Installing Cockpit into $(VENV) ..."
	@$(PIP) .
	@touch $@

$(INSTALLED_TEST): pyproject.toml | $(BIN)/pip
	@echo "Installing Cockpit and what its tests need into $(VENV) ..."
	@$(PIP) '.[test]'
	@touch $(INSTALLED) $@

$(BIN)/pip:
	@command -v git >/dev/null || { echo "Cockpit needs git on the PATH." >&2; exit 1; }
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Cockpit needs Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) -c '$(NEW_ENOUGH)' || { echo "Cockpit needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Name a newer one: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "This Python cannot make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
