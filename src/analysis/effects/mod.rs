/*!
What each rule that an experiment varies does to the attackers' score:
`effects.csv`. Imports runs, logistic regression and adjusted p values.
*/

mod axes;
mod comparisons;
mod design;
mod logistic;

use self::axes::Axis;
use self::comparisons::Comparisons;
use super::adjust::benjamini_hochberg;
use super::difference::difference;
use super::forfeits;
use super::notes::{Notes, few};
use super::run::{CellGames, Run};
use super::sheet::{Sheet, Table};
use crate::experiment::{Match, Pairing};

/// Two values of an axis.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Levels {
    axis: &'static str,
    from: String,
    to: String,
}

impl Levels {
    fn new(axis: &Axis, [from, to]: [usize; 2]) -> Levels {
        Levels {
            axis: axis.name(),
            from: axis.levels[from].clone(),
            to: axis.levels[to].clone(),
        }
    }
}

/// One line of the table.
struct Effect<'a> {
    run: &'a Run,
    pair: &'a Match,
    method: &'static str,
    levels: Levels,
    other: Option<Levels>,
    games: u64,
    estimate: f64,
    se: Option<f64>,
    bounds: Option<[f64; 2]>,
    z: Option<f64>,
    p: Option<f64>,
    gain: Option<f64>,
    fit: &'static str,
    p_adjusted: Option<f64>,
}

impl Effect<'_> {
    fn is_logistic(&self) -> bool {
        !self.fit.is_empty()
    }

    fn odds(&self, log_odds: Option<f64>) -> Option<f64> {
        log_odds.filter(|_| self.is_logistic()).map(libm::exp)
    }
}

/// The table of all runs.
pub(super) fn table(runs: &[Run], notes: &mut Notes) -> Table {
    let mut effects = Vec::new();
    for run in runs {
        let mut own = of_run(run, notes);
        let forfeited = forfeits::pairs(run);
        for method in ["marginal", "logistic"] {
            let mut rows: Vec<&mut Effect<'_>> =
                own.iter_mut().filter(|row| row.method == method).collect();
            // What an engine forfeited says nothing of the rules.
            let p_of = |row: &&mut Effect<'_>| row.p.filter(|_| !forfeited.contains(row.pair));
            let p_values: Vec<Option<f64>> = rows.iter().map(p_of).collect();
            for (row, p) in rows.iter_mut().zip(benjamini_hochberg(&p_values)) {
                row.p_adjusted = p;
            }
        }
        effects.append(&mut own);
    }
    let other = |row: &Effect<'_>, of: fn(&Levels) -> &str| {
        row.other
            .as_ref()
            .map_or_else(String::new, |levels| of(levels).to_owned())
    };
    Sheet::new(&effects)
        .experiment(|row| row.run)
        .text("attackers", |row| row.pair.attackers.to_string())
        .text("defenders", |row| row.pair.defenders.to_string())
        .text("method", |row| row.method.to_owned())
        .text("axis", |row| row.levels.axis.to_owned())
        .text("from", |row| row.levels.from.clone())
        .text("to", |row| row.levels.to.clone())
        .text("other_axis", |row| other(row, |levels| levels.axis))
        .text("other_from", |row| other(row, |levels| &levels.from))
        .text("other_to", |row| other(row, |levels| &levels.to))
        .count("games", |row| row.games)
        .share("estimate", |row| Some(row.estimate))
        .share("se", |row| row.se)
        .share("low", |row| row.bounds.map(|[low, _]| low))
        .share("high", |row| row.bounds.map(|[_, high]| high))
        .number("odds_ratio", |row| row.odds(Some(row.estimate)))
        .number("odds_low", |row| row.odds(row.bounds.map(|[low, _]| low)))
        .number("odds_high", |row| {
            row.odds(row.bounds.map(|[_, high]| high))
        })
        .number("z", |row| row.z)
        .number("p", |row| row.p)
        .number("p_adjusted", |row| row.p_adjusted)
        .flag("paired", |row| Some(is_paired(row.run)))
        .number("pairing_gain", |row| row.gain)
        .text("fit", |row| row.fit.to_owned())
        .table("effects")
}

fn is_paired(run: &Run) -> bool {
    run.experiment().pairing == Pairing::Common
}

fn of_run<'a>(run: &'a Run, notes: &mut Notes) -> Vec<Effect<'a>> {
    let rulesets = &run.experiment().rulesets;
    let axes = Axis::varied(rulesets);
    if axes.is_empty() {
        notes.of(
            run,
            "one ruleset alone: no effect of a rule can be measured",
        );
        return Vec::new();
    }
    let comparisons: Vec<(Levels, Comparisons)> = axes
        .iter()
        .flat_map(|axis| {
            comparisons::of_axis(rulesets, axis)
                .into_iter()
                .map(move |found| (axis, found))
        })
        .map(|(axis, (levels, comparisons))| (Levels::new(axis, levels), comparisons))
        .collect();
    note_missing(run, &comparisons, notes);
    let mut effects = Vec::new();
    for place in 0..run.experiment().matches.len() {
        for (levels, comparisons) in &comparisons {
            effects.extend(marginal_effect(
                run,
                place,
                levels.clone(),
                comparisons,
                notes,
            ));
        }
        effects.extend(logistic::effects(run, place, notes));
    }
    effects
}

fn marginal_effect<'a>(
    run: &'a Run,
    place: usize,
    levels: Levels,
    comparisons: &Comparisons,
    notes: &mut Notes,
) -> Option<Effect<'a>> {
    let pairs = comparisons.pairs.iter();
    let cells: Vec<[&CellGames; 2]> = pairs
        .map(|pair| pair.map(|ruleset| run.cell(ruleset, place)))
        .collect();
    let pair = &run.experiment().matches[place];
    let played = cells
        .iter()
        .filter(|pair| pair.iter().all(|cell| cell.mean_score().is_some()));
    let missing = cells.len() - played.count();
    if missing > 0 {
        notes.of_each(
            run,
            "comparisons lack finished games and are left out",
            format!(
                "{} of {} of {} {} with {} ({} against {})",
                missing,
                cells.len(),
                levels.axis,
                levels.to,
                levels.from,
                pair.attackers,
                pair.defenders,
            ),
        );
    }
    let found = difference(&cells, is_paired(run))?;
    Some(Effect {
        run,
        pair,
        method: "marginal",
        levels,
        other: None,
        games: found.games,
        estimate: found.estimate,
        se: found.se,
        bounds: Some([found.low, found.high]),
        z: Some(found.z),
        p: Some(found.p),
        gain: found.gain,
        fit: "",
        p_adjusted: None,
    })
}

/// Says which comparisons the list of rulesets does not allow.
fn note_missing(run: &Run, comparisons: &[(Levels, Comparisons)], notes: &mut Notes) {
    let mut never = Vec::new();
    for (levels, comparisons) in comparisons {
        let name = format!("{} {} with {}", levels.axis, levels.to, levels.from);
        if comparisons.pairs.is_empty() {
            never.push(name);
        } else if !comparisons.alone.is_empty() {
            let labels = comparisons.alone.iter();
            let labels: Vec<String> = labels
                .map(|&place| run.experiment().rulesets[place].label())
                .collect();
            notes.of(
                run,
                &format!(
                    "{name} is compared in {} combinations of the other rules; these have no counterpart: {}",
                    comparisons.pairs.len(),
                    few(&labels)
                ),
            );
        }
    }
    if !never.is_empty() {
        notes.of(
            run,
            &format!(
                "no two rulesets differ in this alone, so that there is no marginal effect: {}",
                never.join(", ")
            ),
        );
    }
}

#[cfg(test)]
mod tests;
