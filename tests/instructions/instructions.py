#!/usr/bin/env python3
"""Counts the instructions of the hot loops by callgrind.

    tests/instructions/instructions.py           print them beside the file's
    tests/instructions/instructions.py --write   write benches/instructions.toml anew

A loop is run for a smaller and a larger number of rounds; the difference of the
two counts, by the units of work between them, leaves the program's start out.
Valgrind has no AVX-512: where the program chooses by what the processor can do,
this counts what it does without. The program is target/release/brandub, or the
one that BRANDUB names.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests"))

from built import program  # noqa: E402

FILE = TOP / "benches" / "instructions.toml"

# Rounds of each loop, with ten million instructions or more between the two.
ROUNDS = {
    "playouts_portable": (0, 1),
    "playouts_bmi2": (0, 1),
    "playouts_avx2": (0, 1),
    "perft": (1, 3),
    "search": (0, 1),
    "records": (1, 11),
    "tables": (1, 3),
}

HEADER = """\
# Instructions for each unit of work of the hot loops: how they are counted says
# tests/instructions/instructions.py, which writes this file (--write) and by
# which the tests compare.

# A count may differ by so much of itself to either side.
tolerance = {tolerance}
# The same where another compiler made the program.
tolerance_other_compiler = {tolerance_other_compiler}
"""
TOLERANCES = {"tolerance": 0.03, "tolerance_other_compiler": 0.2}


def compiler() -> dict[str, str]:
    """What the program says it was made by and for."""
    command = [program(), "bench", "perft", "--seconds", "0.01", "--json"]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    made = json.loads(said.stdout)["program"]
    return {key: made[key] for key in ("rustc", "target")}


def run(loop: str, rounds: int) -> tuple[int, int]:
    """Instructions, and units of work done: none if the processor has not what the loop needs."""
    one_thread = {"RAYON_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program()]
        command += ["bench", loop, "--times", str(rounds)]
        command += ["--folder", folder] if loop == "tables" else []
        environment = os.environ | one_thread
        said = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if said.returncode == 2 and "this processor has no instructions for it" in said.stderr:
        return 0, 0
    assert said.returncode == 0, f"{' '.join(command)}\n{said.stdout}{said.stderr}"
    counted = re.search(r"Collected : (\d+)", said.stderr)
    assert counted, f"no count in what callgrind says:\n{said.stderr}"
    return int(counted[1]), int(said.stdout.split()[1]) if said.stdout else 0


def count(loop: str) -> float | None:
    """Instructions for each unit of a loop's work, where the processor can do it."""
    (few, little), (many, much) = (run(loop, rounds) for rounds in ROUNDS[loop])
    return (many - few) / (much - little) if much > little else None


def count_all() -> dict[str, float]:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = zip(ROUNDS, pool.map(count, ROUNDS), strict=True)
        return {loop: number for loop, number in counts if number is not None}


def written() -> dict:
    return tomllib.loads(FILE.read_text())


def write(counts: dict[str, float]) -> None:
    text = HEADER.format(**TOLERANCES)
    text += "\n[compiler]\n" + "".join(f'{key} = "{name}"\n' for key, name in compiler().items())
    text += "\n[instructions]\n" + "".join(f"{loop} = {number:.2f}\n" for loop, number in counts.items())
    FILE.write_text(text)


def main() -> None:
    counts = count_all()
    if sys.argv[1:] == ["--write"]:
        write(counts)
        return
    expected = written()["instructions"] if FILE.exists() else {}
    for loop, number in counts.items():
        before = expected.get(loop)
        change = f"{100 * (number / before - 1):+.1f} % from {before}" if before else "not in the file"
        print(f"{loop:12} {number:12.2f}   {change}")


if __name__ == "__main__":
    main()
