//! `brandub report`: what the games of result folders say.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use brandub::analysis::{Report, Run};
use brandub::experiment::write_whole;

use super::failure::{Failure, say};
use super::report_tables::{Style, print};

/// Say what the games say: which rulesets are balanced, what each rule does
///
/// Reads one or more result folders, finished or not, and plays nothing.
/// Writes tables as CSV; docs/tables.md describes their columns. Of several
/// folders each experiment is a block of its own.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub report results/default                          writes results/default/report/\n  \
    brandub report results/default --terminal               shows the main table, writes nothing\n  \
    brandub report results/presets results/people --out both --margin 0.03")]
pub struct Arguments {
    /// Result folders
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// Folder for the tables [default: RESULTS/report]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How far from one half a balanced score may be
    #[arg(long, default_value = "0.05", value_parser = margin)]
    margin: f64,
    /// Show the main table; files are written only where --out says
    #[arg(long, conflicts_with_all = ["markdown", "json"])]
    terminal: bool,
    /// The same in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// All tables as one JSON object; files are written only where --out says
    #[arg(long)]
    json: bool,
}

fn margin(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(margin) if margin > 0.0 && margin < 0.5 => Ok(margin),
        _ => Err("expected a number between 0 and 0.5, such as 0.05 for five points".to_owned()),
    }
}

/// Reports on the folders named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let folder = folder(arguments)?;
    let runs = arguments.results.iter().map(|results| Run::read(results));
    let runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    let report = Report::new(&runs, arguments.margin)?;
    for note in &report.notes {
        say(&format!("note: {note}"));
    }
    let files = report.files();
    if let Some(folder) = &folder {
        write(folder, &files)?;
    }
    if arguments.json {
        return print_json(&report, arguments.margin).map_err(Failure::from);
    }
    if arguments.terminal || arguments.markdown {
        let style = match arguments.markdown {
            true => Style::Markdown,
            false => Style::Terminal {
                coloured: is_coloured(),
            },
        };
        return print(&runs, &report, style).map_err(Failure::from);
    }
    if let Some(folder) = folder {
        let mut out = io::stdout().lock();
        for (name, _) in &files {
            writeln!(out, "{}", folder.join(name).display())?;
        }
    }
    Ok(())
}

/// Whether colours are wanted: on a terminal, unless `NO_COLOR` is set
/// (<https://no-color.org>), and elsewhere if `CLICOLOR_FORCE` is
/// (<https://bixense.com/clicolors/>).
fn is_coloured() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    set("NO_COLOR").is_none() && (forced || io::stdout().is_terminal())
}

/// Where files go; `None` where they are not asked for.
fn folder(arguments: &Arguments) -> Result<Option<PathBuf>, Failure> {
    let Some(out) = &arguments.out else {
        if arguments.terminal || arguments.markdown || arguments.json {
            return Ok(None);
        }
        return match &arguments.results[..] {
            [one] => Ok(Some(one.join("report"))),
            _ => Err(Failure::Usage(
                "a report on several folders belongs to none of them: expected --out DIR, or --terminal, --markdown or --json"
                    .to_owned(),
            )),
        };
    };
    if out.join("manifest.json").exists() {
        return Err(Failure::Usage(format!(
            "{} is a result folder, whose winrates.csv the report's would replace: expected another folder, such as {}",
            out.display(),
            out.join("report").display()
        )));
    }
    Ok(Some(out.clone()))
}

fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Failed(format!("cannot create {}: {error}", folder.display())))?;
    for (name, bytes) in files {
        write_whole(&folder.join(name), bytes)?;
    }
    Ok(())
}

fn print_json(report: &Report, margin: f64) -> io::Result<()> {
    let tables = report.tables.iter();
    let tables: serde_json::Map<String, serde_json::Value> = tables
        .map(|table| (table.name().to_owned(), table.records().into()))
        .collect();
    let whole = serde_json::json!({
        "margin": margin,
        "notes": report.notes,
        "tables": tables,
    });
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &whole)?;
    writeln!(out)
}
