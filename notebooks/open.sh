#!/usr/bin/env bash
# Opens the notebooks in JupyterLab: notebooks/open.sh. The first time it makes
# their Python environment in target/venv. Arguments go to JupyterLab.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tests/environment.sh python
python=$(cd "${CARGO_TARGET_DIR:-target}/venv/bin" && pwd)/python
cd notebooks
# Jupyter lets root open notebooks only if asked to.
[[ $(id -u) -ne 0 ]] || set -- --allow-root "$@"
exec "$python" -m jupyterlab "$@"
