//! Writes a report's page and its charts from the tables of `tests/data/page`,
//! to look at them and for the tests in a browser:
//! `cargo run --release --example sample-page -- target/page`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use brandub::analysis::page::{ChosenGame, Drawer, Page, PageTable, Provenance, charts, html};

const TABLES: [(&str, &str); 8] = [
    ("winrates", "one row a cell: who won, how often, how"),
    ("effects", "what each rule does to the score"),
    ("verdicts", "balanced, or whom a ruleset favours"),
    ("strength", "score against budget"),
    ("trends", "what is fitted to the scores against budgets"),
    ("games", "measures of the games"),
    ("openings", "first moves"),
    ("people", "games of people beside those of programs"),
];

fn sample() -> Result<Page, Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/page");
    let mut tables = Vec::new();
    for (name, caption) in TABLES {
        tables.push(PageTable {
            name: name.to_owned(),
            caption: caption.to_owned(),
            csv: fs::read_to_string(data.join(format!("{name}.csv")))?,
        });
    }
    let mut games = Vec::new();
    for line in fs::read_to_string(data.join("games.jsonl"))?.lines() {
        let json: serde_json::Value = serde_json::from_str(line)?;
        games.push(ChosenGame {
            title: json["title"].as_str().unwrap_or("a game").to_owned(),
            json: json["game"].clone(),
        });
    }
    Ok(Page {
        title: "How fair are Brandub's disputed rules?".to_owned(),
        headline: vec![
            "By how many the king is captured outweighs everything else.".to_owned(),
            "Where two capture him, an unarmed king and a hostile throne help the attackers."
                .to_owned(),
        ],
        notes: vec!["A sample: first moves and measures mean nothing.".to_owned()],
        tables,
        games,
        provenance: Provenance {
            version: "0.0.0".to_owned(),
            commit: "sample".to_owned(),
            seeds: vec![("disputed-rules".to_owned(), 20_260_102)],
            commands: vec!["brandub run experiments/disputed-rules.toml".to_owned()],
        },
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::args().nth(1).unwrap_or("target/page".to_owned()));
    fs::create_dir_all(&out)?;
    let page = sample()?;
    let charts = charts(&page)?;
    let drawer = Drawer::new()?;
    for chart in &charts {
        let (svg, png) = drawer.draw(chart)?;
        fs::write(out.join(format!("{}.svg", chart.id)), svg)?;
        fs::write(out.join(format!("{}.png", chart.id)), png)?;
    }
    fs::write(out.join("report.html"), html(&page, &charts))?;
    Ok(())
}
