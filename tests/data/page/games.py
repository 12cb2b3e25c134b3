"""Makes games.jsonl: two games of results/published/default as the program
gives them, the first with the members `start` and `events` added.

    python3 games.py ../../../target/release/brandub
"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
GAMES = [
    ("559ec38978d5", 2, "The king captured with one of his men at one stroke"),
    ("39bde5f9f157", 3, "An escape, from a file without positions and events"),
]
EVENTS = {25: ["king captured by two", "not a capture where it takes four"]}


def main():
    with open(HERE / "games.jsonl", "w") as file:
        for number, (cell, game, title) in enumerate(GAMES):
            command = [sys.argv[1], "replay", "--json", HERE.parents[2] / "results/published/default"]
            command += ["--cell", cell, "--game", str(game)]
            played = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            if number == 0:
                played["start"] = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
                plies = range(1, len(played["moves"]) + 1)
                played["events"] = [EVENTS.get(ply, []) for ply in plies]
            file.write(json.dumps({"title": title, "game": played}, separators=(",", ":")) + "\n")


main()
