//! The page of a report and its charts, as files.

use brandub::analysis::page::{
    Chart, ChosenGame, Drawer, Page, PageTable, Provenance, charts, headline, html,
};
use brandub::analysis::{Run, Table};
use brandub::experiment::Program;

use super::super::failure::Failure;
use super::files::{Files, PAGE};

/// What each table is, for the page.
const CAPTIONS: [(&str, &str); 9] = [
    ("winrates", "How the games of every cell ended"),
    ("effects", "What each rule does to the attackers' score"),
    ("verdicts", "Whom every ruleset favours"),
    ("strength", "The attackers' score by budgets"),
    ("trends", "What strength does to the score"),
    ("games", "What the games are like"),
    ("openings", "First moves, up to the board's symmetries"),
    ("people", "People's games beside these"),
    ("solved", "What is proved beside how games went"),
];

/// A table as the page takes it.
pub fn table(table: &Table) -> PageTable {
    let name = table.name();
    let caption = CAPTIONS.iter().find(|(known, _)| *known == name);
    PageTable {
        name: name.to_owned(),
        caption: caption.map_or(name, |(_, caption)| caption).to_owned(),
        csv: String::from_utf8_lossy(&table.csv()).into_owned(),
    }
}

/// Puts the page together.
pub fn page(
    runs: &[Run],
    tables: Vec<PageTable>,
    notes: &[String],
    games: Vec<ChosenGame>,
    command: String,
) -> Result<Page, Failure> {
    let names: Vec<&str> = runs
        .iter()
        .map(|run| run.experiment().name.as_str())
        .collect();
    let program = Program::current();
    Ok(Page {
        title: format!("Brandub: {}", names.join(", ")),
        headline: headline(&tables).map_err(|error| Failure::Failed(error.to_string()))?,
        notes: notes.to_vec(),
        tables,
        games,
        provenance: Provenance {
            version: program.version,
            commit: program.commit,
            seeds: runs
                .iter()
                .map(|run| (run.experiment().name.clone(), run.experiment().seed))
                .collect(),
            commands: vec![command],
        },
    })
}

/// Writes `report.html`, and every chart to `charts/` as SVG, PNG and Vega-Lite
/// specification.
pub fn write(files: &mut Files, page: &Page) -> Result<(), Failure> {
    let charts = charts(page).map_err(|error| Failure::Failed(error.to_string()))?;
    let drawer = Drawer::new().map_err(|error| Failure::Failed(error.to_string()))?;
    for chart in &charts {
        for (name, bytes) in pictures(&drawer, chart)? {
            files.write(&name, &bytes)?;
        }
    }
    files.write(PAGE, html(page, &charts).as_bytes())
}

fn pictures(drawer: &Drawer, chart: &Chart) -> Result<[(String, Vec<u8>); 3], Failure> {
    let (svg, png) = drawer
        .draw(chart)
        .map_err(|error| Failure::Failed(error.to_string()))?;
    let mut spec = serde_json::to_vec_pretty(&chart.spec).expect("a specification is plain data");
    spec.push(b'\n');
    let name = |ending: &str| format!("charts/{}.{ending}", chart.id);
    Ok([
        (name("svg"), svg.into_bytes()),
        (name("png"), png),
        (name("vl.json"), spec),
    ])
}
