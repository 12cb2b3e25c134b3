"""The report's page in a real browser, opened from disk with the network off.

    python3 -m pytest tests/browser

needs pytest, playwright (its Python package; no browser of its own) and a
Chromium or Chrome that CHROMIUM names or that is on the path. The page is the
one that the example `sample-page` writes; BRANDUB_PAGE names
a folder that has it already.
"""

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest
from built import built

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "page"
START = "king on d4; defenders on c4, d3, d5, e4; attackers on a4, b4, d1, d2, d6, d7, f4, g4"
# Milliseconds that anything may take, on a machine that has much else to do.
PATIENCE = 300_000

# The charts of which a part can only be seen by scrolling sideways.
CUT = "[...document.querySelectorAll('.chart')].filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.parentElement.id)"


@pytest.fixture(scope="session")
def page_file(tmp_path_factory):
    folder = os.environ.get("BRANDUB_PAGE")
    if folder is None:
        folder = tmp_path_factory.mktemp("page")
        subprocess.run([built("examples/sample-page"), folder], cwd=ROOT, check=True)
    return Path(folder).resolve() / "report.html"


class Report:
    """An open page, and what it did that it should not."""

    def __init__(self, browser, file, **options):
        self.context = browser.new_context(offline=True, accept_downloads=True, **options)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.messages, self.requests = [], []
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(file.as_uri())

    def drawn(self):
        """Waits for the last chart."""
        self.page.wait_for_selector("html[data-drawn]")

    def board(self):
        return self.page.locator("#viewer-board svg").get_attribute("aria-label")

    def close(self):
        self.context.close()
        assert self.messages == []
        outside = [url for url in self.requests if not url.startswith(("file:", "blob:", "data:"))]
        assert outside == []


@pytest.fixture
def report(browser, page_file, request):
    options = {"viewport": {"width": 1180, "height": 900}} | getattr(request, "param", {})
    report = Report(browser, page_file, **options)
    yield report
    report.close()


phone = pytest.mark.parametrize("report", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
widths = pytest.mark.parametrize(
    "report", [{"viewport": {"width": width, "height": 800}} for width in (360, 768, 1180)], indirect=True
)
dark = pytest.mark.parametrize("report", [{"color_scheme": "dark"}], indirect=True)


def download(report, click):
    with report.page.expect_download() as waited:
        click()
    return waited.value.suggested_filename, Path(waited.value.path()).read_bytes()


def test_the_page_itself_is_all_that_is_loaded(report, page_file):
    report.drawn()
    assert report.requests == [page_file.as_uri()]
    assert report.messages == []
    refused = report.page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'loaded', () => 'refused')")
    assert refused == "refused"
    # The refusal itself is reported; nothing else is.
    assert all("Content Security Policy" in message or "violates" in message for message in report.messages)
    report.messages.clear()
    report.requests.clear()


def test_every_chart_is_drawn_with_marks_and_words(report):
    report.drawn()
    charts = report.page.locator("figure")
    assert charts.count() > 10
    for chart in charts.all():
        name = chart.get_attribute("id")
        svg = chart.locator(".chart svg")
        box = svg.bounding_box()
        assert box["width"] > 200 and box["height"] > 100, name
        assert svg.locator(".role-mark path").count() > 5, name
        label = chart.locator("[role=graphics-document]").get_attribute("aria-label")
        assert label == f"{chart.locator('h3').inner_text()}. {chart.locator('figcaption').inner_text()}"
        assert len(chart.locator("figcaption").inner_text()) > 60, name


def opened(details):
    """Opens a table, by the keyboard; its rows are made when it is first open."""
    details.locator("summary").press("Enter")
    details.locator("tbody tr").first.wait_for()
    return details


def test_a_charts_numbers_are_in_a_table_beside_it(report):
    rows = opened(report.page.locator("#balance-disputed-rules")).locator("tbody tr")
    assert rows.count() == 80
    assert rows.first.locator("td").first.inner_text() == "armed · everyone · two · return"


@widths
def test_nothing_is_wider_than_the_window(report):
    report.drawn()
    for details in report.page.locator("details").all():
        details.evaluate("element => { element.open = true; }")
    report.page.wait_for_selector("[data-table='0'] tbody tr")
    width = report.page.viewport_size["width"]
    assert report.page.evaluate("document.documentElement.scrollWidth") <= width
    assert report.page.evaluate(CUT) == []


def test_scrolling_draws_nothing_anew_and_another_width_does(report):
    report.drawn()
    mark = "document.querySelectorAll('.chart svg').forEach((svg) => { svg.dataset.old = '1'; })"
    old = ".chart svg[data-old]"
    report.page.evaluate(mark)
    before = report.page.locator(old).count()
    report.page.mouse.wheel(0, 4000)
    report.page.wait_for_timeout(500)
    assert report.page.locator(old).count() == before
    report.page.set_viewport_size({"width": 400, "height": 800})
    report.page.wait_for_selector(old, state="detached")
    report.drawn()
    assert report.page.evaluate("document.documentElement.scrollWidth") <= 400


def test_a_chart_is_saved_as_svg_and_png(report, page_file):
    figure = report.page.locator("#effects-disputed-rules")
    name, svg = download(report, figure.get_by_role("button", name="Save as SVG").click)
    assert name == "effects-disputed-rules.svg"
    assert svg.startswith(b"<svg") and svg.count(b'aria-roledescription="point"') == 20
    # The same marks as the file that the program drew.
    published = (page_file.parent / name).read_bytes()
    assert published.count(b'aria-roledescription="point"') == 20
    name, png = download(report, figure.get_by_role("button", name="Save as PNG").click)
    assert name == "effects-disputed-rules.png" and png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20], "big") > 1000


def column(table, index):
    return [row.locator("td").nth(index).inner_text() for row in table.locator("tbody tr").all()]


def test_a_table_sorts_by_mouse_and_keyboard(report):
    details = opened(report.page.locator("[data-table='7']"))
    heads = details.locator("thead th").all()
    words = [head.inner_text().strip() for head in heads]
    index = words.index("people score")
    head, button = heads[index], heads[index].locator("button")
    visible = [word for head, word in zip(heads, words, strict=True) if head.is_visible()]
    assert "label" in visible and head.get_attribute("aria-sort") == "none"
    as_written = column(details, index)
    button.click()
    assert head.get_attribute("aria-sort") == "ascending"
    upward = [float(number) for number in column(details, index)]
    assert upward == sorted(upward) and column(details, index) != as_written
    button.focus()
    report.page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert [float(number) for number in column(details, index)] == upward[::-1]


def test_numbers_sort_as_numbers_and_ids_as_text(report):
    details = opened(report.page.locator("[data-table='3']"))
    words = [head.inner_text().strip() for head in details.locator("thead th").all()]
    budget = words.index("attackers budget")
    details.locator("thead th button").nth(budget).click()
    details.get_by_role("button", name="Show all").click()
    with open(DATA / "strength.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    budgets = [int(text) for text in column(details, budget)]
    assert budgets == sorted(int(row["attackers_budget"]) for row in rows)
    assert len(budgets) == len(rows) > 100


def test_a_table_is_saved_as_it_came(report):
    details = opened(report.page.locator("[data-table='0']"))
    name, text = download(report, details.locator("[data-save=csv]").click)
    assert name == "winrates.csv"
    assert text == (DATA / "winrates.csv").read_bytes()


def test_columns_without_a_difference_are_told_and_can_be_shown(report):
    details = opened(report.page.locator("[data-table='0']"))
    assert "layout cross" in details.locator(".same").inner_text()
    layout = details.locator("thead th", has_text="layout")
    assert not layout.is_visible()
    details.get_by_label("every column").check()
    assert layout.is_visible()


def test_the_viewer_steps_and_marks_the_captured(report):
    page = report.page
    assert START in report.board()
    page.get_by_role("button", name="One ply on").click()
    assert report.board().startswith("1. Attackers: b4-b5") and START not in report.board()
    page.locator("#viewer-slider").fill("3")
    captured = page.locator("#viewer-board .captured")
    assert captured.get_attribute("data-square") == "e2"
    assert "Captured: defender on e2." in page.locator("#viewer-now").inner_text()
    page.get_by_role("button", name="To the end").click()
    now = page.locator("#viewer-now").inner_text()
    assert "King captured by two; not a capture where it takes four." in now
    assert "The attackers win: king captured." in now
    assert {it.get_attribute("data-square") for it in captured.all()} == {"e5", "d6"}
    assert page.locator("#viewer-board .king:not(.captured)").count() == 0
    current = page.locator("#viewer-moves [aria-current]")
    assert current.inner_text() == "b5-d5xe5xd6"
    page.locator("#viewer-moves button").first.click()
    assert report.board().startswith("1. Attackers: b4-b5")


def test_the_viewer_listens_to_the_keyboard(report):
    page = report.page
    page.locator("#viewer-board").focus()
    for key, start in [("ArrowRight", "1."), ("ArrowRight", "2."), ("ArrowLeft", "1."), ("End", "25."), ("Home", "Start.")]:
        page.keyboard.press(key)
        assert report.board().startswith(start), key


def test_rules_are_told_in_their_order(report):
    facts = report.page.locator("#viewer-facts dt:has-text('Rules') + dd")
    assert facts.inner_text().startswith("Layout: cross · King armed: yes · Throne hostile to: nobody · ")


def test_another_game_can_be_chosen(report):
    report.page.locator("#viewer-game").select_option(index=1)
    assert START in report.board()
    report.page.locator("#viewer-board").press("End")
    now = report.page.locator("#viewer-now").inner_text()
    assert "The defenders win: king escaped." in now


def paste(report, text):
    details = report.page.locator("#viewer-other")
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    report.page.locator("#viewer-text").fill(text)
    report.page.get_by_role("button", name="Show this game").click()
    return report.page.locator("#viewer-error").inner_text()


def chosen(index):
    return json.loads((DATA / "games.jsonl").read_text().splitlines()[index])["game"]


def test_a_pasted_game_is_shown(report):
    game = chosen(1)
    assert "events" not in game and "start" not in game
    assert paste(report, json.dumps(game)) == ""
    facts = report.page.locator("#viewer-facts").inner_text()
    assert f"cell {game['cell']}, game {game['game']}" in facts
    assert report.page.locator("#viewer-moves li").count() == len(game["moves"])
    report.page.locator("#viewer-board").press("End")
    assert f"king on {game['moves'][-1][-2:]}" in report.board()


BAD = {
    "": "Nothing has been pasted.",
    "brandub": "This is not JSON",
    "[1]": "no game",
    "{}": "`moves` is nothing: expected a list",
    '{"moves": ["d2-e2"]}': "`captures` is nothing: expected a list",
    '{"moves": ["d2-e2"], "captures": []}': "`captures` has 0 entries, `moves` has 1",
    '{"moves": ["d2e2"], "captures": [[]]}': 'Ply 1, "d2e2": expected a move such as "d2-e2"',
    '{"moves": ["d3-e3"], "captures": [[]]}': "no piece of the attackers stands on d3",
    '{"moves": ["d2-e3"], "captures": [[]]}': "along a file or a rank",
    '{"moves": ["a4-c4"], "captures": [[]]}': "b4 is not empty",
    '{"moves": ["d2-e2"], "captures": [["e3"]]}': "no piece of the other side stands on e3",
    '{"moves": [], "captures": [], "start": "7/7"}': "has 2 ranks, not 7",
    '{"moves": [], "captures": [], "start": "7/7/7/7/7/7/7"}': "not exactly one king",
    '{"moves": ["d2-e2"], "captures": [[]], "events": [1]}': "expected a list of texts",
    "null": "no game",
}


def test_what_is_no_game_is_refused_with_a_reason(report):
    before = report.board()
    for text, reason in BAD.items():
        assert reason in paste(report, text), text
        assert report.board() == before, text


def test_markup_in_a_pasted_game_is_text(report):
    game = chosen(0) | {"attackers": "<img src=x onerror=alert(1)>", "events": [["<b>x</b>"]] * 25}
    assert paste(report, json.dumps(game)) == ""
    report.page.locator("#viewer-board").press("End")
    assert "<b>x</b>" in report.page.locator("#viewer-now").inner_text()
    assert report.page.locator("#viewer img, #viewer b").count() == 0


def brightness(report, selector, what):
    script = "([selector, what]) => getComputedStyle(document.querySelector(selector))[what]"
    colour = report.page.evaluate(script, [selector, what])
    parts = colour[colour.index("(") + 1 : -1].split(",")
    return sum(float(part) for part in parts[:3]) / 3


@dark
def test_dark_mode_is_dark_in_charts_too(report):
    report.drawn()
    assert brightness(report, "body", "backgroundColor") < 60
    assert brightness(report, "body", "color") > 180
    assert brightness(report, ".chart svg .role-axis-label text", "fill") > 180
    grounds = report.page.locator(".chart svg > rect").count()
    assert grounds == 0, "a chart has a ground of its own"


def test_a_change_of_the_theme_draws_the_charts_in_it(report):
    report.drawn()
    assert brightness(report, ".chart svg .role-axis-label text", "fill") < 60
    report.page.emulate_media(color_scheme="dark")
    report.page.wait_for_selector("html:not([data-drawn='1'])[data-drawn]")
    assert brightness(report, ".chart svg .role-axis-label text", "fill") > 180


def test_print_leaves_the_buttons_out_and_is_black_on_white(report):
    report.drawn()
    report.page.emulate_media(media="print", color_scheme="dark")
    assert not report.page.locator("nav").is_visible()
    assert not report.page.locator("button").first.is_visible()
    assert brightness(report, "body", "backgroundColor") > 250
    assert brightness(report, "body", "color") < 10


@phone
def test_the_viewer_fits_a_phone(report):
    box = report.page.locator("#viewer-board svg").bounding_box()
    assert 250 < box["width"] <= 360
    report.page.get_by_role("button", name="One ply on").click()
    assert report.board().startswith("1. ")


def test_every_control_has_a_name_and_the_keyboard_reaches_it(report):
    nameless = """[...document.querySelectorAll('button, select, input, textarea')].filter((it) =>
        !(it.getAttribute('aria-label') || it.textContent || it.labels?.length)).length"""
    assert report.page.evaluate(nameless) == 0
    report.page.keyboard.press("Tab")
    assert report.page.evaluate("document.activeElement.className") == "skip"
    reached = set()
    for _ in range(200):
        report.page.keyboard.press("Tab")
        reached.add(report.page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"viewer-game", "viewer-board", "viewer-slider", "SUMMARY", "BUTTON", "A"} <= reached
