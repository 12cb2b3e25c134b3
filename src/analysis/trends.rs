/*!
How the balance moves with the players' strength: `trends.csv`. Imports
budgets, logistic regression and differences of the score.

The log odds of the score are linear in the doublings of the budget, or of the
two budgets where they differ: side + a·log₂(attackers' budget) − d·log₂(defenders').
*/

use std::collections::HashMap;

use super::adjust::benjamini_hochberg;
use super::difference::difference;
use super::logistic::{Fitted, Model};
use super::run::Run;
use super::sheet::{Sheet, Table};
use super::strength::Kin;
use crate::experiment::Pairing;

const LEVEL: f64 = 0.05;

/// A quantity with its error, and on which scale it is told.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    value: f64,
    se: Option<f64>,
    p: Option<f64>,
    bounds: Option<[f64; 2]>,
}

impl Estimate {
    /// A quantity that is a fit's, with the standard error that the fit gives it.
    fn by(fit: &Fitted, value: f64, se: Option<f64>) -> Estimate {
        Estimate {
            value,
            se,
            p: se.map(|se| fit.p(value / se)),
            bounds: se.map(|se| [-1.0, 1.0].map(|sign| value + sign * fit.reach() * se)),
        }
    }

    fn of(fit: &Fitted, contrast: &[f64]) -> Estimate {
        Estimate::by(fit, fit.value(contrast), fit.standard_error(contrast))
    }

    /// The power of two with this exponent; its error stays the exponent's.
    fn power_of_two(self) -> Estimate {
        Estimate {
            value: libm::exp2(self.value),
            bounds: self.bounds.map(|bounds| bounds.map(libm::exp2)),
            ..self
        }
    }
}

/// One line of the table.
struct Trend<'a> {
    /// A cell of its ruleset.
    first: Kin<'a>,
    quantity: &'static str,
    at_budget: Option<u64>,
    budgets: u64,
    games: u64,
    estimate: Option<Estimate>,
    fit: &'static str,
    p_adjusted: Option<f64>,
    /// The fitted log odds at the least and the greatest equal budget.
    ends: Option<[f64; 2]>,
    extrapolated: bool,
}

impl Trend<'_> {
    fn p(&self) -> Option<f64> {
        self.estimate?.p
    }

    /// Away from ½ or toward it if the same side is the better one at both
    /// ends, otherwise toward the side that becomes the better one.
    fn verdict(&self) -> &'static str {
        if self.quantity == "odds" && self.extrapolated && self.estimate.is_some() {
            return "extrapolated";
        }
        if self.quantity != "equal_slope" {
            return "";
        }
        match self.ends {
            Some([first, last]) if self.p_adjusted.is_some_and(|p| p < LEVEL) => {
                if first * last > 0.0 && first.abs() < last.abs() {
                    "away from balance"
                } else if first * last > 0.0 {
                    "toward balance"
                } else if last > first {
                    "toward attackers"
                } else {
                    "toward defenders"
                }
            }
            _ => "no trend seen",
        }
    }
}

/// The table of all runs.
pub(super) fn table(runs: &[Run]) -> Table {
    let mut trends = Vec::new();
    for run in runs {
        let mut own = of_run(run);
        let names: Vec<&str> = own.iter().map(|row| row.quantity).collect();
        for (place, quantity) in names.iter().enumerate() {
            if !names[..place].contains(quantity) {
                adjust(&mut own, quantity);
            }
        }
        trends.append(&mut own);
    }
    let bound = |end: usize| move |row: &Trend<'_>| Some(row.estimate?.bounds?[end]);
    Sheet::new(&trends)
        .experiment(|row| row.first.run)
        .text("ruleset", |row| row.first.cell.row.cell.ruleset_id.clone())
        .text("label", |row| row.first.cell.row.cell.ruleset.label())
        .text("family", |row| row.first.family.clone())
        .text("quantity", |row| row.quantity.to_owned())
        .maybe_count("at_budget", |row| row.at_budget)
        .count("budgets", |row| row.budgets)
        .count("games", |row| row.games)
        .number("estimate", |row| {
            row.estimate.map(|estimate| estimate.value)
        })
        .number("se", |row| row.estimate?.se)
        .number("low", bound(0))
        .number("high", bound(1))
        .number("p", Trend::p)
        .number("p_adjusted", |row| row.p_adjusted)
        .text("fit", |row| row.fit.to_owned())
        .text("verdict", |row| row.verdict().to_owned())
        .table("trends")
}

/// Adjusts the p values of one quantity together.
fn adjust(trends: &mut [Trend<'_>], quantity: &str) {
    let mut rows: Vec<&mut Trend<'_>> = trends
        .iter_mut()
        .filter(|row| row.quantity == quantity)
        .collect();
    let p_values: Vec<Option<f64>> = rows.iter().map(|row| row.p()).collect();
    for (row, p) in rows.iter_mut().zip(benjamini_hochberg(&p_values)) {
        row.p_adjusted = p;
    }
}

fn of_run(run: &Run) -> Vec<Trend<'_>> {
    let cells = Kin::of_run(run);
    // In the order of their first cells.
    let mut groups: Vec<Group<'_, '_>> = Vec::new();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for cell in &cells {
        let key = (cell.cell.row.cell.ruleset_id.as_str(), cell.family.as_str());
        let place = *places.entry(key).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Group {
                run,
                cells: Vec::new(),
            });
        }
        groups[place].cells.push(cell);
    }
    groups.iter().flat_map(Group::trends).collect()
}

/// The cells of one ruleset and family.
struct Group<'g, 'a> {
    run: &'a Run,
    cells: Vec<&'g Kin<'a>>,
}

impl<'a> Group<'_, 'a> {
    fn trends(&self) -> Vec<Trend<'a>> {
        let mut trends = self.of_equal();
        if self
            .cells
            .iter()
            .any(|cell| cell.budgets[0] != cell.budgets[1])
        {
            trends.extend(self.of_unequal());
        }
        trends
    }

    fn trend(&self, quantity: &'static str, cells: &[&Kin<'a>]) -> Trend<'a> {
        Trend {
            first: self.cells[0].clone(),
            quantity,
            at_budget: None,
            budgets: cells.len() as u64,
            games: cells.iter().flat_map(|cell| cell.cell.finished()).sum(),
            estimate: None,
            fit: "",
            p_adjusted: None,
            ends: None,
            extrapolated: false,
        }
    }

    fn is_paired(&self) -> bool {
        self.run.experiment().pairing == Pairing::Common
    }

    /// The fit of a model whose coefficients depend on the doublings of the
    /// budgets; `None` where one side won every game, or the cells do not
    /// determine it.
    fn fit(&self, cells: &[&Kin<'a>], row: impl Fn([f64; 2]) -> Vec<f64>) -> Option<Fitted> {
        let mut counts = [0, 0, 0];
        let mut model = Model::new(self.is_paired());
        for cell in cells {
            let finished = cell.cell.finished();
            for (count, games) in counts.iter_mut().zip(finished) {
                *count += games;
            }
            model.add(cell.cell, row(cell.budgets.map(doublings)));
        }
        let one_sided = counts[2] == 0 && (counts[0] == 0 || counts[1] == 0);
        if one_sided { None } else { model.fit() }
    }

    fn of_equal(&self) -> Vec<Trend<'a>> {
        let cells = self.cells.iter().copied();
        let mut equal: Vec<&Kin<'a>> = cells
            .filter(|cell| cell.budgets[0] == cell.budgets[1])
            .collect();
        equal.sort_by_key(|cell| cell.budgets[0]);
        let [.., before, last] = equal[..] else {
            return Vec::new();
        };
        // Doublings are counted from the least budget.
        let [start, end] = [equal[0], last].map(|cell| doublings(cell.budgets[0]));
        let mut slope = self.trend("equal_slope", &equal);
        if let Some(fit) = self.fit(&equal, |[x, _]| vec![1.0, x - start]) {
            slope.estimate = Some(Estimate::of(&fit, &[0.0, 1.0]));
            slope.ends = Some([0.0, end - start].map(|x| fit.value(&[1.0, x])));
            slope.fit = fit.kind.name();
        }
        let mut trends = vec![slope];
        if equal.len() > 2 {
            let mut curvature = self.trend("equal_curvature", &equal);
            let square = |[x, _]: [f64; 2]| vec![1.0, x - start, (x - start) * (x - start)];
            if let Some(fit) = self.fit(&equal, square) {
                curvature.estimate = Some(Estimate::of(&fit, &[0.0, 0.0, 2.0]));
                curvature.fit = fit.kind.name();
            }
            trends.push(curvature);
        }
        let mut step = self.trend("last_step", &[before, last]);
        step.at_budget = Some(last.budgets[0]);
        let found = difference(&[[before.cell, last.cell]], self.is_paired());
        step.games = found.map_or(0, |found| found.games);
        step.estimate = found.map(|found| Estimate {
            value: found.estimate,
            se: found.se,
            p: Some(found.p),
            bounds: Some([found.low, found.high]),
        });
        trends.push(step);
        trends
    }

    fn of_unequal(&self) -> Vec<Trend<'a>> {
        // Counted from the middle, the three quantities are nearly
        // independent of each other.
        let middle = [0, 1].map(|side| {
            let sides = self.cells.iter().map(|cell| doublings(cell.budgets[side]));
            sides.sum::<f64>() / self.cells.len() as f64
        });
        let fit = self.fit(&self.cells, |x| {
            vec![1.0, x[0] - middle[0], middle[1] - x[1]]
        });
        let mut trends = Vec::new();
        for (place, quantity) in [(1, "attackers_doubling"), (2, "defenders_doubling")] {
            let mut trend = self.trend(quantity, &self.cells);
            if let Some(fit) = &fit {
                let mut unit = [0.0; 3];
                unit[place] = 1.0;
                trend.estimate = Some(Estimate::of(fit, &unit));
                trend.fit = fit.kind.name();
            }
            trends.push(trend);
        }
        let mut budgets: Vec<u64> = self.cells.iter().map(|cell| cell.budgets[0]).collect();
        budgets.sort_unstable();
        budgets.dedup();
        for budget in budgets {
            let mut trend = self.trend("odds", &self.cells);
            trend.at_budget = Some(budget);
            if let Some(fit) = &fit {
                trend.fit = fit.kind.name();
                self.odds(&mut trend, fit, middle);
            }
            trends.push(trend);
        }
        trends
    }

    /// The ratio of budgets at which the score would be even. None where it is
    /// not certain that the defenders gain by doublings at all.
    fn odds(&self, trend: &mut Trend<'a>, fit: &Fitted, middle: [f64; 2]) {
        let &[side, attackers, defenders] = &fit.values[..] else {
            return;
        };
        let certain = fit
            .standard_error(&[0.0, 0.0, 1.0])
            .map(|se| fit.reach() * se);
        let Some(at) = trend.at_budget.map(doublings) else {
            return;
        };
        if certain.is_none_or(|least| defenders <= least) {
            return;
        }
        let x = at - middle[0];
        let needed = (side + attackers * x) / defenders;
        let gradient = [1.0 / defenders, x / defenders, -needed / defenders];
        let ratio = Estimate::by(fit, needed + middle[1] - at, fit.standard_error(&gradient));
        trend.estimate = Some(ratio.power_of_two());
        let played = self.cells.iter().map(|cell| doublings(cell.budgets[1]));
        let (least, most) = played.fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), x| {
            (least.min(x), most.max(x))
        });
        trend.extrapolated = !(least..=most).contains(&(needed + middle[1]));
    }
}

fn doublings(budget: u64) -> f64 {
    libm::log2(budget as f64)
}

#[cfg(test)]
mod tests;
