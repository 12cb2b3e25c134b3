#!/usr/bin/env bash
# Runs every test: the Rust tests, the report in a browser, the notebooks, the
# hot loops' counts of instructions, runs in shards on Slurm and Dask.
# Needs Rust; tests/environment.sh gets the rest where it is missing. Arguments
# go to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

step() {
    local before=$SECONDS
    printf '\n== %s\n' "$*"
    "$@"
    printf '== took %s s\n' "$((SECONDS - before))"
}

if ! command -v cargo >/dev/null; then
    echo 'cargo is missing: install Rust 1.95 or newer, as rustup.rs says' >&2
    exit 1
fi
step tests/environment.sh compiler
# Compiles while the rest is fetched; what is wrong is said by the step itself.
cargo test --release --locked --no-run --quiet >/dev/null 2>&1 &
compiling=$!
trap 'kill "$compiling" 2>/dev/null || true' EXIT
step tests/environment.sh python browser valgrind slurm
wait "$compiling" || true
trap - EXIT
# Makes the program too, which the Python tests start.
step cargo test --release --locked
# One file of tests on each core.
step "${CARGO_TARGET_DIR:-target}/venv/bin/python" -m pytest tests -n auto --dist loadfile "$@"
printf '\n== all tests passed (%s s)\n' "$SECONDS"
