//! What was checked of tables: for people, and a row a layer as CSV.

use std::io::{self, Write};
use std::path::PathBuf;

use brandub::solver::tables::{Checked, table_label};

use super::builds::recorded;

/// The columns of the CSV.
const COLUMNS: [&str; 18] = [
    "ruleset",
    "label",
    "layer",
    "defenders",
    "attackers",
    "values",
    "attackers_win",
    "attackers_draw",
    "attackers_loss",
    "defenders_win",
    "defenders_draw",
    "defenders_loss",
    "longest_plies",
    "bytes",
    "sha256",
    "compared",
    "build_threads",
    "build_processor_seconds",
];

/// Tells layer by layer what was checked.
pub enum Told<W: Write> {
    /// A line a layer, one more before those of a ruleset.
    Lines(W, Option<PathBuf>),
    /// A row a layer.
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write> Told<W> {
    pub fn lines(out: W) -> Told<W> {
        Told::Lines(out, None)
    }

    pub fn csv(out: W) -> io::Result<Told<W>> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(COLUMNS)?;
        Ok(Told::Csv(Box::new(writer)))
    }

    pub fn layer(&mut self, checked: &Checked) -> io::Result<()> {
        match self {
            Told::Lines(out, last) => line(out, checked, last),
            Told::Csv(writer) => {
                writer.write_record(row(checked))?;
                writer.flush()
            }
        }
    }

    /// Says that nothing was wrong.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Told::Lines(mut out, _) => writeln!(
                out,
                "every byte is as it was written, and every value compared agrees with its moves"
            ),
            Told::Csv(mut writer) => writer.flush(),
        }
    }
}

/// The shares of wins, draws and losses, attackers to move and defenders to
/// move.
fn shares(checked: &Checked) -> [[f64; 3]; 2] {
    checked.verdicts.map(|counts| {
        let all: u64 = counts.iter().sum();
        counts.map(|count| count as f64 / all as f64)
    })
}

fn line(out: &mut impl Write, checked: &Checked, last: &mut Option<PathBuf>) -> io::Result<()> {
    if last.as_ref() != Some(&checked.path) {
        let label = table_label(&checked.rules);
        writeln!(out, "{} ({label})", checked.path.display())?;
        writeln!(
            out,
            "layer      values    compared  longest   attackers to move: win draw loss %   defenders to move"
        )?;
        *last = Some(checked.path.clone());
    }
    let shares = shares(checked).map(|shares| {
        let [wins, draws, losses] = shares.map(|share| 100.0 * share);
        format!("{wins:7.3} {draws:7.3} {losses:7.3}")
    });
    writeln!(
        out,
        "{}  {:>12} {:>11} {:>8}   {:>34}   {}",
        checked.layer, checked.entries, checked.compared, checked.longest, shares[0], shares[1],
    )
}

fn row(checked: &Checked) -> Vec<String> {
    let layer = checked.layer;
    let built = recorded(&checked.path).remove(&layer.to_string());
    let mut row = vec![
        checked.rules.id(),
        table_label(&checked.rules),
        layer.to_string(),
        layer.defenders.to_string(),
        layer.attackers.to_string(),
        checked.entries.to_string(),
    ];
    let shares = shares(checked);
    row.extend(shares.concat().iter().map(|share| format!("{share:.6}")));
    row.extend([
        checked.longest.to_string(),
        checked.bytes.to_string(),
        checked.sha256.clone(),
        checked.compared.to_string(),
    ]);
    // Nothing where a table was built by a program that kept no times.
    row.push(
        built
            .as_ref()
            .map_or_else(String::new, |built| built.threads.to_string()),
    );
    let seconds = built.and_then(|built| built.processor_seconds);
    row.push(seconds.map_or_else(String::new, |seconds| format!("{seconds:.2}")));
    row
}
