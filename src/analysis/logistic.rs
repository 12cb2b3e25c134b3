/*!
Logistic regression of games' scores on what differs between their cells.
Imports Davidson's model, which without draws is this one, and runs.

A game's score is 1, 0 or ½; its expectation has log odds linear in the cell's
coefficients, fitted by quasi-likelihood (Papke and Wooldridge, "Econometric
methods for fractional response variables", 1996). Since a draw varies less
than the binomial law says, and games of one index share their opening,
variances are those of the sandwich: clustered by index where games are paired
(Liang and Zeger, 1986), with the correction G/(G − 1) · (N − 1)/(N − p) of so
many clusters, games and parameters, and Student's t of G − 1 degrees of freedom, as
the normal law finds too much where clusters are few (Cameron and Miller, "A
practitioner's guide to cluster-robust inference", 2015); otherwise White's HC0.

Where combinations that won everything leave the likelihood without a maximum, or
fewer than ten games a parameter ended otherwise than most did (Peduzzi et al., "A
simulation study of the number of events per variable in logistic regression
analysis", 1996), the fit is Firth's (1993; Heinze and Schemper, "A solution to the
problem of separation in logistic regression", 2002), and the variance the inverse
of its information: residuals are next to nothing there, or all in one cell, and a
sandwich of them would claim too much, without any bound where that cell does not
bear on an estimate.
*/

use super::WILSON_95_Z;
use super::davidson::{Counts, Design, Fit, Method, Problem, Row, dot};
use super::run::CellGames;
use super::{normal, student};

/// How a model was fitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// By maximum (quasi-)likelihood.
    MaximumLikelihood,
    /// With Firth's penalty.
    Firth,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::MaximumLikelihood => "ml",
            Kind::Firth => "firth",
        }
    }
}

/// Cells of games, each with its coefficients.
#[derive(Clone, Debug, Default)]
pub(super) struct Model<'a> {
    cells: Vec<(&'a CellGames, Vec<f64>)>,
    /// Whether games of one index share their opening.
    paired: bool,
}

/// A model's estimates.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    /// Log odds.
    pub(super) values: Vec<f64>,
    /// Row by row.
    covariance: Vec<f64>,
    pub(super) kind: Kind,
    /// Finished games.
    pub(super) games: u64,
    /// Of the variance, where it is clustered: one fewer than clusters.
    freedom: Option<u64>,
}

/// So many games a parameter have to differ from what most did.
const EVENTS: u64 = 10;

/// A variance of no more than this is what rounding leaves of none.
const ROUNDING: f64 = 1e-15;

impl Fitted {
    /// The value of a linear combination of the estimates.
    pub(super) fn value(&self, contrast: &[f64]) -> f64 {
        dot(&self.values, contrast)
    }

    /// Its standard error; `None` where the games show no variation at all, but for
    /// that of rounding.
    pub(super) fn standard_error(&self, contrast: &[f64]) -> Option<f64> {
        let rows = self.covariance.chunks(contrast.len()).zip(contrast);
        let variance: f64 = rows.map(|(row, weight)| weight * dot(row, contrast)).sum();
        (variance > ROUNDING).then(|| variance.sqrt())
    }

    /// How many standard errors reach to the ends of a 95 % interval.
    pub(super) fn reach(&self) -> f64 {
        self.freedom.map_or(WILSON_95_Z, student::quantile_975)
    }

    /// The two-sided p value of so many standard errors.
    pub(super) fn p(&self, z: f64) -> f64 {
        match self.freedom {
            None => normal::two_sided(z),
            Some(freedom) => student::two_sided(z, freedom),
        }
    }
}

impl<'a> Model<'a> {
    pub(super) fn new(paired: bool) -> Model<'a> {
        Model {
            cells: Vec::new(),
            paired,
        }
    }

    /// Adds a cell that has finished games; others are left out.
    pub(super) fn add(&mut self, cell: &'a CellGames, coefficients: Vec<f64>) {
        if cell.finished() != [0; 3] {
            self.cells.push((cell, coefficients));
        }
    }

    /// The estimates; `None` if the games do not determine them.
    pub(super) fn fit(&self) -> Option<Fitted> {
        let parameters = self.cells.first()?.1.len();
        let row = |(_, coefficients): &(_, Vec<f64>)| Row {
            odds: coefficients.iter().copied().enumerate().collect(),
            draw: None,
        };
        let design = Design::new(self.cells.iter().map(row).collect(), parameters);
        let counts = self.cells.iter().map(|(cell, _)| halved(cell));
        let counts: Vec<Counts> = counts.collect();
        let problem = Problem::new(&design, &counts);
        let fit = |method| problem.refined(&problem.fit(method)?, method);
        let mut outcomes = [0; 3];
        for (cell, _) in &self.cells {
            for (all, games) in outcomes.iter_mut().zip(cell.finished()) {
                *all += games;
            }
        }
        let games = outcomes.iter().sum();
        let events = games - outcomes.iter().max().unwrap_or(&0);
        let enough = events >= EVENTS * parameters as u64;
        let likeliest = enough.then(|| fit(Method::MaximumLikelihood)).flatten();
        if let Some(fit) = likeliest {
            let (covariance, freedom) = self.sandwich(&fit, games)?;
            return Some(Fitted {
                covariance,
                values: fit.values,
                kind: Kind::MaximumLikelihood,
                games,
                freedom,
            });
        }
        let fit = fit(Method::BiasReduced)?;
        Some(Fitted {
            covariance: fit.covariance(),
            values: fit.values,
            kind: Kind::Firth,
            games,
            freedom: None,
        })
    }

    /// The robust covariance, with its degrees of freedom if it is clustered; `None`
    /// if there are too few games for one.
    fn sandwich(&self, fit: &Fit, games: u64) -> Option<(Vec<f64>, Option<u64>)> {
        let size = fit.values.len();
        let expected = |coefficients: &[f64]| {
            let odds = dot(coefficients, &fit.values);
            1.0 / (1.0 + libm::exp(-odds))
        };
        let cells = self.cells.iter();
        let expected: Vec<f64> = cells.map(|(_, x)| expected(x)).collect();
        let mut filling = Squares::new(size);
        let (mut scale, mut freedom) = (1.0, None);
        if self.paired {
            let found = self.clustered(&expected, &mut filling);
            freedom = found.checked_sub(1).map(|freedom| freedom as u64);
            let clusters = found as f64;
            let (games, size) = (games as f64, size as f64);
            if clusters < 2.0 || games <= size {
                return None;
            }
            scale = clusters / (clusters - 1.0) * (games - 1.0) / (games - size);
        } else {
            for ((cell, coefficients), expected) in self.cells.iter().zip(&expected) {
                let outcomes = [1.0, 0.0, 0.5].iter().zip(cell.finished());
                let squares = outcomes.map(|(outcome, games)| {
                    let residual = outcome - expected;
                    games as f64 * residual * residual
                });
                filling.add(coefficients, squares.sum());
            }
        }
        Some((filling.between(&fit.covariance(), scale), freedom))
    }

    /// Adds the squared scores of all indices; gives how many have games.
    fn clustered(&self, expected: &[f64], filling: &mut Squares) -> usize {
        let cells = self.cells.iter();
        let indices = cells.map(|(cell, _)| cell.indices()).max().unwrap_or(0);
        let mut sum = vec![0.0; filling.size];
        let mut clusters = 0;
        for index in 0..indices {
            sum.fill(0.0);
            let mut any = false;
            for ((cell, coefficients), expected) in self.cells.iter().zip(expected) {
                let Some(score) = cell.score(index) else {
                    continue;
                };
                any = true;
                for (sum, coefficient) in sum.iter_mut().zip(coefficients) {
                    *sum += coefficient * (score - expected);
                }
            }
            if any {
                clusters += 1;
                filling.add(&sum, 1.0);
            }
        }
        clusters
    }
}

/// Wins and losses, a draw half of each.
fn halved(cell: &CellGames) -> Counts {
    let [won, lost, drawn] = cell.finished().map(|games| games as f64);
    [won + drawn / 2.0, lost + drawn / 2.0, 0.0]
}

/// A sum of outer products of vectors with themselves.
struct Squares {
    size: usize,
    sums: Vec<f64>,
}

impl Squares {
    fn new(size: usize) -> Squares {
        Squares {
            size,
            sums: vec![0.0; size * size],
        }
    }

    fn add(&mut self, vector: &[f64], weight: f64) {
        for (row, one) in self.sums.chunks_mut(self.size).zip(vector) {
            for (sum, other) in row.iter_mut().zip(vector) {
                *sum += weight * one * other;
            }
        }
    }

    /// This between a symmetric matrix and itself, times a number.
    fn between(&self, bread: &[f64], scale: f64) -> Vec<f64> {
        let product = |one: &[f64], other: &[f64]| {
            let mut product = vec![0.0; one.len()];
            for (row, left) in product.chunks_mut(self.size).zip(one.chunks(self.size)) {
                for (weight, right) in left.iter().zip(other.chunks(self.size)) {
                    for (sum, value) in row.iter_mut().zip(right) {
                        *sum += weight * value;
                    }
                }
            }
            product
        };
        let whole = product(&product(bread, &self.sums), bread);
        whole.iter().map(|value| scale * value).collect()
    }
}

#[cfg(test)]
mod tests;
