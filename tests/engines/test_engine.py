"""The engine of the documentation, as whoever writes one starts from it."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import built

TOP = Path(__file__).resolve().parents[2]
ENGINE = TOP / "docs/engine.py"
# Repetition, no moves and encirclement end games otherwise under each of these.
STUDY = """\
name = "python"
seed = 5
games = 3
ply_limit = 300
[rules]
presets = ["wtf", "brandubh-3", "masters-weak-king"]
[opening]
random_plies = 3
[[match]]
attackers = {engine!r}
defenders = "greedy"
[[match]]
attackers = "random"
defenders = {engine!r}
"""


def run(folder: Path, out: str) -> list[dict[str, str]]:
    """Plays the study; the rows of its games."""
    command = [built.program(), "run", "python.toml", "--out", out, "--quiet"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    files = sorted((folder / out / "games").glob("*/*.csv"))
    return [row for file in files for row in csv.DictReader(file.open())]


def test_the_engine_plays_legal_moves_and_the_same_ones_for_a_seed(tmp_path: Path) -> None:
    # The command is part of what a game's random numbers are drawn from: it is the same
    # wherever this is.
    for name, there in {"python": sys.executable, "engine.py": ENGINE, "brandub": built.program()}.items():
        (tmp_path / name).symlink_to(there)
    (tmp_path / "python.toml").write_text(STUDY.format(engine="external:seconds=3600,./python engine.py ./brandub"))
    games = run(tmp_path, "once")
    assert len(games) == 2 * 3 * 3
    assert not [row for row in games if row["reason"].startswith("forfeit")]
    # It takes every win in one, against one who leaves many.
    against_random = [row["winner"] for row in games if row["attackers"] == "random"]
    assert against_random.count("defenders") >= 7, against_random
    assert run(tmp_path, "again") == games


def test_what_it_cannot_do_it_says(tmp_path: Path) -> None:
    lines = """\
rules "wtf"
play d2-d9
genmove defenders
undo
seed x

# a remark
7 genmove attackers
board
position /7/7/K4t1/7/t6/7/3t3/ defenders
play a3-a1
genmove attackers
quit
"""
    command = [sys.executable, str(ENGINE), built.program()]
    said = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60, check=True)
    answers = said.stdout.split("\n\n")
    assert "".join(answer[:1] for answer in answers) == "=???????===?="
    assert re.fullmatch(r"= /[^ ]+ attackers", answers[8])
    assert "defenders king-escaped" in answers[11]
    assert said.stderr == ""
