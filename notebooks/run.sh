#!/usr/bin/env bash
# Runs the notebooks on a result folder without opening them:
#
#     notebooks/run.sh RESULTS [OUT]
#
# See run.py for what it writes. The first time it makes their Python
# environment in target/venv.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$top/tests/environment.sh" python
venv=$(cd "$top" && cd "${CARGO_TARGET_DIR:-target}/venv" && pwd)
exec "$venv/bin/python" "$top/notebooks/run.py" "$@"
