//! The effects by logistic regression. Imports designs and the regression.

use super::axes::Axis;
use super::design::{Design, Term};
use super::{Effect, Levels, is_paired};
use crate::analysis::logistic::Model;
use crate::analysis::notes::Notes;
use crate::analysis::run::Run;

/// All effects at one strength that the cells determine.
pub(super) fn effects<'a>(run: &'a Run, place: usize, notes: &mut Notes) -> Vec<Effect<'a>> {
    let experiment = run.experiment();
    let pair = &experiment.matches[place];
    let played: Vec<usize> = (0..experiment.rulesets.len())
        .filter(|&ruleset| run.cell(ruleset, place).mean_score().is_some())
        .collect();
    let rulesets: Vec<_> = played
        .iter()
        .map(|&place| experiment.rulesets[place])
        .collect();
    let axes = Axis::varied(&rulesets);
    if axes.is_empty() {
        return Vec::new();
    }
    let design = Design::new(&axes, &rulesets);
    note(run, &axes, &design, notes);
    if design
        .terms
        .iter()
        .all(|(term, determined)| term.is_empty() || !determined)
    {
        return Vec::new();
    }
    let mut model = Model::new(is_paired(run));
    for (&ruleset, row) in played.iter().zip(&design.rows) {
        model.add(run.cell(ruleset, place), row.clone());
    }
    let Some(fit) = model.fit() else {
        notes.of_each(
            run,
            "too few games for a logistic regression",
            format!("{} against {}", pair.attackers, pair.defenders),
        );
        return Vec::new();
    };
    let terms = design.terms.iter().enumerate();
    let told = terms.filter(|(_, (term, determined))| *determined && !term.is_empty());
    told.map(|(column, (term, _))| {
        let mut unit = vec![0.0; design.terms.len()];
        unit[column] = 1.0;
        let estimate = fit.value(&unit);
        let se = fit.standard_error(&unit);
        let mut levels = term
            .iter()
            .map(|&(axis, level)| Levels::new(&axes[axis], [0, level]));
        let bounds = se.map(|se| [-1.0, 1.0].map(|sign| estimate + sign * fit.reach() * se));
        Effect {
            run,
            pair,
            method: "logistic",
            levels: levels.next().expect("the intercept is left out"),
            other: levels.next(),
            games: fit.games,
            estimate,
            se,
            bounds,
            z: se.map(|se| estimate / se),
            p: se.map(|se| fit.p(estimate / se)),
            gain: None,
            fit: fit.kind.name(),
            p_adjusted: None,
        }
    })
    .collect()
}

/// Says what these rulesets do not determine.
fn note(run: &Run, axes: &[Axis], design: &Design, notes: &mut Notes) {
    let name = |term: &Term| {
        if term.is_empty() {
            return "the intercept".to_owned();
        }
        let parts = term.iter();
        let parts: Vec<String> = parts
            .map(|&(axis, level)| format!("{}={}", axes[axis].name(), axes[axis].levels[level]))
            .collect();
        parts.join(" with ")
    };
    if !design.undetermined.is_empty() {
        let mut names: Vec<String> = design.undetermined.iter().map(name).collect();
        names.dedup();
        notes.of(
            run,
            &format!(
                "the rulesets are no factorial: the logistic regression cannot tell from each other, and leaves out, {}",
                names.join(", ")
            ),
        );
    }
    if !design.left_out.is_empty() {
        let pairs = design.left_out.iter();
        let pairs: Vec<String> = pairs
            .map(|pair| pair.map(|axis| axes[axis].name()).join(" with "))
            .collect();
        notes.of(
            run,
            &format!(
                "no interaction is fitted, since not every combination is there, of {}",
                pairs.join(", ")
            ),
        );
    }
}
