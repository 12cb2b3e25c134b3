"""An engine for brandub's protocol (docs/protocol.md) that leaves the rules to `brandub engine`.

python3 engine.py [BRANDUB]    BRANDUB is the program, by default `brandub`

`choose` is what plays; the rest is the protocol.
"""

from __future__ import annotations

import random
import subprocess
import sys


class Rules:
    """A game, kept by `brandub engine`: whatever it is told, and asked of the position."""

    def __init__(self, program: str) -> None:
        self.engine = subprocess.Popen(
            [program, "engine", "random"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, command: str) -> str:
        """The answer to a command, without its `= `. ValueError: why it was not done."""
        assert self.engine.stdin and self.engine.stdout
        print(command, file=self.engine.stdin, flush=True)
        lines = []
        while line := self.engine.stdout.readline().rstrip("\n"):
            lines.append(line)
        if not lines:
            raise EOFError("the program that keeps the rules has ended")
        answer = "\n".join(lines)
        if answer.startswith("?"):
            raise ValueError(answer[1:].strip())
        return answer[1:].strip()


def choose(rules: Rules, side: str, chance: random.Random) -> str:
    """The move to play: one that wins at once if there is one, or any."""
    moves = sorted(rules.ask("legal_moves").split())
    for move in moves:
        rules.ask(f"play {move}")
        won = rules.ask("outcome").startswith(side)
        rules.ask("undo")
        if won:
            return move
    return chance.choice(moves)


def genmove(rules: Rules, side: str, chance: random.Random) -> str:
    """Chooses a move for the side and plays it. ValueError: there is none to choose."""
    _, to_move = rules.ask("board").split()
    outcome = rules.ask("outcome")
    if outcome != "ongoing" or side != to_move:
        raise ValueError(f"no move for {side}: {outcome}, {to_move} to move")
    move = choose(rules, side, chance)
    rules.ask(f"play {move}")
    return move


def main() -> None:
    rules = Rules(sys.argv[1] if len(sys.argv) > 1 else "brandub")
    chance = random.Random()
    for line in sys.stdin:
        command = line.strip()
        name, _, rest = command.partition(" ")
        try:
            if not name[:1].isalpha():
                raise ValueError(f"no command: {command}")
            if name == "genmove":
                answer = genmove(rules, rest, chance)
            elif name == "seed":
                chance, answer = random.Random(int(rest)), ""
            else:
                answer = rules.ask(command)
            print(f"= {answer}".rstrip(), end="\n\n", flush=True)
        except ValueError as error:
            print(f"? {error}", end="\n\n", flush=True)
        if name == "quit":
            break


if __name__ == "__main__":
    main()
