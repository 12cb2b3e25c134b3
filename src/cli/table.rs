//! The main table as a person reads it.

use std::io::{self, Write};

pub use brandub::analysis::percent;
use brandub::analysis::{CellRow, Interval, Tables, forfeits_note};
use brandub::experiment::{Cell, Winner};
use brandub::game::{AXES, preset};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

/// With more varied axes than this, rulesets are shown by their names.
const MAX_AXIS_COLUMNS: usize = 4;

/// How cells are told apart: by what differs between them.
pub struct Names {
    /// Whether rulesets have their names: all are presets.
    named: bool,
    /// Places in [`AXES`] of the axes that vary; `None` to use labels.
    axes: Option<Vec<usize>>,
    agents: bool,
}

impl Names {
    /// The names for these cells.
    pub fn new(cells: &[Cell]) -> Names {
        // An axis that some rulesets do not have tells nothing apart by being
        // absent: what took it away does.
        let differs = |axis: &usize| {
            let mut values = cells
                .iter()
                .filter_map(|cell| cell.ruleset.axes()[*axis].take());
            let first = values.next();
            values.any(|value| Some(value) != first)
        };
        let axes: Vec<usize> = (0..AXES.len()).filter(differs).collect();
        let is_preset = |cell: &Cell| preset::find(&cell.ruleset.label()).is_ok();
        Names {
            named: !axes.is_empty() && cells.iter().all(is_preset),
            axes: (1..=MAX_AXIS_COLUMNS).contains(&axes.len()).then_some(axes),
            agents: cells.iter().any(|cell| cell.pair != cells[0].pair),
        }
    }

    /// The agents alone, for cells of one ruleset.
    pub fn of_agents() -> Names {
        Names {
            named: false,
            axes: Some(Vec::new()),
            agents: true,
        }
    }

    /// The names for these cells' rulesets, whoever plays.
    pub fn of_rulesets(cells: &[Cell]) -> Names {
        Names {
            agents: false,
            ..Names::new(cells)
        }
    }

    /// The headings of the columns that name a cell.
    pub fn headings(&self) -> Vec<String> {
        let mut headings = Vec::new();
        if self.named || self.axes.is_none() {
            headings.push("ruleset".to_owned());
        }
        let axes = self.axes.iter().flatten();
        headings.extend(axes.map(|&axis| AXES[axis].to_owned()));
        if self.agents {
            headings.extend(["attackers", "defenders"].map(str::to_owned));
        }
        headings
    }

    /// A cell's fields under them.
    pub fn fields(&self, cell: &Cell) -> Vec<String> {
        let values = cell.ruleset.axes();
        let mut fields = Vec::new();
        if self.named || self.axes.is_none() {
            fields.push(cell.ruleset.label());
        }
        let axes = self.axes.iter().flatten();
        fields.extend(axes.map(|&axis| values[axis].clone().unwrap_or_else(|| "-".to_owned())));
        if self.agents {
            fields.extend([
                cell.pair.attackers.to_string(),
                cell.pair.defenders.to_string(),
            ]);
        }
        fields
    }

    /// One line for a cell.
    pub fn of(&self, cell: &Cell) -> String {
        self.headings()
            .iter()
            .zip(self.fields(cell))
            .map(|(heading, field)| match heading.as_str() {
                "ruleset" => field,
                heading => format!("{heading}={field}"),
            })
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Prints one line a cell on standard output.
pub fn print(tables: &Tables) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let Some(first) = tables.cells.first() else {
        return writeln!(out, "no game has been played");
    };
    let cells: Vec<Cell> = tables.cells.iter().map(|row| row.cell.clone()).collect();
    let names = Names::new(&cells);
    if !names.agents {
        let pair = &first.cell.pair;
        writeln!(
            out,
            "attackers {}, defenders {}",
            pair.attackers, pair.defenders
        )?;
    }
    let mut table = Table::new();
    table.load_style(NOTHING);
    // Long names over short values are broken at the underscore.
    let headings = names
        .headings()
        .into_iter()
        .map(|name| name.replace('_', "\n"));
    let mut headings: Vec<String> = headings.collect();
    let figures = headings.len();
    headings.extend(
        [
            "games",
            "distinct\ngames",
            "attackers\n%",
            "defenders\n%",
            "draws\n%",
            "stopped\n%",
            "balance",
            "plies",
        ]
        .map(str::to_owned),
    );
    let stops = tables.cells.iter().any(|row| row.decision.is_some());
    if stops {
        headings.extend(["score\n%", "decision"].map(str::to_owned));
    }
    table.set_header(headings);
    for row in &tables.cells {
        table.add_row(fields(&names, row));
    }
    for column in table.column_iter_mut().skip(figures) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{}", table.trim_fmt())?;
    writeln!(
        out,
        "%: of games, with Wilson 95 % bounds; stopped: at the ply limit;\nbalance: the attackers' score less 50, draws half, stopped games left out; plies: mean"
    )?;
    if let Some(note) = forfeits_note(&tables.cells) {
        writeln!(out, "{note}")?;
    }
    if stops {
        writeln!(
            out,
            "score: the attackers', with bounds that hold at every look at once; decision: why the cell has\nno more games"
        )?;
    }
    Ok(())
}

fn fields(names: &Names, row: &CellRow) -> Vec<String> {
    let mut fields = names.fields(&row.cell);
    fields.push(row.games.to_string());
    fields.push(row.distinct.to_string());
    for winner in [Winner::Attackers, Winner::Defenders, Winner::Draw] {
        let Interval { rate, low, high } = row.rate(winner);
        fields.push(format!(
            "{:.1}  {:.1}–{:.1}",
            percent(rate),
            percent(low),
            percent(high)
        ));
    }
    fields.push(format!("{:.1}", percent(row.rate(Winner::None).rate)));
    fields.push(match row.balance() {
        Some(balance) => format!("{:+.1}", percent(balance)),
        None => "-".to_owned(),
    });
    fields.push(format!("{:.1}", row.mean_plies()));
    if let Some(said) = &row.decision {
        let score = row.balance().map_or_else(
            || "-".to_owned(),
            |balance| format!("{:.1}", percent(0.5 + balance)),
        );
        fields.push(format!(
            "{score}  {:.1}–{:.1}",
            percent(said.low),
            percent(said.high)
        ));
        let why = said.decision.map(|why| why.to_string());
        fields.push(why.unwrap_or_else(|| "-".to_owned()));
    }
    fields
}
