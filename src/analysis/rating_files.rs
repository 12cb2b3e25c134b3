//! `ratings.csv`, `steps.csv` and `sides.csv`. Imports ratings.

use super::estimates::{Estimate, Share, Strengths, Tallied};
use super::ratings::Ratings;

/// The files that hold ratings.
pub const RATING_FILES: [&str; 3] = ["ratings.csv", "steps.csv", "sides.csv"];

impl Ratings {
    /// The files: name and bytes.
    ///
    /// # Panics
    /// Never: memory takes every row.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let tables = [self.ratings(), self.steps(), self.sides()];
        let files = RATING_FILES.iter().zip(tables).map(|(name, rows)| {
            let mut writer = csv::Writer::from_writer(Vec::new());
            for row in rows {
                writer.write_record(row).expect("memory takes every row");
            }
            let bytes = writer.into_inner().expect("memory takes every row");
            ((*name).to_owned(), bytes)
        });
        files.collect()
    }

    fn ratings(&self) -> Vec<Vec<String>> {
        let mut header = words(&["scope", "label", "agent"]);
        for role in ["attacking", "defending"] {
            header.extend(["won", "lost", "drawn", "stopped"].map(|what| format!("{role}_{what}")));
        }
        header.extend(strength_columns());
        header.push("resamples".to_owned());
        let mut rows = vec![header];
        for scope in &self.scopes {
            for rating in &scope.agents {
                let mut row = vec![
                    scope.name.clone(),
                    scope.label.clone(),
                    rating.agent.clone(),
                ];
                row.extend(tallied(&rating.attacking));
                row.extend(tallied(&rating.defending));
                row.extend(strengths(&rating.strengths));
                row.push(scope.resamples.to_string());
                rows.push(row);
            }
        }
        rows
    }

    fn steps(&self) -> Vec<Vec<String>> {
        let mut header = words(&["scope", "label", "from", "to"]);
        header.extend(strength_columns());
        let mut rows = vec![header];
        for scope in &self.scopes {
            for step in &scope.steps {
                let mut row = vec![scope.name.clone(), scope.label.clone()];
                row.extend([step.from.clone(), step.to.clone()]);
                row.extend(strengths(&step.gain));
                rows.push(row);
            }
        }
        rows
    }

    fn sides(&self) -> Vec<Vec<String>> {
        let mut header = words(&["scope", "ruleset", "label"]);
        header.extend(words(&[
            "attackers_wins",
            "defenders_wins",
            "draws",
            "ply_limits",
        ]));
        header.extend(estimate_columns("advantage"));
        for share in ["score", "draw"] {
            header.extend(["share", "low", "high"].map(|what| format!("{share}_{what}")));
        }
        header.push("nu".to_owned());
        let mut rows = vec![header];
        for scope in &self.scopes {
            for side in &scope.sides {
                let mut row = vec![scope.name.clone(), side.ruleset.clone(), side.label.clone()];
                row.extend(tallied(&side.games));
                row.extend(estimate(&side.advantage));
                row.extend(share(&side.score));
                row.extend(share(&side.draws));
                row.push(fixed(side.nu, 6));
                rows.push(row);
            }
        }
        rows
    }
}

fn words(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn strength_columns() -> Vec<String> {
    let roles = ["both", "attackers", "defenders"];
    roles
        .iter()
        .flat_map(|role| estimate_columns(role))
        .collect()
}

fn estimate_columns(what: &str) -> Vec<String> {
    let columns = ["elo", "se", "low", "high", "open"];
    columns
        .iter()
        .map(|column| format!("{what}_{column}"))
        .collect()
}

fn tallied(games: &Tallied) -> [String; 4] {
    [games.won, games.lost, games.drawn, games.stopped].map(|count| count.to_string())
}

fn strengths(strengths: &Strengths) -> Vec<String> {
    let roles = [&strengths.both, &strengths.attackers, &strengths.defenders];
    roles.into_iter().flat_map(estimate).collect()
}

fn estimate(estimate: &Estimate) -> [String; 5] {
    let bound = |bound: Option<f64>| bound.map_or_else(String::new, |bound| fixed(bound, 2));
    [
        fixed(estimate.elo, 2),
        fixed(estimate.se, 2),
        bound(estimate.low),
        bound(estimate.high),
        estimate.open.map_or("", |open| open.name()).to_owned(),
    ]
}

fn share(share: &Share) -> [String; 3] {
    [share.share, share.low, share.high].map(|value| fixed(value, 6))
}

/// So many decimals, and no sign before nothing.
fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| b"0.".contains(&byte)) => rest.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_sign() {
        let texts = [-0.001, 0.001, -0.006, 12.345].map(|value| fixed(value, 2));
        assert_eq!(texts, ["0.00", "0.00", "-0.01", "12.35"].map(str::to_owned));
    }
}
