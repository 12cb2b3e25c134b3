"""The notebooks as they are committed, run for real, and their numbers beside
the report's, which other code computes in another language."""

from __future__ import annotations

import nbformat
import polars as pl
import pytest
import run
from conftest import TOP, Folder

BOOKS = {book.stem: book for book in run.NOTEBOOKS}


def test_there_are_three():
    assert sorted(BOOKS) == [
        "01-balance-by-ruleset",
        "02-rule-effects-and-interactions",
        "03-strength-and-convergence",
    ]


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_what_is_committed_is_valid_and_has_no_outputs(book):
    notebook = nbformat.read(book, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    tagged = [cell for cell in code if "parameters" in cell.metadata.get("tags", [])]
    assert len(tagged) == 1 and "../results/published/small-study" in tagged[0].source
    assert notebook.cells[0].cell_type == "markdown" and notebook.cells[0].source.startswith("# ")
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


def test_every_notebook_runs_from_top_to_bottom(folder: Folder):
    assert folder.notebooks() == dict.fromkeys(BOOKS)
    for name in BOOKS:
        notebook = nbformat.read(folder.made / "notebooks" / f"{name}.ipynb", as_version=4)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert all(cell.execution_count for cell in code)
        outputs = [output for cell in code for output in cell.outputs]
        assert not [output for output in outputs if output.output_type in ("error", "stream")], name
        charts = [output for output in outputs if "image/svg+xml" in output.get("data", {})]
        # 03 has nothing to draw where all agents are equally strong.
        assert charts or (name.startswith("03") and folder.path.name == "default")
        page = (folder.made / "notebooks" / f"{name}.html").read_text()
        assert page.count('src="data:image/svg+xml') == len(charts)


# Of each table: the columns that say which row it is, and those that are compared.
# A notebook need not have all columns, but those that it has hold the report's.
KEYS = {
    "winrates": ["cell"],
    "verdicts": ["cell"],
    "effects": ["attackers", "defenders", "method", "axis", "to", "other_axis", "other_to"],
    "strength": ["cell"],
    "trends": ["ruleset", "family", "quantity", "at_budget"],
}


@pytest.mark.parametrize("table", KEYS)
def test_the_notebooks_numbers_are_the_reports(folder: Folder, table):
    ours, reports = folder.of_notebooks(table), folder.of_report(table)
    assert not set(ours.columns) - set(reports.columns)
    if table not in ("strength", "trends"):
        assert ours.height > 0
    keys = [pl.col(key).fill_null("") for key in KEYS[table]]
    ours, reports = (frame.with_columns(keys).sort(KEYS[table]) for frame in (ours, reports))
    assert ours.select(KEYS[table]).rows() == reports.select(KEYS[table]).rows()
    wrong = []
    for column in ours.columns:
        for place, (mine, theirs) in enumerate(zip(ours[column], reports[column])):
            if not same(mine, theirs):
                wrong.append((*ours.select(KEYS[table]).row(place), column, mine, theirs))
    assert not wrong


def same(mine: str | None, theirs: str | None) -> bool:
    """Whether two fields of CSV hold the same, numbers to a millionth: the
    report writes six decimals, or six significant digits."""
    if mine is None or theirs is None:
        return mine == theirs
    try:
        one, other = float(mine), float(theirs)
    except ValueError:
        return mine == theirs
    return one == pytest.approx(other, rel=6e-6, abs=1.1e-6)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("0.1234567", "0.123457", True),
        ("0.1234567", "0.123460", False),
        ("1.23456789e-9", "1.23457e-9", True),
        ("12345.678", "12345.7", True),
        ("12345.678", "12346.7", False),
        ("ml", "firth", False),
        (None, "0.0", False),
        (None, None, True),
    ],
)
def test_the_comparison_can_fail(one, other, expected):
    assert same(one, other) is expected


def message(number: int, path, tmp_path) -> str | None:
    """What a notebook, by its number, says of a folder it cannot use."""
    return run.run(run.NOTEBOOKS[number - 1], path, tmp_path)


def played(experiment: str, tmp_path, brandub):
    """The results of an experiment in the words of its file."""
    (tmp_path / "experiment.toml").write_text(f'name = "x"\nseed = 1\ngames = 8\n{experiment}')
    brandub("run", tmp_path / "experiment.toml", "--out", tmp_path / "results", "--quiet")
    return tmp_path / "results"


def test_a_folder_that_is_none_is_named_without_a_traceback(tmp_path):
    said = message(1, tmp_path / "nowhere", tmp_path)
    assert said.startswith("there is no folder") and "nowhere" in said
    notebook = nbformat.read(tmp_path / run.NOTEBOOKS[0].name, as_version=4)
    errors = [
        output for cell in notebook.cells for output in cell.get("outputs", []) if output.output_type == "error"
    ]
    # papermill puts a notice of its own before the cell that failed.
    shown = [line for error in errors for line in error.traceback]
    assert shown == [f"This folder cannot be used: {said}"]


def test_tables_without_games_are_enough_for_the_first_alone(tmp_path):
    tables = TOP / "results" / "published" / "disputed-rules"
    assert message(1, tables, tmp_path) is None
    assert "has tables but no games" in message(2, tables, tmp_path)
    assert "has tables but no games" in message(3, tables, tmp_path)


RULES = '[rules]\nbase = "disputed"\nvary = { king_armed = [true, false] }\n[[match]]\nagents = ["random"]\n'
ADAPTIVE = 'name = "x"\nseed = 1\ngames = "adaptive"\n[adaptive]\ntotal = 400\nmin_games = 10\nmargin = 0.1\n'


def notes_shown(book: str, folder, out) -> list[str]:
    """The notes that a notebook shows above its first numbers."""
    assert message(int(book[:2]), folder, out) is None
    notebook = nbformat.read(out / f"{book}.ipynb", as_version=4)
    (setup,) = (cell for cell in notebook.cells if cell.get("id") == "setup")
    shown = ["".join(output["data"]["text/markdown"]) for output in setup.outputs]
    assert not shown[-1].startswith("**Note**")
    return shown[:-1]


def of_report(folder, out, brandub) -> list[str]:
    """The report's notes, as the notebooks show them."""
    lines = brandub("report", folder, "--out", out).splitlines()
    return [f"**Note**: {line.removeprefix('note: x: ')}." for line in lines if line.startswith("note: x: ")]


def test_half_a_run_and_a_shard_are_noted_as_the_report_does(tmp_path, brandub):
    (tmp_path / "x.toml").write_text('name = "x"\nseed = 1\ngames = 60\n' + RULES.replace("random", "greedy"))
    parts = tmp_path / "parts"
    brandub("run", tmp_path / "x.toml", "--shard", "1/2", "--results", parts, "--quiet")
    (part,) = parts.iterdir()
    # One cell's games alone: the other has none here.
    expected = of_report(part, tmp_path / "report", brandub)[:2]
    assert "this is shard 1/2" in expected[0] and "1 of 2 cells have no games yet" in expected[1]
    assert notes_shown("01-balance-by-ruleset", part, tmp_path) == expected
    whole = tmp_path / "whole"
    brandub("run", tmp_path / "x.toml", "--out", whole, "--quiet")
    manifest = whole / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"complete"', '"incomplete"', 1))
    for name in list(BOOKS)[:2]:
        (note,) = notes_shown(name, whole, tmp_path)
        assert note.startswith("**Note**: the run is not finished: this is what its first 120 games say")


def test_a_rule_that_ended_a_run_is_noted_and_its_bounds_decide(tmp_path, brandub):
    (tmp_path / "x.toml").write_text(ADAPTIVE + RULES)
    brandub("run", tmp_path / "x.toml", "--out", tmp_path / "results", "--quiet")
    for name in list(BOOKS)[:2]:
        (note,) = notes_shown(name, tmp_path / "results", tmp_path)
        assert "a rule decided how many games each cell has" in note
    brandub("report", tmp_path / "results", "--out", tmp_path / "report")
    tables = [tmp_path / "verdicts.csv", tmp_path / "report" / "verdicts.csv"]
    ours, reports = (pl.read_csv(table, infer_schema=False).sort("cell") for table in tables)
    assert ours.columns == reports.columns[: len(ours.columns)] and ours["low"].null_count() == 0
    for column in ours.columns:
        assert all(same(*pair) for pair in zip(ours[column], reports[column])), column


def test_every_notebook_shows_the_notes_before_it_refuses_a_folder(tmp_path, brandub):
    one = played('ply_limit = 3\n[rules]\nbase = "wtf"\n[[match]]\nagents = ["greedy"]\n', tmp_path, brandub)
    (expected,) = (note for note in of_report(one, tmp_path / "report", brandub) if "no score where" in note)
    for book in run.NOTEBOOKS:
        message(int(book.stem[:2]), one, tmp_path)
        notebook = nbformat.read(tmp_path / book.name, as_version=4)
        (setup,) = (cell for cell in notebook.cells if cell.get("id") == "setup")
        assert "".join(setup.outputs[0]["data"]["text/markdown"]) == expected


def test_one_axis_has_effects_but_no_interactions(tmp_path, brandub):
    one = played(RULES, tmp_path, brandub)
    assert message(2, one, tmp_path) is None


def test_one_cell_alone_has_a_balance_but_no_effects(tmp_path, brandub):
    one = played('[rules]\nbase = "wtf"\n[[match]]\nagents = ["greedy"]\n', tmp_path, brandub)
    assert message(1, one, tmp_path) is None
    assert "no rule axis that differs" in message(2, one, tmp_path)
    assert "no finished games between agents that differ in their budget alone" in message(3, one, tmp_path)


def test_rulesets_that_are_no_crossing_are_refused_for_effects(tmp_path, brandub):
    rules = '[rules]\npresets = ["walker-2011", "wtf", "crust"]\n[[match]]\nagents = ["random"]\n'
    some = played(rules, tmp_path, brandub)
    assert "not every combination" in message(2, some, tmp_path)
