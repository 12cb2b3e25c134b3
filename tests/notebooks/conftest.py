"""Result folders for the notebooks, and what the notebooks and the report make
of them."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

import polars as pl
import pytest
from built import program

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "notebooks"))

import run  # noqa: E402  (the notebooks' own runner)

# Other than the published studies in everything that matters: independent games,
# three values of a rule, a low ply limit that stops many, agents without a budget
# beside agents with one, one side that wins nothing.
OTHER = """
name = "other"
seed = 7
games = 90
ply_limit = 40
pairing = "independent"

[rules]
base = { base = "disputed", king_armed = false }
vary = { throne_hostile = ["everyone", "soldiers", "none"], king_capture = ["two", "four"] }

[opening]
random_plies = 1

[[match]]
agents = ["alphabeta:nodes=60", "alphabeta:nodes=240"]
cross = true

[[match]]
attackers = "random"
defenders = "greedy"
"""
# Paired games of which many are stopped, so that indices lose some of their games.
STOPPED = """
name = "stopped"
seed = 8
games = 120
ply_limit = 24
pairing = "common"

[rules]
base = "disputed"
vary = { king_armed = [true, false], throne_hostile = ["none", "everyone"], king_return = [false, true] }

[opening]
random_plies = 2

[[match]]
agents = ["alphabeta:nodes=30", "alphabeta:nodes=60", "alphabeta:nodes=120", "alphabeta:nodes=240"]
"""


@pytest.fixture(scope="session")
def brandub():
    """Runs the program; gives what it says on standard error."""

    def start(*arguments) -> str:
        words = [program(), *map(str, arguments)]
        done = subprocess.run(words, cwd=TOP, capture_output=True, text=True)
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
        return done.stderr

    return start


@dataclass
class Folder:
    """A result folder and where the tables made of it go."""

    path: Path
    made: Path
    brandub: object

    def notebooks(self) -> dict[str, str | None]:
        """Runs every notebook once; each one's message, if it has one."""
        if not hasattr(self, "_messages"):
            out = self.made / "notebooks"
            out.mkdir(parents=True)
            # Two at a time. Forks of a process with polars' threads may hang.
            with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
                said = pool.map(run.run, run.NOTEBOOKS, repeat(self.path), repeat(out))
                self._messages = dict(zip((book.stem for book in run.NOTEBOOKS), said, strict=True))
        return self._messages

    def of_notebooks(self, table: str) -> pl.DataFrame:
        """A table that a notebook wrote."""
        self.notebooks()
        return read(self.made / "notebooks" / f"{table}.csv")

    def of_report(self, table: str) -> pl.DataFrame:
        """A table of `brandub report`."""
        out = self.made / "report"
        if not out.exists():
            self.brandub("report", self.path, "--out", out)
        return read(out / f"{table}.csv")


def read(path: Path) -> pl.DataFrame:
    """Everything as text: numbers are compared where both have one."""
    return pl.read_csv(path, infer_schema=False)


@pytest.fixture(scope="session", params=["small-study", "default", "other", "stopped"])
def folder(request, tmp_path_factory, brandub) -> Folder:
    """Published folders, and two that are played here."""
    made = tmp_path_factory.mktemp(request.param)
    played = {"other": OTHER, "stopped": STOPPED}.get(request.param)
    if not played:
        return Folder(TOP / "results" / "published" / request.param, made, brandub)
    experiment = made / "experiment.toml"
    experiment.write_text(played)
    brandub("run", experiment, "--out", made / "results", "--quiet")
    return Folder(made / "results", made, brandub)
