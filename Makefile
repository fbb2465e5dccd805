# The course's commands; `make` alone lists them.
# TORCH=default leaves the choice of torch's build to pip, TORCH=cpu takes the CPU build anywhere.
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
TORCH ?=
ARGS ?=
BIN := .venv/bin
export TORCH

.DEFAULT_GOAL := help
.PHONY: help lab setup test stored quick proof build bench bench-grade chromium walls nbgrader lock

help:
	@echo 'make lab     open the course in JupyterLab (ARGS="--no-browser --port 8899" for JupyterLab)'
	@echo 'make setup   make or update .venv, which the other commands do by themselves'
	@echo 'make quick   run the tests that take little time; a minute'
	@echo 'make test    run every test but the proofs; ten minutes'
	@echo 'make proof   run the tests that take more than a minute each; twenty minutes'
	@echo 'make build   build the notebooks and exercises from lessons/ (ARGS=02 for one)'
	@echo 'make bench   print the benchmarks'
	@echo 'make bench-grade   print how `course grade` does beside other graders; nine minutes'
	@echo 'make walls   install what `course grade` builds its walls with'
	@echo 'make lock    pin all versions again, in requirements.lock (ARGS=--upgrade for new ones)'

lab: setup
	@$(BIN)/course lab $(ARGS)

# The first Python that is new enough. A pyenv shim may exist and not run, hence the trial.
setup:
	@for python in $(PYTHON); do \
	    if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        exec $$python -m course.setup; \
	    fi; \
	done; \
	echo 'The course needs Python 3.11 or newer: install one, or name it: make PYTHON=/path/to/python3.'; \
	exit 1

quick: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow and not browser and not proof"

test: setup chromium walls
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pytest -n 2 --dist loadfile -m "not browser and not proof"
	@# A browser mostly waits: the stored notebooks are checked meanwhile, and give way to it.
	@mkdir -p .build; nice $(MAKE) --no-print-directory stored >.build/stored.log 2>&1 & \
	    stored=$$!; trap "kill $$stored; exit 130" INT TERM; \
	    $(BIN)/pytest -m browser; browser=$$?; \
	    wait $$stored; stored=$$?; cat .build/stored.log; exit $$((browser || stored))

# What is stored is what the sources build, and what the cells show.
stored:
	$(BIN)/course build --check
	$(BIN)/pytest -n 2 --dist loadfile --nbval notebooks solutions

# One at a time: a whole class that is graded fills the machine.
proof: setup walls nbgrader
	$(BIN)/pytest -m proof

build: setup
	@$(BIN)/course build $(ARGS)

bench: setup
	@$(BIN)/python benchmarks/run.py $(ARGS)

bench-grade: setup walls
	@$(BIN)/python benchmarks/grade.py $(ARGS)

# Only the tests in a browser need it, and they say so where it is missing.
chromium: setup
	@$(BIN)/python -m course.debian_packages chromium

# Only `course grade` needs it, and says so where it is missing.
walls: setup
	@$(BIN)/python -m course.debian_packages bubblewrap

# Only `make proof` needs it. It stands apart, so that .venv stays as students have it.
nbgrader: setup
	@cmp -s requirements-nbgrader.lock .build/nbgrader/made || { \
	    rm -rf .build/nbgrader; echo 'nbgrader: installing requirements-nbgrader.lock; once'; \
	    $(BIN)/pip install --quiet --disable-pip-version-check --no-deps \
	        --target .build/nbgrader -r requirements-nbgrader.lock && \
	    cp requirements-nbgrader.lock .build/nbgrader/made; }

# hatchling and editables build the course itself. uv keeps the versions of the file that it writes to.
lock:
	@command -v uv >/dev/null || { echo 'make lock needs uv on PATH: pip install uv.'; exit 1; }
	@mkdir -p .build
	@cp requirements.lock .build/resolved.lock
	@printf 'hatchling\neditables\n' | uv pip compile --quiet --universal --python-version 3.11 \
	    --all-extras --no-header --no-annotate $(ARGS) -o .build/resolved.lock pyproject.toml -
	@{ grep '^#' requirements.lock; grep -vE '^(#|nvidia-|cuda-|triton)' .build/resolved.lock; } \
	    > .build/requirements.lock
	@mv .build/requirements.lock requirements.lock
