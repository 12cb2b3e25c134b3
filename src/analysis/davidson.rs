/*!
Paired comparisons with draws: the model of Davidson ("On extending the
Bradley–Terry model to accommodate ties in paired comparison experiments",
1970), its log odds and draws linear in the parameters. Imports factors of
matrices with many zeros.

With λ = the row's coefficients · θ and δ = one of the parameters, a game ends
as first won : second won : drawn with odds

> exp(λ/2) : exp(−λ/2) : exp(δ)

A constant in λ is the advantage of the first place as in Davidson and Beaver
("Extending the Bradley–Terry model to incorporate within-pair order effects",
1977); their ν and γ give δ = ln ν − ½ ln γ. Without draws it is the model of
Bradley and Terry.
*/

use std::sync::Arc;

use super::envelope::{Envelope, Factor, Symmetric};

/// Steps after which a fit has failed.
const MAX_STEPS: usize = 200;
/// A step this small, in natural units (173.7 Elo), is none.
const TOLERANCE: f64 = 1e-8;
/// Steps of plain maximum likelihood from the bias-reduced estimate: towards
/// a finite maximum they end sooner, towards infinity each goes about one
/// natural unit.
const ESCAPE_STEPS: usize = 20;
/// By how much the log likelihood falls from its maximum to the ends of a 95 %
/// interval: half the quantile of χ² with one degree of freedom.
const FALL_95: f64 = 1.920_729_410_347_062;

/// How one kind of comparison depends on the parameters.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Parameters with their coefficients in λ, each parameter once.
    pub(super) odds: Vec<(usize, f64)>,
    /// The parameter that is δ; `None` where nothing can be drawn.
    pub(super) draw: Option<usize>,
}

/// How often the first won, the second won, nobody won.
pub(super) type Counts = [f64; 3];

/// What to maximise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    /// The likelihood. It has no maximum where some comparisons always went
    /// the same way ("separation").
    MaximumLikelihood,
    /// The likelihood times Jeffreys' prior, which takes the estimates' first
    /// order bias away and is finite under separation (Firth, "Bias reduction
    /// of maximum likelihood estimates", 1993).
    BiasReduced,
}

/// Estimates of the parameters.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// In natural units.
    pub(super) values: Vec<f64>,
    /// What the comparisons say of them, at the estimates.
    information: Factor,
}

impl Fit {
    /// The standard error of a linear combination of the parameters.
    pub(super) fn standard_error(&self, contrast: &[f64]) -> f64 {
        let half = self.information.half(contrast);
        dot(&half, &half).sqrt()
    }

    /// The covariance of the estimates, row by row: the inverse of the information.
    pub(super) fn covariance(&self) -> Vec<f64> {
        self.information.inverse()
    }
}

fn add(to: &mut [f64], times: f64, what: &[f64]) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += times * what;
    }
}

pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Chances of first won, second won, drawn.
pub(super) fn chances(odds: f64, draw: Option<f64>) -> [f64; 3] {
    let exponents = [odds / 2.0, -odds / 2.0, draw.unwrap_or(f64::NEG_INFINITY)];
    let top = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts = exponents.map(|exponent| libm::exp(exponent - top));
    let whole: f64 = parts.iter().sum();
    parts.map(|part| part / whole)
}

/// A model: how each kind of comparison depends on the parameters.
#[derive(Clone, Debug)]
pub(super) struct Design {
    rows: Vec<Row>,
    parameters: usize,
    /// Which parameters meet in a row.
    envelope: Arc<Envelope>,
}

impl Design {
    /// Parameters that meet few others should come first.
    pub(super) fn new(rows: Vec<Row>, parameters: usize) -> Design {
        let groups = rows
            .iter()
            .map(|row| row.terms().map(|(at, _)| at).collect());
        Design {
            envelope: Arc::new(Envelope::new(parameters, groups)),
            parameters,
            rows,
        }
    }

    /// How many kinds of comparisons there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

/// A model with data.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    design: &'a Design,
    counts: &'a [Counts],
}

/// Everything about one point of the parameters' space.
struct Point {
    values: Vec<f64>,
    log_likelihood: f64,
    chances: Vec<[f64; 3]>,
    information: Factor,
}

/// What the three outcomes add to the sufficient statistics of (λ, δ).
const STATISTICS: [[f64; 2]; 3] = [[0.5, 0.0], [-0.5, 0.0], [0.0, 1.0]];

impl Problem<'_> {
    /// `counts` are those of the design's rows, in their order.
    pub(super) fn new<'a>(design: &'a Design, counts: &'a [Counts]) -> Problem<'a> {
        Problem { design, counts }
    }

    /// The rows with their counts.
    fn rows(&self) -> impl Iterator<Item = (&Row, &Counts)> {
        self.design.rows.iter().zip(self.counts)
    }

    /// The estimates; `None` if the comparisons do not determine them, or if
    /// plain maximum likelihood does not come to an end.
    pub(super) fn fit(&self, method: Method) -> Option<Fit> {
        self.fit_from(vec![0.0; self.design.parameters], method)
    }

    /// The same estimates, sought from values near them.
    pub(super) fn fit_from(&self, start: Vec<f64>, method: Method) -> Option<Fit> {
        let start = self.point(start)?;
        let (point, converged) = self.climb(start, method, MAX_STEPS, None);
        converged.then(|| point.fit())
    }

    /// The same estimates to the last digits, by steps that are taken without
    /// asking whether they climb: so near the maximum, rounding would decide.
    pub(super) fn refined(&self, fit: &Fit, method: Method) -> Option<Fit> {
        const STEPS: usize = 12;
        let mut at = self.point(fit.values.clone())?;
        for _ in 0..STEPS {
            let step = at.information.solve(&self.score(&at, method));
            let values = at.values.iter().zip(&step);
            at = self.point(values.map(|(at, part)| at + part).collect())?;
        }
        Some(at.fit())
    }

    /// Where the maximum of the plain likelihood lies at infinity: how far the
    /// parameters go on their way there from bias-reduced estimates, zero
    /// where they stay. `None` where the maximum is finite.
    pub(super) fn escape(&self, from: &Fit) -> Option<Vec<f64>> {
        let start = self.point(from.values.clone())?;
        let likelihood = Method::MaximumLikelihood;
        let (end, converged) = self.climb(start, likelihood, ESCAPE_STEPS, None);
        let way = end.values.iter().zip(&from.values);
        (!converged).then(|| way.map(|(end, start)| end - start).collect())
    }

    /// The parameters at an end of the 95 % interval of a linear combination of
    /// them, above the estimate or below it (`sign` 1 or −1), by the profile of
    /// the likelihood with Jeffreys' prior: finite on the side where comparisons
    /// speak against more, also where they always went the same way (Heinze and
    /// Schemper, "A solution to the problem of separation in logistic
    /// regression", 2002). `fit` is bias-reduced; comparisons count as
    /// independent. `None` where the profile does not come down.
    pub(super) fn profile_end(&self, fit: &Fit, contrast: &[f64], sign: f64) -> Option<Vec<f64>> {
        const DOUBLINGS: u32 = 20;
        const HALVINGS: u32 = 40;
        let method = Method::BiasReduced;
        let top = self.point(fit.values.clone())?;
        let ground = top.height(method) - FALL_95;
        let middle = dot(contrast, &fit.values);
        // The highest point at such a distance, sought near another.
        let highest = |distance: f64, near: &Point| -> Option<Point> {
            let start = self.point(near.moved(contrast, middle + sign * distance))?;
            let (point, converged) = self.climb(start, method, MAX_STEPS, Some(contrast));
            converged.then_some(point)
        };
        let (mut inside, mut at) = (0.0, top);
        let mut outside = fit.standard_error(contrast);
        for doubling in 0.. {
            let next = highest(outside, &at)?;
            if next.height(method) < ground {
                break;
            }
            if doubling == DOUBLINGS {
                return None;
            }
            (inside, at) = (outside, next);
            outside *= 2.0;
        }
        for _ in 0..HALVINGS {
            let distance = f64::midpoint(inside, outside);
            let next = highest(distance, &at)?;
            if next.height(method) < ground {
                outside = distance;
            } else {
                (inside, at) = (distance, next);
            }
        }
        Some(at.values)
    }

    /// Fisher scoring with step halving, a linear combination of the parameters
    /// held where it is if one is given; the last point, and whether it is a
    /// maximum.
    fn climb(
        &self,
        mut at: Point,
        method: Method,
        steps: usize,
        held: Option<&[f64]>,
    ) -> (Point, bool) {
        for _ in 0..steps {
            let mut step = at.information.solve(&self.score(&at, method));
            if let Some(contrast) = held {
                let off = dot(contrast, &step);
                add(&mut step, -off, &at.along(contrast));
            }
            let largest = step
                .iter()
                .fold(0.0, |most: f64, part| most.max(part.abs()));
            if largest < TOLERANCE {
                return (at, true);
            }
            let height = at.height(method);
            let slack = 1e-12 * height.abs().max(1.0);
            // No step goes far: beyond, probabilities round to 0 and 1.
            let mut length = (5.0 / largest).min(1.0);
            let next = loop {
                let values = at.values.iter().zip(&step);
                let next = self.point(values.map(|(at, part)| at + length * part).collect());
                match next {
                    Some(next) if next.height(method) >= height - slack => break Some(next),
                    _ if length * largest < TOLERANCE => break None,
                    _ => length /= 2.0,
                }
            };
            match next {
                Some(next) => at = next,
                None => return (at, false),
            }
        }
        (at, false)
    }

    fn point(&self, values: Vec<f64>) -> Option<Point> {
        let mut information = Symmetric::new(&self.design.envelope);
        let mut log_likelihood = 0.0;
        let mut all = Vec::with_capacity(self.design.len());
        for (row, counts) in self.rows() {
            let chances = row.chances(&values);
            for (&chance, &count) in chances.iter().zip(counts) {
                if count > 0.0 {
                    log_likelihood += count * libm::log(chance);
                }
            }
            row.add_information(&chances, counts.iter().sum(), &mut information);
            all.push(chances);
        }
        Some(Point {
            values,
            log_likelihood,
            chances: all,
            information: information.factor()?,
        })
    }

    fn score(&self, at: &Point, method: Method) -> Vec<f64> {
        let mut score = vec![0.0; self.design.parameters];
        let covariance = match method {
            Method::MaximumLikelihood => None,
            Method::BiasReduced => Some(at.information.inverse_within()),
        };
        for ((row, counts), chances) in self.rows().zip(&at.chances) {
            let games: f64 = counts.iter().sum();
            let spread = covariance
                .as_ref()
                .map_or([[0.0; 2]; 2], |covariance| row.spread(covariance));
            let mean = mean(chances);
            let mut parts = [0.0; 2];
            for ((statistic, &count), &chance) in STATISTICS.iter().zip(counts).zip(chances) {
                let off = [statistic[0] - mean[0], statistic[1] - mean[1]];
                // Jeffreys' prior acts like this many more such outcomes.
                let leverage: f64 = (0..2)
                    .map(|i| off[i] * (spread[i][0] * off[0] + spread[i][1] * off[1]))
                    .sum();
                let weight = count + 0.5 * games * chance * leverage;
                parts[0] += weight * off[0];
                parts[1] += weight * off[1];
            }
            for (parameter, coefficient) in row.terms() {
                score[parameter] += dot(&coefficient, &parts);
            }
        }
        score
    }
}

impl Point {
    fn fit(self) -> Fit {
        Fit {
            values: self.values,
            information: self.information,
        }
    }

    /// The cheapest way to change a linear combination of the parameters by 1.
    fn along(&self, contrast: &[f64]) -> Vec<f64> {
        let mut way = self.information.solve(contrast);
        let length = dot(contrast, &way);
        for part in &mut way {
            *part /= length;
        }
        way
    }

    /// The values moved to where a linear combination of them has this value.
    fn moved(&self, contrast: &[f64], value: f64) -> Vec<f64> {
        let mut values = self.values.clone();
        let distance = value - dot(contrast, &values);
        add(&mut values, distance, &self.along(contrast));
        values
    }

    fn height(&self, method: Method) -> f64 {
        match method {
            Method::MaximumLikelihood => self.log_likelihood,
            Method::BiasReduced => self.log_likelihood + 0.5 * self.information.log_determinant(),
        }
    }
}

/// The expectation of the sufficient statistics.
fn mean(chances: &[f64; 3]) -> [f64; 2] {
    [(chances[0] - chances[1]) / 2.0, chances[2]]
}

impl Row {
    fn chances(&self, values: &[f64]) -> [f64; 3] {
        let odds: f64 = self
            .odds
            .iter()
            .map(|&(at, weight)| weight * values[at])
            .sum();
        chances(odds, self.draw.map(|at| values[at]))
    }

    /// Parameters with their coefficients in λ and in δ.
    fn terms(&self) -> impl Iterator<Item = (usize, [f64; 2])> + Clone {
        let odds = self.odds.iter().map(|&(at, weight)| (at, [weight, 0.0]));
        odds.chain(self.draw.map(|at| (at, [0.0, 1.0])))
    }

    fn add_information(&self, chances: &[f64; 3], games: f64, information: &mut Symmetric) {
        let mean = mean(chances);
        let decided = (chances[0] + chances[1]) / 4.0;
        let variance = [
            [decided - mean[0] * mean[0], -mean[0] * mean[1]],
            [-mean[0] * mean[1], mean[1] * (1.0 - mean[1])],
        ];
        for (one, left) in self.terms() {
            for (other, right) in self.terms().filter(|&(other, _)| other <= one) {
                let products = [dot(&variance[0], &right), dot(&variance[1], &right)];
                information.add(one, other, games * dot(&left, &products));
            }
        }
    }

    /// The covariance of the estimates of λ and δ.
    fn spread(&self, covariance: &Symmetric) -> [[f64; 2]; 2] {
        let mut spread = [[0.0; 2]; 2];
        for (one, left) in self.terms() {
            for (other, right) in self.terms() {
                let covariance = covariance.get(one, other);
                for i in 0..2 {
                    for j in 0..2 {
                        spread[i][j] += left[i] * covariance * right[j];
                    }
                }
            }
        }
        spread
    }
}

#[cfg(test)]
mod tests;
