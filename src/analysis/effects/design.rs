/*!
The columns of a factorial: main effects and two-way interactions, and which of
them the cells can tell. Imports axes.

Every value of an axis but its first has a column: 1 where it holds, less one
over the number of values. So a coefficient is the difference between that
value and the first, averaged over the others' values as if all were equally
frequent; two values are coded −½ and +½. An axis that does not exist under some
rules is 0 there.
*/

use super::axes::Axis;
use crate::game::Ruleset;

/// So little of a column's length outside the others is rounding.
const NOTHING: f64 = 1e-9;

/// What a column stands for: no axis for the intercept, one with a value for a
/// main effect, two for an interaction.
pub(super) type Term = Vec<(usize, usize)>;

/// Columns that the cells can tell apart.
#[derive(Clone, Debug)]
pub(super) struct Design {
    /// Of every column that is fitted: what it stands for, and whether the
    /// cells determine its coefficient, or only together with others'.
    pub(super) terms: Vec<(Term, bool)>,
    /// Every ruleset's values of these columns.
    pub(super) rows: Vec<Vec<f64>>,
    /// What is not fitted since others say the same, or determined only
    /// together with others.
    pub(super) undetermined: Vec<Term>,
    /// Pairs of axes without interaction, since not all combinations of their
    /// values are there.
    pub(super) left_out: Vec<[usize; 2]>,
}

impl Design {
    /// For main effects and all two-way interactions; without the latter if
    /// main effects are not determined beside them.
    pub(super) fn new(axes: &[Axis], rulesets: &[Ruleset]) -> Design {
        let mains: Vec<Term> = axes
            .iter()
            .enumerate()
            .flat_map(|(axis, levels)| {
                (1..levels.levels.len()).map(move |level| vec![(axis, level)])
            })
            .collect();
        let mut crossed = Vec::new();
        let mut left_out = Vec::new();
        for (one, left) in axes.iter().enumerate() {
            for (other, right) in axes.iter().enumerate().skip(one + 1) {
                if !are_crossed(left, right, rulesets) {
                    left_out.push([one, other]);
                    continue;
                }
                for level in 1..left.levels.len() {
                    crossed
                        .extend((1..right.levels.len()).map(|to| vec![(one, level), (other, to)]));
                }
            }
        }
        let intercept = [Vec::new()];
        let all = [&intercept[..], &mains, &crossed].concat();
        let mut design = Design::of(&all, axes, rulesets);
        if design.undetermined.iter().any(|term| term.len() < 2) {
            design = Design::of(&[&intercept[..], &mains].concat(), axes, rulesets);
            design.left_out = pairs(axes.len());
        } else {
            design.left_out = left_out;
        }
        design
    }

    fn of(terms: &[Term], axes: &[Axis], rulesets: &[Ruleset]) -> Design {
        let columns: Vec<Vec<f64>> = terms
            .iter()
            .map(|term| {
                rulesets
                    .iter()
                    .map(|ruleset| code(term, axes, ruleset))
                    .collect()
            })
            .collect();
        let mut basis = Basis::default();
        let mut kept = Vec::new();
        let mut determined = Vec::new();
        let mut undetermined = Vec::new();
        for (term, column) in terms.iter().zip(&columns) {
            match basis.add(column) {
                None => {
                    kept.push(column);
                    determined.push((term.clone(), true));
                }
                Some(others) => {
                    undetermined.push(term.clone());
                    for ((_, determined), weight) in determined.iter_mut().zip(others) {
                        *determined &= weight.abs() < NOTHING;
                    }
                }
            }
        }
        let mixed = determined.iter().filter(|(_, determined)| !determined);
        undetermined.extend(mixed.map(|(term, _)| term.clone()));
        let row = |place: usize| kept.iter().map(|column| column[place]).collect();
        Design {
            rows: (0..rulesets.len()).map(row).collect(),
            terms: determined,
            undetermined,
            left_out: Vec::new(),
        }
    }
}

/// Every pair of so many things.
fn pairs(count: usize) -> Vec<[usize; 2]> {
    let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| [one, other]));
    pairs.collect()
}

/// Whether every value of the one axis is there with every value of the other.
fn are_crossed(one: &Axis, other: &Axis, rulesets: &[Ruleset]) -> bool {
    let mut there = vec![false; one.levels.len() * other.levels.len()];
    for ruleset in rulesets {
        if let (Some(left), Some(right)) = (one.level(ruleset), other.level(ruleset)) {
            there[left * other.levels.len() + right] = true;
        }
    }
    there.into_iter().all(|there| there)
}

fn code(term: &Term, axes: &[Axis], ruleset: &Ruleset) -> f64 {
    let codes = term.iter().map(|&(axis, level)| {
        let axis = &axes[axis];
        axis.level(ruleset).map_or(0.0, |own| {
            f64::from(u8::from(own == level)) - 1.0 / axis.levels.len() as f64
        })
    });
    codes.product()
}

/// Columns made orthonormal one after the other (Gram and Schmidt, twice over
/// against rounding).
#[derive(Default)]
struct Basis {
    directions: Vec<Vec<f64>>,
    /// Of every column kept, its share of each direction up to its own.
    shares: Vec<Vec<f64>>,
}

impl Basis {
    /// Keeps a column if it is not a combination of those kept; otherwise
    /// gives their weights in it.
    fn add(&mut self, column: &[f64]) -> Option<Vec<f64>> {
        let mut rest = column.to_vec();
        let mut shares = vec![0.0; self.directions.len()];
        for _ in 0..2 {
            for (share, direction) in shares.iter_mut().zip(&self.directions) {
                let part: f64 = rest
                    .iter()
                    .zip(direction)
                    .map(|(one, other)| one * other)
                    .sum();
                *share += part;
                for (rest, value) in rest.iter_mut().zip(direction) {
                    *rest -= part * value;
                }
            }
        }
        let length = |vector: &[f64]| vector.iter().map(|value| value * value).sum::<f64>().sqrt();
        let left = length(&rest);
        if left > NOTHING * length(column) {
            self.directions
                .push(rest.iter().map(|value| value / left).collect());
            shares.push(left);
            self.shares.push(shares);
            return None;
        }
        // Back substitution: the kept columns' shares form a triangle.
        let mut weights = shares;
        for place in (0..weights.len()).rev() {
            weights[place] /= self.shares[place][place];
            for before in 0..place {
                weights[before] -= weights[place] * self.shares[place][before];
            }
        }
        Some(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture::{self, FACTORIAL};

    fn rulesets(rules: &str) -> Vec<Ruleset> {
        let run = fixture::run("common", rules, |_| Vec::new());
        run.experiment().rulesets.clone()
    }

    fn design(rules: &str) -> (Vec<Axis>, Design) {
        let rulesets = rulesets(rules);
        let axes = Axis::varied(&rulesets);
        let design = Design::new(&axes, &rulesets);
        (axes, design)
    }

    fn undetermined(axes: &[Axis], design: &Design) -> Vec<String> {
        let name = |term: &Term| {
            let parts = term.iter();
            let parts = parts.map(|&(axis, level)| axes[axis].levels[level].clone());
            parts.collect::<Vec<_>>().join("×")
        };
        design.undetermined.iter().map(name).collect()
    }

    #[test]
    fn a_factorial_has_every_effect_and_two_values_are_coded_one_half() {
        let (axes, design) = design(FACTORIAL);
        assert_eq!(axes.len(), 3);
        assert_eq!(design.terms.len(), 1 + 4 + 2 + 1 + 2);
        assert!(design.terms.iter().all(|(_, determined)| *determined));
        assert!(design.undetermined.is_empty() && design.left_out.is_empty());
        for row in &design.rows {
            assert!((row[0] - 1.0).abs() < 1e-15);
            assert!((row[1].abs() - 0.5).abs() < 1e-15);
            let main = design.terms.iter().position(|(term, _)| *term == [(2, 1)]);
            let both = design
                .terms
                .iter()
                .position(|(term, _)| *term == [(0, 1), (2, 1)]);
            let product = row[1] * row[main.unwrap()];
            assert!((row[both.unwrap()] - product).abs() < 1e-15);
        }
        // Every column but the first adds up to zero.
        for column in 1..10 {
            let sum: f64 = design.rows.iter().map(|row| row[column]).sum();
            assert!(sum.abs() < 1e-12);
        }
    }

    #[test]
    fn without_one_combination_the_interaction_goes_and_the_rest_stays() {
        let rules = "presets=[{king_armed=true,king_return=true},{king_armed=true,king_return=false},{king_armed=false,king_return=true}]";
        let (_, design) = design(rules);
        assert_eq!(design.left_out, [[0, 1]]);
        let terms: Vec<&Term> = design.terms.iter().map(|(term, _)| term).collect();
        assert_eq!(terms, [&vec![], &vec![(0, 1)], &vec![(1, 1)]]);
        assert!(design.undetermined.is_empty());
    }

    #[test]
    fn an_axis_that_is_not_always_there_has_an_effect_where_it_is() {
        let rules = "base='disputed'\nvary={king_capture=['two','four'],king_edge=['three','safe'],king_armed=[true,false]}";
        let (axes, design) = design(rules);
        assert_eq!((design.rows.len(), axes.len()), (6, 3));
        assert!(design.undetermined.is_empty());
        // Capture and edge are not crossed: by two there is no edge.
        assert_eq!(design.left_out.len(), 1);
        assert_eq!(design.terms.len(), 1 + 3 + 2);
    }

    #[test]
    fn rules_that_differ_in_everything_determine_nothing() {
        let rules =
            "presets=[{king_armed=true,king_return=true},{king_armed=false,king_return=false}]";
        let (axes, design) = design(rules);
        assert!(design.terms[0].1 && !design.terms[1].1);
        assert_eq!(undetermined(&axes, &design), ["false", "false"]);
        let all = "presets=['wtf','walker-2011','branan','crust',{base='crust',encirclement=true}]";
        let (axes, design) = self::design(all);
        let determined: Vec<&str> = design
            .terms
            .iter()
            .filter(|(term, determined)| *determined && !term.is_empty())
            .map(|(term, _)| axes[term[0].0].name())
            .collect();
        // Every other axis is tied to one more.
        assert_eq!(
            determined,
            ["encirclement"],
            "{:?}",
            undetermined(&axes, &design)
        );
    }
}
