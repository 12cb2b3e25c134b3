"""Runs the notebooks on a result folder, each into a copy with its charts, a
page to read, and its tables as CSV."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import nbconvert
import papermill
from papermill.exceptions import PapermillExecutionError

HERE = Path(__file__).resolve().parent
NOTEBOOKS = sorted(HERE.glob("0*.ipynb"))
# The kernel would warn that it listens unencrypted, on this machine alone.
QUIET = {"extra_arguments": ["--IPKernelApp.log_level=CRITICAL"]}
# Seconds until a kernel has started, and until what a cell printed is there, on a machine
# that has much else to do.
PATIENT = {"start_timeout": 600, "iopub_timeout": 600}


def run(notebook: Path, results: Path, out: Path) -> str | None:
    """Runs one notebook; gives the message if it could not use the folder.

    Writes `<notebook>.ipynb`, `<notebook>.html` and its tables to `out`.
    """
    done = out / notebook.name
    parameters = {"results": str(results.resolve()), "output": str(out.resolve())}
    try:
        papermill.execute_notebook(
            notebook, done, parameters=parameters, cwd=HERE, progress_bar=False, kernel_name="python3", **QUIET, **PATIENT
        )
    except PapermillExecutionError as error:
        if error.ename != "UnusableFolder":
            raise
        return error.evalue
    page, _ = nbconvert.HTMLExporter().from_filename(str(done))
    done.with_suffix(".html").write_text(page, encoding="utf-8")
    return None


def main() -> int:
    parser = argparse.ArgumentParser(prog="notebooks/run.sh", description=__doc__)
    parser.add_argument("results", type=Path, metavar="RESULTS", help="the folder that `brandub run` wrote")
    parser.add_argument(
        "out", type=Path, nargs="?", metavar="OUT", help="where to write; target/notebooks/<name> if left out"
    )
    parser.add_argument("--only", metavar="TEXT", default="", help="only notebooks with this in their names")
    options = parser.parse_args()
    target = HERE.parent / os.environ.get("CARGO_TARGET_DIR", "target")
    out = options.out or target / "notebooks" / options.results.resolve().name
    out.mkdir(parents=True, exist_ok=True)
    failed = False
    for notebook in NOTEBOOKS:
        if options.only not in notebook.name:
            continue
        message = run(notebook, options.results, out)
        failed |= message is not None
        print(f"{notebook.name}: {message or out / (notebook.stem + '.html')}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
