"""Reads a result folder for the notebooks. Imports polars alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import polars as pl

# Ids are hexadecimal and some consist of digits alone; an axis may be true and
# false in one experiment and empty in another: text keeps all of them as they are.
AXES = [
    "layout",
    "king_armed",
    "throne_hostile",
    "king_capture",
    "king_return",
    "king_edge",
    "throne",
    "throne_pass",
    "corners_hostile",
    "king_speed",
    "repetition",
    "no_moves",
    "encirclement",
]
_TEXT = ["cell", "ruleset", "label", "attackers", "defenders", *AXES]
_GAME_TEXT = ["cell", "ruleset", "attackers", "defenders", "winner", "reason", "opening", "moves_key"]
# The number that says how much an agent thinks: the first option of its spec.
_BUDGET = re.compile(r"((?:alphabeta|mcts):(?:depth|nodes|playouts)=)(\d+)(,.*)?")


class UnusableFolder(Exception):
    """A folder that a notebook cannot use. Jupyter shows the message alone."""

    def _render_traceback_(self) -> list[str]:
        return [f"This folder cannot be used: {self}"]


def family(spec: str) -> tuple[str, int | None]:
    """An agent's spec with `*` for its budget, and the budget if it has one."""
    found = _BUDGET.fullmatch(spec)
    if not found:
        return spec, None
    before, budget, after = found.groups(default="")
    return f"{before}*{after}", int(budget)


def strength(attackers: str, defenders: str) -> str:
    """Two specs in short: one of them where they are equal, and with both
    budgets where they differ in nothing else (`alphabeta:nodes=250 v 1000`).
    """
    if attackers == defenders:
        return attackers
    (one, budget), (other, against) = family(attackers), family(defenders)
    if one == other and budget is not None:
        return one.replace("*", f"{budget} v {against}", 1)
    return f"{attackers} v {defenders}"


@dataclass(frozen=True)
class Results:
    """A result folder.

    `cells` is `winrates.csv` with `experiment` before it and the agents'
    families and budgets and their `strength` in short after. `games` has a row a game and its `score` for the
    attackers: 1, 0, ½ for a draw by rule, null if it was stopped; None where
    only the tables were published. `paired` says whether games of one index
    share their opening. `notes` are what a reader of the numbers should know,
    as `brandub report` notes it. `margin` is how far from ½ a balanced score may be,
    where a rule asked that of each cell.
    """

    folder: Path
    name: str
    cells: pl.DataFrame
    games: pl.DataFrame | None
    paired: bool
    notes: list[str]
    margin: float | None = None

    def axes(self) -> dict[str, list[str]]:
        """The rule axes that differ between rulesets, and their levels in the
        experiment's order. An axis that does not exist under some of the
        rulesets (`king_edge`, where two capture the king) is not one of them.
        """
        levels = {axis: self.cells[axis].unique(maintain_order=True).to_list() for axis in AXES}
        return {axis: found for axis, found in levels.items() if len(found) > 1 and None not in found}

    def need_games(self) -> pl.DataFrame:
        """The games, or a message that only the tables are here."""
        if self.games is None:
            raise UnusableFolder(
                f"{self.folder} has tables but no games. This notebook needs each game's result: "
                "play the experiment again with `brandub run`, which gives the same games."
            )
        return self.games


def read(folder: str | Path) -> Results:
    """Reads a folder that `brandub run` or `brandub rate` wrote."""
    folder = Path(folder)
    table = folder / "winrates.csv"
    if not folder.is_dir():
        raise UnusableFolder(f"there is no folder {folder} (seen from {Path.cwd()}).")
    if not table.is_file():
        raise UnusableFolder(
            f"{folder} has no winrates.csv. It is no result folder, or the run was killed before its "
            "tables were written: the same `brandub run` command again goes on and writes them."
        )
    cells = _read_table([table], _TEXT, ["games", "attackers_wins", "defenders_wins", "draws", "ply_limits"])
    if cells.is_empty():
        raise UnusableFolder(f"{table} has no rows.")
    manifest = _manifest(folder)
    name = manifest["experiment"]["name"] if manifest else folder.resolve().name
    # Without a manifest games are not taken for paired.
    paired = bool(manifest) and manifest["experiment"]["pairing"] == "common"
    cells = cells.select(pl.lit(name).alias("experiment"), pl.all())
    for side in ("attackers", "defenders"):
        parts = [family(spec) for spec in cells[side]]
        cells = cells.with_columns(
            pl.Series(f"{side}_family", [of for of, _ in parts], pl.String),
            pl.Series(f"{side}_budget", [budget for _, budget in parts], pl.Int64),
        )
    pairs = zip(cells["attackers"], cells["defenders"])
    cells = cells.with_columns(pl.Series("strength", [strength(*pair) for pair in pairs]))
    games, notes = _games(folder, manifest, cells), _notes(manifest, cells)
    stop = manifest["experiment"].get("stop") if manifest else None
    margin = stop["until"].get("decided", {}).get("margin") if stop else None
    return Results(folder, name, cells, games, paired, notes, margin)


def _manifest(folder: Path) -> dict | None:
    path = folder / "manifest.json"
    if not path.is_file():
        return None
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        manifest["experiment"]["name"], manifest["experiment"]["pairing"], manifest["files"]
        manifest["status"], manifest["shard"], manifest["cells"]
    except (ValueError, KeyError, TypeError) as error:
        raise UnusableFolder(f"{path} is no manifest that `brandub` wrote ({error!r}).") from error
    return manifest


def _notes(manifest: dict | None, cells: pl.DataFrame) -> list[str]:
    """That it is half a run, a shard, or one that a rule ended, and which cells
    have no games or none that was finished. Without a manifest only the columns
    tell of a rule, and nothing of missing games.
    """
    notes = []
    found = cells["games"].sum()
    if manifest and (shard := manifest["shard"]):
        notes.append(
            f"this is shard {shard['index']}/{shard['count']} of the run, {found} games; "
            "`brandub merge` joins the shards"
        )
    if manifest and manifest["status"] != "complete":
        notes.append(
            f"the run is not finished: this is what its first {found} games say; "
            "`brandub run` with its experiment goes on"
        )
    if manifest["experiment"].get("stop") if manifest else "anytime_low" in cells.columns:
        notes.append(
            "a rule decided how many games each cell has. The verdicts and their bounds allow for it; "
            "all other bounds and tests take the numbers of games for fixed"
        )
    # Cells without games have no rows.
    total = len(manifest["cells"]) if manifest else cells.height
    empty = total - cells.filter(pl.col("games") > 0).height
    if empty:
        notes.append(f"{empty} of {total} cells have no games yet")
    stopped = [
        f"{games} games of {label} ({attackers} against {defenders})"
        for label, attackers, defenders, games, stopped in cells.select(
            "label", "attackers", "defenders", "games", "ply_limits"
        ).rows()
        if games > 0 and stopped == games
    ]
    if stopped:
        more = f"; and {len(stopped) - 3} more" if len(stopped) > 3 else ""
        notes.append(
            "there is no score where every game was stopped at the ply limit: "
            + "; ".join(stopped[:3])
            + more
        )
    return notes


def _games(folder: Path, manifest: dict | None, cells: pl.DataFrame) -> pl.DataFrame | None:
    if manifest:
        files = [folder / name for name in sorted(manifest["files"]) if name.startswith("games/")]
        lost = [file for file in files if not file.is_file()]
        if lost:
            raise UnusableFolder(f"{lost[0]} is missing; `brandub verify {folder}` says what is wrong.")
    else:
        files = sorted(folder.glob("games/*/*.csv"))
    if not files:
        return None
    games = _read_table(files, _GAME_TEXT, ["game", "plies"])
    found, expected = games.height, cells["games"].sum()
    if found != expected or set(games["cell"]) - set(cells["cell"]):
        raise UnusableFolder(
            f"{folder}: its files hold {found} games, its winrates.csv says {expected}; "
            "`brandub verify` says what is wrong."
        )
    score = pl.col("winner").replace_strict(
        {"attackers": 1.0, "draw": 0.5, "defenders": 0.0, "none": None}, return_dtype=pl.Float64
    )
    return games.with_columns(score.alias("score"))


def _read_table(files: list[Path], text: list[str], needed: list[str]) -> pl.DataFrame:
    try:
        table = pl.read_csv(files, schema_overrides=dict.fromkeys(text, pl.String))
    except (pl.exceptions.PolarsError, OSError, UnicodeError) as error:
        raise UnusableFolder(f"{files[0]} cannot be read: {error}") from error
    lacking = [column for column in [*text, *needed] if column not in table.columns]
    if lacking:
        raise UnusableFolder(f"{files[0]} has no column {lacking[0]}: it is not of this version of `brandub`.")
    return table


def write(output: str | Path | None, tables: dict[str, pl.DataFrame]) -> None:
    """Writes each table as `<name>.csv` to a folder; does nothing without one."""
    if not output:
        return
    Path(output).mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        table.write_csv(Path(output) / f"{name}.csv")
