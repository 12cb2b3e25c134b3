//! The report's main tables as a person reads them.

use std::io::{self, Write};

use brandub::analysis::{Report, Run, Table as Data, forfeits_note};
use brandub::experiment::Cell;
use comfy_table::presets::NOTHING;
use comfy_table::{
    Cell as Field, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table, Width,
};

use super::table::{self, Names};

/// Columns of a terminal that tables keep to, if their names and figures let them.
const WIDTH: u16 = 100;
/// Words of names up to this length are not broken.
const LONGEST: usize = 28;

/// How tables are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Aligned, and coloured by the favoured side if so.
    Terminal {
        /// With escape sequences.
        coloured: bool,
    },
    /// In Markdown.
    Markdown,
}

/// Prints each experiment's balance and effects on standard output.
pub fn print(runs: &[Run], report: &Report, style: Style) -> io::Result<()> {
    io::stdout()
        .lock()
        .write_all(render(runs, report, style).as_bytes())
}

/// Each experiment's balance and effects.
fn render(runs: &[Run], report: &Report, style: Style) -> String {
    let mut text = String::new();
    let (Some(verdicts), Some(winrates)) = (report.table("verdicts"), report.table("winrates"))
    else {
        return text;
    };
    let mut row = 0;
    for run in runs {
        let heading = format!("{}: the attackers' score", run.experiment().name);
        text += &title(&heading, 1, style);
        let played = run.cells.iter().filter(|cell| cell.row.games > 0);
        let cells: Vec<(Cell, usize)> = played
            .enumerate()
            .map(|(place, games)| (games.row.cell.clone(), row + place))
            .collect();
        row += cells.len();
        if cells.is_empty() {
            text += "no game has been played\n\n";
            continue;
        }
        let (names, groups) = groups(&cells);
        for (heading, group) in groups {
            text += &title(&heading, 2, style);
            text += &balance(run, &names, &group, verdicts, winrates).render(style);
        }
        text += "score: per cent, a draw one half, stopped games left out, with ";
        text += &confidence(run);
        text += " bounds; draws: per cent\n\
                 of all games; more games: about how many would decide, if the score stays\n";
        if let Some(note) = forfeits_note(run.cells.iter().map(|cell| &cell.row)) {
            text += &note;
            text += "; with more than 5 % of them no verdict is given\n";
        }
        text += "\n";
        if let Some(effects) = report.table("effects") {
            text += &effects_of(run, effects, style);
        }
    }
    text
}

fn title(text: &str, level: usize, style: Style) -> String {
    match style {
        Style::Terminal { .. } => format!("{text}\n\n"),
        Style::Markdown => format!("{} {text}\n\n", "#".repeat(level + 1)),
    }
}

/// Cells and their rows in the tables.
type Group = Vec<(Cell, usize)>;

/// Cells under headings, by strength or by ruleset, whichever makes fewer, and how those
/// of one are told apart.
fn groups(cells: &[(Cell, usize)]) -> (Names, Vec<(String, Group)>) {
    let all: Vec<Cell> = cells.iter().map(|(cell, _)| cell.clone()).collect();
    let names = Names::of_rulesets(&all);
    let strength = |cell: &Cell| {
        let pair = &cell.pair;
        format!("attackers {}, defenders {}", pair.attackers, pair.defenders)
    };
    let ruleset = |cell: &Cell| names.of(cell);
    let by = |name: &dyn Fn(&Cell) -> String| {
        let mut groups: Vec<(String, Group)> = Vec::new();
        for (cell, row) in cells {
            let name = name(cell);
            match groups.iter_mut().find(|(other, _)| *other == name) {
                Some((_, group)) => group.push((cell.clone(), *row)),
                None => groups.push((name, vec![(cell.clone(), *row)])),
            }
        }
        groups
    };
    let (strengths, rulesets) = (by(&strength), by(&ruleset));
    if strengths.len() > rulesets.len() {
        return (Names::of_agents(), rulesets);
    }
    (names, strengths)
}

/// Words in columns.
#[derive(Default)]
struct Words {
    headings: Vec<String>,
    rows: Vec<(Vec<String>, Option<Color>)>,
    /// How many columns, from the left, are no figures.
    names: usize,
}

/// Of a run's scores' bounds, such as `95 %`.
fn confidence(run: &Run) -> String {
    // Six decimals of a share are four of a per cent.
    format!("{} %", (run.confidence() * 1e6).round() / 1e4)
}

fn balance(
    run: &Run,
    names: &Names,
    group: &[(Cell, usize)],
    verdicts: &Data,
    winrates: &Data,
) -> Words {
    let mut words = Words {
        headings: names.headings(),
        ..Words::default()
    };
    words.names = words.headings.len();
    let confidence = confidence(run);
    let figures = [
        "games",
        "score",
        &confidence,
        "draws",
        "plies",
        "verdict",
        "more games",
    ];
    words.headings.extend(figures.map(str::to_owned));
    for (cell, row) in group {
        let percent = |table: &Data, column: &str| {
            let value = table.value(column, *row);
            value.map(|value| format!("{:.1}", table::percent(value)))
        };
        let verdict = verdicts.word("verdict", *row);
        let mut fields = names.fields(cell);
        fields.push(winrates.word("games", *row));
        let known = |field: Option<String>| field.unwrap_or_else(|| "–".to_owned());
        fields.push(known(percent(verdicts, "score")));
        let [low, high] = ["low", "high"].map(|end| percent(verdicts, end));
        fields.push(known(
            low.zip(high).map(|(low, high)| format!("{low}–{high}")),
        ));
        fields.push(known(percent(winrates, "draw_rate")));
        let plies = winrates.value("mean_plies", *row);
        fields.push(plies.map_or_else(String::new, |plies| format!("{plies:.1}")));
        fields.push(verdict.clone());
        fields.push(verdicts.word("more_games", *row));
        words.rows.push((fields, colour(&verdict)));
    }
    words
}

/// The favoured side's.
fn colour(verdict: &str) -> Option<Color> {
    match verdict {
        "attackers" => Some(Color::Red),
        "defenders" => Some(Color::Blue),
        "balanced" => Some(Color::Green),
        _ => None,
    }
}

/// The mean differences that each rule makes, in points, under each strength.
fn effects_of(run: &Run, effects: &Data, style: Style) -> String {
    let name = &run.experiment().name;
    let own = (0..effects.frame().height()).filter(|&row| {
        effects.word("experiment", row) == *name && effects.word("method", row) == "marginal"
    });
    let own: Vec<usize> = own.collect();
    let agents = |row: usize| ["attackers", "defenders"].map(|side| effects.word(side, row));
    let mut text = String::new();
    for strength in own.chunk_by(|&one, &other| agents(one) == agents(other)) {
        let [attackers, defenders] = agents(strength[0]);
        let heading = format!("what each rule does: attackers {attackers}, defenders {defenders}");
        text += &title(&heading, 2, style);
        let headings = ["rule", "from", "to", "points", "95 %", "p adjusted"];
        let words = Words {
            headings: headings.map(str::to_owned).to_vec(),
            rows: strength
                .iter()
                .map(|&row| (effect(effects, row), None))
                .collect(),
            names: 3,
        };
        text += &words.render(style);
    }
    if !text.is_empty() {
        text += "points: of the score, the mean over the other rules' combinations; above 0 it helps the attackers\n\n";
    }
    text
}

fn effect(effects: &Data, row: usize) -> Vec<String> {
    let points = |column: &str| {
        let value = effects.value(column, row).unwrap_or_default();
        format!("{:+.1}", table::percent(value))
    };
    let mut fields = ["axis", "from", "to"]
        .map(|column| effects.word(column, row))
        .to_vec();
    fields.push(points("estimate"));
    fields.push(["low", "high"].map(points).join(" … "));
    fields.push(match effects.value("p_adjusted", row) {
        Some(p) if p < 0.0001 => "<0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
        None => String::new(),
    });
    fields
}

impl Words {
    fn render(&self, style: Style) -> String {
        match style {
            Style::Markdown => self.markdown(),
            Style::Terminal { coloured } => self.aligned(coloured),
        }
    }

    fn markdown(&self) -> String {
        let line = |fields: &[String]| {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| field.replace('|', "\\|"))
                .collect();
            format!("| {} |\n", fields.join(" | "))
        };
        let rule =
            (0..self.headings.len()).map(|column| if column < self.names { "---" } else { "---:" });
        let rule: Vec<String> = rule.map(str::to_owned).collect();
        let mut text = line(&self.headings);
        text += &line(&rule);
        for (fields, _) in &self.rows {
            text += &line(fields);
        }
        text + "\n"
    }

    fn aligned(&self, coloured: bool) -> String {
        let mut table = Table::new();
        table.load_style(NOTHING);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(WIDTH);
        // Long names over short values are broken at the underscore.
        table.set_header(self.headings.iter().map(|name| name.replace('_', "\n")));
        for (fields, colour) in &self.rows {
            table.add_row(fields.iter().map(|field| match colour {
                Some(colour) if coloured => Field::new(field).fg(*colour),
                _ => Field::new(field),
            }));
        }
        for (place, column) in table.column_iter_mut().enumerate() {
            if place >= self.names {
                // Figures are never broken: a table of long names is wider instead.
                column.set_cell_alignment(CellAlignment::Right);
                column.set_constraint(ColumnConstraint::ContentWidth);
                continue;
            }
            // A name is broken between its words, and a figure in it never.
            let heading = self.headings[place].split('_');
            let rows = self.rows.iter();
            let words = rows
                .flat_map(|(fields, _)| fields[place].split(' '))
                .chain(heading);
            let longest = words.map(|word| word.chars().count()).max().unwrap_or(0);
            // With a space on either side.
            let longest = longest.min(LONGEST) as u16 + 2;
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(longest)));
        }
        if coloured {
            table.enforce_styling();
        } else {
            table.force_no_tty();
        }
        format!("{}\n\n", table.trim_fmt())
    }
}
