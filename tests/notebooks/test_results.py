"""Reading a result folder: what is there, and what is said of what is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from conftest import TOP
from results import UnusableFolder, family, read, strength

PUBLISHED = TOP / "results" / "published"


def test_a_published_study_is_read_whole():
    study = read(PUBLISHED / "small-study")
    assert (study.name, study.paired) == ("small-study", True)
    assert (study.cells.height, study.games.height) == (144, 6912)
    assert study.axes() == {
        "king_armed": ["true", "false"],
        "throne_hostile": ["everyone", "none"],
        "king_capture": ["two", "four"],
        "king_return": ["true", "false"],
    }
    budgets = study.cells.select("attackers_budget", "defenders_budget").unique().sort(pl.all())
    assert budgets.rows() == [(a, d) for a in (250, 1000, 4000) for d in (250, 1000, 4000)]
    # A score for each winner, and the table's own counts from the games.
    counted = study.games.group_by("cell").agg((pl.col("score") == 0.5).sum().alias("draws"))
    both = study.cells.select("cell", "draws").join(counted, on="cell")
    assert both.height == 144 and (both["draws"] == both["draws_right"]).all()


def test_ids_of_digits_alone_stay_text(tmp_path):
    for name in ("winrates.csv", "manifest.json"):
        text = (PUBLISHED / "default" / name).read_text()
        (tmp_path / name).write_text(text.replace("ed678c9485b8", "000000000001"))
    shutil.copytree(PUBLISHED / "default" / "games", tmp_path / "games")
    (tmp_path / "games" / "ed678c9485b8").rename(tmp_path / "games" / "000000000001")
    for file in (tmp_path / "games" / "000000000001").iterdir():
        file.write_text(file.read_text().replace("ed678c9485b8", "000000000001"))
    assert "000000000001" in read(tmp_path).games["cell"]


def test_tables_alone_have_no_games():
    tables = read(PUBLISHED / "disputed-rules")
    assert (tables.name, tables.paired, tables.games) == ("disputed-rules", False, None)
    with pytest.raises(UnusableFolder, match="has tables but no games"):
        tables.need_games()


def test_a_whole_run_has_no_notes():
    assert read(PUBLISHED / "small-study").notes == read(PUBLISHED / "disputed-rules").notes == []


def changed(tmp_path: Path, change) -> Path:
    """The published default run with its manifest changed."""
    shutil.copytree(PUBLISHED / "default", tmp_path / "changed")
    manifest = json.loads((PUBLISHED / "default" / "manifest.json").read_text())
    change(manifest)
    (tmp_path / "changed" / "manifest.json").write_text(json.dumps(manifest))
    return tmp_path / "changed"


def half(manifest: dict) -> str:
    manifest["status"] = "incomplete"
    return "the run is not finished: this is what its first 3200 games say; `brandub run`"


def shard(manifest: dict) -> str:
    manifest["shard"] = {"index": 2, "count": 3}
    return "this is shard 2/3 of the run, 3200 games; `brandub merge` joins the shards"


def rule(manifest: dict) -> str:
    manifest["experiment"]["stop"] = {"until": {"width": 0.05}, "min_games": 10, "confidence": 0.95}
    return "a rule decided how many games each cell has. The verdicts and their bounds allow for it;"


def more_cells(manifest: dict) -> str:
    manifest["cells"] += manifest["cells"][:2]
    return "2 of 18 cells have no games yet"


@pytest.mark.parametrize("change", [half, shard, rule, more_cells])
def test_what_the_manifest_says_of_a_run_is_noted(tmp_path, change):
    said = []
    folder = changed(tmp_path, lambda manifest: said.append(change(manifest)))
    (note,) = read(folder).notes
    assert note.startswith(said[0])


def test_tables_alone_tell_of_a_rule_by_their_columns(tmp_path):
    table = pl.read_csv(PUBLISHED / "disputed-rules" / "winrates.csv", infer_schema=False)
    table.with_columns(pl.lit("0").alias("anytime_low")).write_csv(tmp_path / "winrates.csv")
    (note,) = read(tmp_path).notes
    assert note.startswith("a rule decided")


def lose(folder: Path, file: Path) -> str:
    file.unlink()
    return f"{file.name} is missing"


def cut(folder: Path, file: Path) -> str:
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    return "its files hold 6911 games, its winrates.csv says 6912"


def spoil(folder: Path, file: Path) -> str:
    file.write_bytes(b"cell,\xff\x00\n1")
    return "cannot be read|has no column"


def other_columns(folder: Path, file: Path) -> str:
    (folder / "winrates.csv").write_text("cell,ruleset\na,b\n")
    return "has no column"


def header_alone(folder: Path, file: Path) -> str:
    table = folder / "winrates.csv"
    table.write_text(table.read_text().splitlines(keepends=True)[0])
    return "has no rows"


def empty(folder: Path, file: Path) -> str:
    (folder / "winrates.csv").write_text("")
    return "cannot be read"


def other_manifest(folder: Path, file: Path) -> str:
    (folder / "manifest.json").write_text(json.dumps({"schema": 2}))
    return "is no manifest"


def no_tables(folder: Path, file: Path) -> str:
    (folder / "winrates.csv").unlink()
    return "has no winrates.csv"


@pytest.mark.parametrize(
    "damage", [lose, cut, spoil, other_columns, header_alone, empty, other_manifest, no_tables]
)
def test_damage_is_named(tmp_path, damage):
    folder = tmp_path / "study"
    shutil.copytree(PUBLISHED / "small-study", folder)
    expected = damage(folder, min(folder.glob("games/*/*.csv")))
    with pytest.raises(UnusableFolder, match=expected):
        read(folder)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("alphabeta:nodes=250", ("alphabeta:nodes=*", 250)),
        ("alphabeta:depth=4,weights=hand", ("alphabeta:depth=*,weights=hand", 4)),
        ("mcts:playouts=1,c=1", ("mcts:playouts=*,c=1", 1)),
        ("random", ("random", None)),
        ("external:seconds=1,./engine nodes=3", ("external:seconds=1,./engine nodes=3", None)),
    ],
)
def test_a_family_differs_in_its_budget_alone(spec, expected):
    assert family(spec) == expected


def test_a_pair_in_short():
    assert strength("greedy", "greedy") == "greedy"
    assert strength("random", "greedy") == "random v greedy"
    assert strength("alphabeta:nodes=2", "alphabeta:nodes=16") == "alphabeta:nodes=2 v 16"
    assert strength("alphabeta:depth=2", "alphabeta:nodes=2") == "alphabeta:depth=2 v alphabeta:nodes=2"
