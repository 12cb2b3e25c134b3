"""The page that `brandub report` writes of a run, in the same browser."""

import json
import subprocess

import pytest
from built import program
from test_report import CUT, ROOT, Report


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    run = ROOT / "results" / "published" / "small-study"
    command = [program(), "report", run, "--out", folder, "--sample", "2", "--quiet"]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


@pytest.fixture
def report(browser, folder, request):
    report = Report(browser, folder / "report.html", **getattr(request, "param", {}))
    report.drawn()
    yield report
    report.close()


def test_a_runs_charts_are_those_that_were_saved(report, folder):
    shown = {figure.get_attribute("id") for figure in report.page.locator("figure").all()}
    saved = {path.name.removesuffix(".svg") for path in (folder / "charts").glob("*.svg")}
    assert shown == saved and len(saved) >= 10
    for path in (folder / "charts").glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    listed = json.loads((folder / "report.json").read_text())["files"]
    on_disk = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert set(listed) == on_disk - {"report.json"}


@pytest.mark.parametrize(
    "report", [{"viewport": {"width": width, "height": 800}} for width in (360, 768, 1024, 1180)], indirect=True
)
def test_no_chart_is_wider_than_the_window(report):
    width = report.page.viewport_size["width"]
    assert report.page.evaluate("document.documentElement.scrollWidth") <= width
    assert report.page.evaluate(CUT) == []


def test_a_chosen_game_is_played_to_its_end(report):
    page = report.page
    before = report.board()
    steps = int(page.locator("#viewer-slider").get_attribute("max"))
    assert steps > 4
    page.locator("#viewer-slider").fill(str(steps))
    assert report.board() != before
