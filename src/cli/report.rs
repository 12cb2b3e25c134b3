//! `brandub report`: what the games of result folders say.

mod files;
mod games;
mod page;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use brandub::analysis::page::RulesetNames;
use brandub::analysis::{Report, Run, games_table, openings_table, solved_table};
use brandub::experiment::{MEASURES_FILE, measures_csv};
use brandub::solver::Claim;

use super::failure::{Failure, say};
use super::report_tables::{Style, print};
use super::run::use_threads;
use super::study_table;
use super::verify_proof;
use files::Files;

/// Games of every cell to play again, if nothing else is said.
const SAMPLE: u64 = 20;
/// Between two lines of progress.
const INTERVAL: Duration = Duration::from_secs(10);

/// Say what the games say: which rulesets are balanced, what each rule does
///
/// Reads one or more result folders, finished or not. Writes tables as CSV,
/// whose columns docs/tables.md describes, every chart as SVG and PNG, and
/// report.html, which holds all of it and a board for chosen games and needs no
/// network. Of several folders each experiment is a block of its own.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub report results/default                          writes results/default/report/\n  \
    brandub report results/default --sample 200             measures 200 games of every cell\n  \
    brandub report results/default --terminal               shows the main table, writes nothing\n  \
    brandub report results/presets results/people --out both --margin 0.03\n  \
    brandub report results/default --solved results/solved/openings")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Arguments {
    /// Result folders
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// Folder for the tables [default: RESULTS/report]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How far from one half a balanced score may be, between 0 and 0.5 [default: what decided
    /// how many games an adaptive run has, else 0.05]
    #[arg(long, value_parser = margin)]
    margin: Option<f64>,
    /// Games of every cell to play again and measure [default: 20]
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// The tables that need no game played again, and nothing else
    #[arg(long, conflicts_with = "sample")]
    tables: bool,
    /// Folders of proofs (`brandub solve --study`) to put beside the games, named after
    /// the result folders; each is checked first
    #[arg(long, value_name = "DIR", num_args = 1..)]
    solved: Vec<PathBuf>,
    /// Threads to compute on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// No progress, only results and errors
    #[arg(long, short)]
    quiet: bool,
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

/// What the certificates of these folders claim, each checked.
fn proved(folders: &[PathBuf], quiet: bool) -> Result<Vec<Claim>, Failure> {
    let mut proved = Vec::new();
    for folder in folders {
        let tell = |checked: usize| {
            if !quiet {
                let folder = folder.display();
                say(&format!(
                    "{folder}: {checked} certificates checked; large ones take minutes each"
                ));
            }
        };
        // Where there are no answers, the error alone.
        verify_proof::answers(folder)?;
        tell(0);
        let (before, mut last) = (proved.len(), Instant::now());
        verify_proof::each(folder, &mut |claim, _| {
            proved.push(*claim);
            if last.elapsed() >= INTERVAL {
                last = Instant::now();
                tell(proved.len() - before);
            }
            Ok(())
        })?;
    }
    Ok(proved)
}

/// Reports on the folders named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    let folder = folder(arguments)?;
    if folder.is_none() && !arguments.json && !arguments.solved.is_empty() {
        return Err(Failure::Usage(
            "--solved: the main table has no place for proofs: expected it with --out DIR or --json".to_owned(),
        ));
    }
    let given = [
        ("sample", arguments.sample.is_some()),
        ("tables", arguments.tables),
    ];
    if folder.is_none()
        && let Some((name, _)) = given.iter().find(|(_, given)| *given)
    {
        return Err(Failure::Usage(format!(
            "--{name}: it says what is written to files: expected it with --out DIR"
        )));
    }
    let runs = arguments.results.iter().map(|results| Run::read(results));
    let runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    let mut report = Report::new(&runs, arguments.margin)?;
    if !arguments.solved.is_empty() {
        let proved = proved(&arguments.solved, arguments.quiet)?;
        report.tables.push(solved_table(&runs, &proved));
    }
    let said = match &folder {
        Some(folder) => write(arguments, &runs, &mut report, folder)?,
        None => Vec::new(),
    };
    for note in &report.notes {
        say(&format!("note: {note}"));
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
    let mut out = io::stdout().lock();
    for line in said {
        writeln!(out, "{line}")?;
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
    let absolute = std::path::absolute(out)?;
    let run = absolute.ancestors().skip(1).find(|folder| {
        folder.join("manifest.json").exists() && absolute.starts_with(folder.join("games"))
    });
    if let Some(run) = run {
        return Err(Failure::Usage(format!(
            "{} is where {} keeps its games: expected another folder, such as {}",
            out.display(),
            run.display(),
            run.join("report").display()
        )));
    }
    if out.join(study_table::FILE).exists() && !out.join(files::LIST).exists() {
        return Err(Failure::Usage(format!(
            "{} has the answers of a study, {}, which the report's would replace: expected another folder",
            out.display(),
            study_table::FILE
        )));
    }
    Ok(Some(out.clone()))
}

/// Writes every file and gives what is to be said: what was found, and where
/// it is.
fn write(
    arguments: &Arguments,
    runs: &[Run],
    report: &mut Report,
    folder: &Path,
) -> Result<Vec<String>, Failure> {
    // Before anything is played, so that a folder that cannot be written is
    // found at once.
    let mut files = Files::open(folder, runs)?;
    // What needs no game played again is there first.
    for (name, bytes) in report.files() {
        files.write(&name, &bytes)?;
    }
    if arguments.tables {
        return files.finish();
    }
    let written = report.tables.len();
    let winrates = report.table("winrates").expect("every report has it");
    let names = RulesetNames::read(&page::table(winrates));
    let names = names.map_err(|error| Failure::Failed(error.to_string()))?;
    let (mut sample, mut chosen) = (Vec::new(), Vec::new());
    for run in runs {
        let notes = &mut report.notes;
        sample.extend(games::measured(
            run,
            arguments.sample.unwrap_or(SAMPLE),
            arguments.quiet,
            notes,
        )?);
        chosen.extend(games::chosen(run, &names, runs.len() > 1, arguments.quiet)?);
    }
    report.tables.push(games_table(runs, &sample)?);
    report.tables.push(openings_table(runs, &sample)?);
    for (name, bytes) in report.files().into_iter().skip(written) {
        files.write(&name, &bytes)?;
    }
    files.write(MEASURES_FILE, &measures_csv(&sample))?;
    let tables = report.tables.iter().map(page::table).collect();
    let page = page::page(runs, tables, &report.notes, chosen, command(arguments))?;
    page::write(&mut files, &page)?;
    files.finish()?;
    let mut said: Vec<String> = page
        .headline
        .iter()
        .map(|sentence| format!("{sentence}\n"))
        .collect();
    let folder = folder.display();
    said.push(format!(
        "{folder}/report.html (all of it), {folder}/*.csv (the tables), {folder}/charts/ (SVG, PNG, Vega-Lite)"
    ));
    Ok(said)
}

/// The command that makes this report again, as a shell would want it.
fn command(arguments: &Arguments) -> String {
    let mut words = vec!["brandub".to_owned(), "report".to_owned()];
    let results = arguments.results.iter();
    words.extend(results.map(|folder| folder.display().to_string()));
    if let Some(margin) = arguments.margin {
        words.extend(["--margin".to_owned(), margin.to_string()]);
    }
    words.extend([
        "--sample".to_owned(),
        arguments.sample.unwrap_or(SAMPLE).to_string(),
    ]);
    if !arguments.solved.is_empty() {
        words.push("--solved".to_owned());
        let solved = arguments.solved.iter();
        words.extend(solved.map(|folder| folder.display().to_string()));
    }
    let quoted = shlex::try_join(words.iter().map(String::as_str));
    // No argument of a command has a byte 0, which alone cannot be quoted.
    quoted.unwrap_or_else(|_| words.join(" "))
}

fn print_json(report: &Report, margin: Option<f64>) -> io::Result<()> {
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
