# `make run` shows the app, `make test` checks everything. Both set up what they need, and only once.
.PHONY: setup run test check bench soak screenshots lock clean
unexport PYTHONHOME PYTHONPATH

BIN := .venv/bin
UV ?= uv
SEEDS ?= 5000
DUE ?= 5000
ARGS ?=

setup:
	@sh tools/setup.sh test

run:
	@sh tools/setup.sh run
	@$(BIN)/stopwell demo

# One process more than there are cores: many tests wait for another process, a window or a socket.
test: check
	@$(BIN)/python -m pytest -n $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )) --maxprocesses=4 --dist worksteal $(ARGS)

check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Every script in bench/, one after the other. They measure; they never fail for being slow.
bench: setup
	@ls bench/*.py >/dev/null 2>&1 || { echo "There is no benchmark in bench/ yet." >&2; exit 1; }
	@for script in bench/*.py; do echo "== $$script"; $(BIN)/python "$$script" || exit 1; done

# The simulation, over many more seeds than `make test` takes, and 5,000 due for several workers: make soak SEEDS=20000
# Then 400,000 random conditions as SQL and in Python, on each database.
# Stopped and started again, the simulation goes on where it was (build/soak.txt).
soak: setup
	@$(BIN)/python -m tests.simulation.soak $(SEEDS)
	@STOPWELL_TEST_CONDITIONS=20000 $(BIN)/python -m pytest -q tests/store/test_condition_sql.py
	@STOPWELL_TEST_DUE=$(DUE) $(BIN)/python -m pytest tests/races/test_many_workers.py $(ARGS)

# Pictures of every screen, in screenshots/.
screenshots: setup
	@test -f tools/screenshots.py || { echo "There is no tools/screenshots.py yet." >&2; exit 1; }
	@QT_QPA_PLATFORM=offscreen $(BIN)/python tools/screenshots.py screenshots

# Only to change versions; nobody else needs uv. Newer ones of everything: make lock ARGS=--upgrade
LOCK := pip compile pyproject.toml --all-extras --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock" --quiet
lock:
	$(UV) $(LOCK) $(ARGS) --group dev -o requirements-dev.lock
	$(UV) $(LOCK) -c requirements-dev.lock -o requirements.lock

# Everything that make has made. Data folders are elsewhere and stay.
clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist screenshots *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
