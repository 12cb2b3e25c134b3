//! What each rule does to the score, and what two rules do together.

use serde_json::{Value, json};

use super::super::frame::{Row, distinct};
use super::super::words;
use super::balance::{equals, players};
use super::parts;
use super::{Chart, Section, Tables};

/// Odds ratios beyond this or its inverse are drawn at the chart's border.
const MOST_ODDS: f64 = 1000.0;

/// One of the charts of an experiment's effects.
struct Kind {
    id: &'static str,
    method: &'static str,
    interactions: bool,
    title: &'static str,
}

const KINDS: [Kind; 4] = [
    Kind {
        id: "effects",
        method: "marginal",
        interactions: false,
        title: "What each rule does to the attackers' score",
    },
    Kind {
        id: "interactions",
        method: "marginal",
        interactions: true,
        title: "What two rules do together",
    },
    Kind {
        id: "odds",
        method: "logistic",
        interactions: false,
        title: "What each rule does to the odds",
    },
    Kind {
        id: "odds-interactions",
        method: "logistic",
        interactions: true,
        title: "What two rules do together to the odds",
    },
];

pub fn charts(tables: &Tables) -> Vec<Chart> {
    let mut charts = Vec::new();
    for (experiment, rows) in tables.by_experiment("effects") {
        // Unequal players are many, and in the table.
        let rows = equals(&rows);
        for kind in &KINDS {
            let is_of_kind = |row: &&Row| {
                row.text("method") == kind.method
                    && row.text("other_axis").is_empty() != kind.interactions
                    && row.number(kind.columns()[0]).is_some()
            };
            let rows: Vec<Row> = rows.iter().filter(is_of_kind).copied().collect();
            if !rows.is_empty() {
                charts.push(kind.chart(tables, experiment, &rows));
            }
        }
    }
    charts
}

impl Kind {
    fn is_odds(&self) -> bool {
        self.method == "logistic"
    }

    fn columns(&self) -> [&'static str; 3] {
        if self.is_odds() {
            ["odds_ratio", "odds_low", "odds_high"]
        } else {
            ["estimate", "low", "high"]
        }
    }

    /// What the numbers are, for headings of the chart's table too.
    fn unit(&self) -> &'static str {
        if self.is_odds() {
            "odds ratio"
        } else {
            "points"
        }
    }

    fn chart(&self, tables: &Tables, experiment: &str, rows: &[Row]) -> Chart {
        let strengths = distinct(rows.iter().map(|&row| players(row).replace('\n', " ")));
        let terms = distinct(rows.iter().map(|&row| term(row)));
        let values: Vec<Value> = rows.iter().map(|&row| self.value(row)).collect();
        let title = tables.title(self.title, experiment);
        let (y, offset) = parts::groups("rule", &terms, &strengths);
        let players = parts::by_player(None, &strengths);
        let zero = if self.is_odds() { 1.0 } else { 0.0 };
        let mut layers = vec![parts::upright(zero)];
        layers.extend(parts::dots(&self.x(rows), &players, &self.tips(), true));
        let spec = json!({
            "title": title,
            "data": { "values": values },
            "width": 560,
            "height": { "step": parts::step(strengths.len()) },
            "encoding": { "y": y, "yOffset": offset },
            "layer": layers,
        });
        Chart {
            id: format!("{}-{}", self.id, parts::slug(experiment)),
            section: Section::Effects,
            title,
            description: self.describe(),
            spec,
        }
    }

    fn value(&self, row: Row) -> Value {
        let scale = if self.is_odds() { 1.0 } else { 100.0 };
        let [middle, low, high] = self.columns().map(|column| {
            let number = row.number(column)?;
            Some(if self.is_odds() {
                number.clamp(1.0 / MOST_ODDS, MOST_ODDS)
            } else {
                // In points, without the noise of the multiplication.
                (number * scale * 1e6).round() / 1e6
            })
        });
        json!({
            "rule": term(row),
            "players": players(row).replace('\n', " "),
            self.unit(): middle,
            "low": low,
            "high": high,
            "games": row.number("games"),
            "adjusted p": row.number("p_adjusted"),
        })
    }

    fn x(&self, rows: &[Row]) -> Value {
        let axis = if self.is_odds() {
            json!({ "title": "odds ratio of the attackers' score (log scale)", "format": "~g", "tickCount": 7, "grid": true })
        } else {
            json!({ "title": "change of the attackers' score in points", "labelExpr": "datum.value == 0 ? '0' : format(datum.value, '+')", "tickCount": 9, "grid": true })
        };
        let mut x = json!({ "field": self.unit(), "type": "quantitative", "axis": axis });
        if self.is_odds() {
            let bounds = rows.iter().flat_map(|row| {
                let bounds = ["odds_low", "odds_high"];
                bounds.map(|column| libm::log(row.number(column).unwrap_or(1.0).max(1e-300)).abs())
            });
            let most = bounds
                .fold(libm::log(2.0), f64::max)
                .min(libm::log(MOST_ODDS));
            let most = (libm::exp(most) * 1.05 * 100.0).round() / 100.0;
            x["scale"] = json!({ "type": "log", "domain": [1.0 / most, most] });
        }
        x
    }

    fn tips(&self) -> Value {
        let format = if self.is_odds() { ".3~g" } else { "+.1f" };
        parts::tips(&[
            ("rule", ""),
            ("players", ""),
            (self.unit(), format),
            ("low", format),
            ("high", format),
            ("games", ","),
            ("adjusted p", ".2~g"),
        ])
    }

    fn describe(&self) -> String {
        let what = match (self.is_odds(), self.interactions) {
            (false, false) => {
                "A dot says by how many points (hundredths) the attackers' score changes from \
                 the first value of a rule to the second, as a mean over all combinations of \
                 the other rules; above zero the change helps the attackers."
            }
            (false, true) => {
                "A dot says by how many points (hundredths) the effect of the first rule \
                 changes with the second: at zero the two simply add up."
            }
            (true, false) => {
                "A dot is the factor by which the odds of the attackers' score change from the \
                 first value of a rule to the second, by a logistic regression with all \
                 two-way interactions; above 1 the change helps the attackers."
            }
            (true, true) => {
                "A dot is the factor by which the effect of the first rule on the odds changes \
                 with the second, by a logistic regression; at 1 the two simply multiply."
            }
        };
        let limit = if self.is_odds() {
            " Beyond 1,000 and 1/1,000 it is drawn at the border."
        } else {
            ""
        };
        format!("{what} Lines are 95 % intervals.{limit}")
    }
}

/// `King armed: yes → no`, and for an interaction the second rule below it.
fn term(row: Row) -> String {
    let one = |axis: &str, from: &str, to: &str| {
        let key = row.text(axis);
        format!(
            "{}: {} → {}",
            words::axis(key),
            words::value(key, row.text(from)),
            words::value(key, row.text(to))
        )
    };
    let first = one("axis", "from", "to");
    if row.text("other_axis").is_empty() {
        return first;
    }
    format!("{first}\n× {}", one("other_axis", "other_from", "other_to"))
}
