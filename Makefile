# The course's commands. `make lab` opens the course, `make test` runs every check; both install first what is missing.
SHELL := bash
PYTHON := .venv/bin/python
INSTALLED := .venv/.installed

.PHONY: setup lab test lint lock bench conformance views torture mutants preview

# The environment, in .venv; made again when what it is made from changes.
setup: $(INSTALLED)

$(INSTALLED): requirements.lock pyproject.toml hatch_build.py tools/setup.sh $(wildcard jupyterlab-settings/* jupyterlab-settings/nbconvert-templates/*/* bentocola/locales/*/LC_MESSAGES/*.po)
	@bash tools/setup.sh $@

# The course as a static site in site/, shown on this machine. ARGS="--port 8080 --base-url /course/" changes where.
preview: setup
	@$(PYTHON) -m preview serve $(ARGS)

# The student's copies in course/, in JupyterLab. BENTOCOLA_OPEN=0 opens no browser.
lab: setup
	@$(PYTHON) -m tools.lab

test: setup lint
	@$(PYTHON) tools/debian.py chromium firefox-esr fonts-noto-cjk || echo "Without them the tests marked 'browser' are skipped."
	$(PYTHON) -m pytest

lint: setup
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m mypy

# requirements.lock, environment.yml and binder/environment.yml, from pyproject.toml.
lock: setup
	@$(PYTHON) -m tools.lock

# The module that draws the stepper and the AWS view, from bentocola/views/source. Commit what it writes.
views: setup
	@$(PYTHON) -m tools.views

bench: setup
	@$(PYTHON) -m bench

# How far our cloud, plain moto and MiniStack hold what AWS documents: a table. ARGS="--all --why --only mappings" narrows and explains.
conformance: setup
	@$(PYTHON) -m tests.conformance $(ARGS)

# Kills the real `autograder grade` at 200 random points, each time runs it again, and compares. ARGS="--kills 20 --seed 7" narrows.
torture: setup
	@$(PYTHON) -m tests.autograder.torture $(ARGS)

# How well the checks tell wrong answers from right ones, and name the belief behind a wrong one: a table. ARGS="--seeds 1 --right-seeds 2 --only 05/" narrows.
mutants: setup
	@$(PYTHON) -m tests.mutants $(ARGS)
