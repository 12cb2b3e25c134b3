#!/usr/bin/env bash
# Writes requirements.txt of notebooks/, scale/dask/ and tests/ anew: the newest
# versions that the three requirements.in allow, exactly and with the checksums of
# their files, for Python 3.11 and newer on any system.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tests/environment.sh python
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"${CARGO_TARGET_DIR:-target}/venv/bin/python" -m venv "$tools"
"$tools/bin/python" -m pip install --quiet uv

pin() {
    printf '# Made by tests/pin.sh from requirements.in; do not edit.\n'
    "$tools/bin/uv" pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
        --generate-hashes --no-annotate --no-header --no-emit-index-url "$@"
}

pin notebooks/requirements.in >"$tools/notebooks.txt"
pin scale/dask/requirements.in -c "$tools/notebooks.txt" >"$tools/dask.txt"
pin tests/requirements.in -c "$tools/notebooks.txt" -c "$tools/dask.txt" >"$tools/tests.txt"
cp "$tools/notebooks.txt" notebooks/requirements.txt
cp "$tools/dask.txt" scale/dask/requirements.txt
sed '1a -r ../notebooks/requirements.txt\n-r ../scale/dask/requirements.txt' "$tools/tests.txt" >tests/requirements.txt
