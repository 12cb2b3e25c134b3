//! What each feature is worth, under which rules, and where that comes from.
//! Imports `game`; the sets that come with the program are in `tuned.toml` and
//! `hand.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::features::{ATTACKERS, DEFENDERS, FEATURES, GROUPS, visit_relations};
use super::groups;
use super::pieces::Pieces;
use crate::game::{Hostility, KingCapture, KingEdge, Position, Rules, Ruleset, Throne};
use crate::place_in_text::line_and_column;

/// Units of a score in one unit of the logit of the defenders' expected score.
pub const SCALE: i32 = 256;

/// One whole number a feature, positive where it is good for the defenders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    numbers: [i16; FEATURES],
    pieces: Pieces,
}

impl Weights {
    /// The weights in the order of the features.
    #[must_use]
    pub fn new(weights: [i16; FEATURES]) -> Weights {
        Weights {
            pieces: Pieces::new(&weights),
            numbers: weights,
        }
    }

    /// The weights in the order of the features, in units of 1 / [`SCALE`].
    #[must_use]
    pub fn numbers(&self) -> &[i16; FEATURES] {
        &self.numbers
    }

    /// The sum of the features times their weights: positive is good for the
    /// defenders. The king must be on the board.
    #[inline]
    #[must_use]
    pub fn score(&self, rules: &Rules, position: &Position) -> i32 {
        let weight = |feature: usize| i32::from(self.numbers[feature]);
        let standing = self.pieces.standing(position);
        let mut score = standing.worth
            + weight(ATTACKERS + standing.attackers.min(8))
            + weight(DEFENDERS + standing.defenders.min(4));
        visit_relations(rules, position, &mut |feature, value| {
            score += weight(feature) * value;
        });
        score
    }

    /// The scores by two sets of weights, in little more time than by one.
    #[inline]
    pub(crate) fn scores(rules: &Rules, position: &Position, pair: [&Weights; 2]) -> [i32; 2] {
        let mut scores = pair.map(|weights| {
            let standing = weights.pieces.standing(position);
            let weight = |feature: usize| i32::from(weights.numbers[feature]);
            standing.worth
                + weight(ATTACKERS + standing.attackers.min(8))
                + weight(DEFENDERS + standing.defenders.min(4))
        });
        visit_relations(rules, position, &mut |feature, value| {
            for (score, weights) in scores.iter_mut().zip(pair) {
                *score += i32::from(weights.numbers[feature]) * value;
            }
        });
        scores
    }

    /// The weights by group.
    #[must_use]
    pub fn groups(&self) -> BTreeMap<String, Vec<i16>> {
        groups::write(&GROUPS, &self.numbers)
    }

    pub(crate) fn from_groups(
        by_group: &BTreeMap<String, Vec<i16>>,
    ) -> Result<Weights, WeightsError> {
        let mut weights = [0; FEATURES];
        groups::read(&GROUPS, by_group, &mut weights)?;
        Ok(Weights::new(weights))
    }
}

/// What is wrong with a set of weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// No feature is called that.
    #[error("no group of features is called `{0}`")]
    Unknown(String),
    /// A group is missing or has another length.
    #[error("group `{group}` has {found} weights, expected {expected}")]
    Length {
        /// Its name.
        group: &'static str,
        /// How many weights were found.
        found: usize,
        /// How many it needs.
        expected: usize,
    },
    /// Not the file that was expected.
    #[error("{0}")]
    File(String),
}

impl WeightsError {
    /// What is wrong with a text that is not such a file, and where.
    pub(crate) fn of_toml(text: &str, error: &toml::de::Error) -> WeightsError {
        let at = error.span().map_or(0, |span| span.start);
        let (line, column) = line_and_column(text, at);
        let message = error.message().replace('\n', "; ");
        WeightsError::File(format!("line {line}, column {column}: {message}"))
    }
}

/// The rulesets a set of weights is for.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The ways to capture the king; every way if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub king_capture: Option<Vec<KingCapture>>,
    /// Whether he is armed; either if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub king_armed: Option<bool>,
    /// How he is taken at the edge; every way if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub king_edge: Option<Vec<KingEdge>>,
    /// To whom the empty throne is hostile; everything, also a throne that is a
    /// plain square, if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throne_hostile: Option<Vec<Hostility>>,
}

impl Condition {
    /// Whether a ruleset is one of them, by its canonical form: the same rules
    /// meet the same conditions however they are written.
    #[must_use]
    pub fn holds(&self, ruleset: &Ruleset) -> bool {
        let ruleset = &ruleset.canonical();
        self.king_capture
            .as_ref()
            .is_none_or(|ways| ways.contains(&ruleset.king_capture))
            && self
                .king_armed
                .is_none_or(|armed| armed == ruleset.king_armed)
            && self
                .king_edge
                .as_ref()
                .is_none_or(|ways| ways.contains(&ruleset.king_edge))
            && self.throne_hostile.as_ref().is_none_or(|ways| {
                matches!(&ruleset.throne, Throne::Reserved { hostile, .. } if ways.contains(hostile))
            })
    }
}

/// Where weights come from, so that they can be made again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// How they were made, in words: the command, or by whom.
    pub made_by: String,
    /// The master seed of the games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// How many positions of these games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The mean logarithmic loss on positions of games kept apart, in
    /// millionths, before and after: the old weights', these. Of a network: of the
    /// evaluation in the program before, of the weights and this network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<[u32; 2]>,
    /// The commit of the program that made them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// Weights, the rules they are for, and where they come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightSet {
    /// The rulesets they are for.
    pub rules: Condition,
    /// Where they come from.
    pub provenance: Provenance,
    /// The weights.
    pub weights: Weights,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    set: Vec<SetTable>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetTable {
    rules: Condition,
    provenance: Provenance,
    weights: BTreeMap<String, Vec<i16>>,
}

impl WeightSet {
    /// Reads a file of sets.
    ///
    /// # Errors
    /// Text that is no TOML, unknown keys, groups that are missing or have
    /// another length.
    pub fn read_all(text: &str) -> Result<Vec<WeightSet>, WeightsError> {
        let file: File =
            toml::from_str(text).map_err(|error| WeightsError::of_toml(text, &error))?;
        file.set
            .into_iter()
            .map(|table| {
                Ok(WeightSet {
                    rules: table.rules,
                    provenance: table.provenance,
                    weights: Weights::from_groups(&table.weights)?,
                })
            })
            .collect()
    }

    /// Writes a file of sets, as [`WeightSet::read_all`] reads it.
    ///
    /// # Errors
    /// None that is known: every set can be written.
    pub fn write_all(sets: &[WeightSet]) -> Result<String, WeightsError> {
        let file = File {
            set: sets
                .iter()
                .map(|set| SetTable {
                    rules: set.rules.clone(),
                    provenance: set.provenance.clone(),
                    weights: set.weights.groups(),
                })
                .collect(),
        };
        toml::to_string(&file).map_err(|error| WeightsError::File(error.to_string()))
    }
}

/// Which weights an agent plays by, and whether it has the network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Choice {
    /// Fitted to games, and the network.
    #[default]
    Tuned,
    /// Fitted to games, without the network.
    Linear,
    /// Set by hand, without the network.
    Hand,
}

impl Weights {
    /// The weights that come with the program for this ruleset: the first set
    /// whose condition it meets.
    ///
    /// # Panics
    /// Never: the sets that come with the program are tested.
    #[must_use]
    pub fn of(ruleset: &Ruleset, choice: Choice) -> &'static Weights {
        static TUNED: OnceLock<Vec<WeightSet>> = OnceLock::new();
        static HAND: OnceLock<Vec<WeightSet>> = OnceLock::new();
        let (sets, text) = match choice {
            Choice::Tuned | Choice::Linear => (&TUNED, include_str!("tuned.toml")),
            Choice::Hand => (&HAND, include_str!("hand.toml")),
        };
        let sets = sets.get_or_init(|| built_in(text));
        let set = sets.iter().find(|set| set.rules.holds(ruleset));
        &set.expect("the last set is for every ruleset").weights
    }
}

fn built_in(text: &str) -> Vec<WeightSet> {
    let sets = WeightSet::read_all(text).expect("tested: the sets that come with the program");
    assert!(
        sets.last()
            .is_some_and(|set| set.rules == Condition::default()),
        "the last set is for every ruleset"
    );
    sets
}

#[cfg(test)]
mod tests {
    use super::super::features;
    use super::*;
    use crate::game::{Game, sample};

    #[test]
    fn the_sets_that_come_with_the_program_are_sound() {
        for choice in [Choice::Tuned, Choice::Hand] {
            for ruleset in crate::game::preset::disputed_factorial() {
                let _ = Weights::of(&ruleset, choice);
            }
        }
    }

    #[test]
    fn a_condition_holds_where_every_axis_it_names_does() {
        let read = |text: &str| toml::from_str::<Condition>(text).unwrap();
        let counts = [
            ("", 16),
            ("king_armed = false", 8),
            ("king_capture = [\"four\"]", 8),
            ("king_capture = [\"zone\"]", 0),
            ("king_edge = [\"safe\"]", 0),
            ("throne_hostile = [\"none\", \"soldiers\"]", 8),
            ("throne_hostile = [\"none\"]\nking_armed = true", 4),
        ];
        for (text, expected) in counts {
            let condition = read(text);
            let rulesets = crate::game::preset::disputed_factorial();
            let held = rulesets.iter().filter(|ruleset| condition.holds(ruleset));
            assert_eq!(held.count(), expected, "{text}");
        }
        let of = |name| crate::game::preset::find(name).unwrap().ruleset();
        let plain = of("throneless");
        assert!(!read("throne_hostile = [\"none\", \"soldiers\", \"everyone\"]").holds(&plain));
        assert!(Condition::default().holds(&plain));
        assert!(read("king_edge = [\"safe\"]").holds(&of("branan")));
    }

    #[test]
    fn the_score_is_the_sum_of_the_weighed_features() {
        let mut stream = crate::agents::stream([6; 32]);
        for ruleset in crate::game::preset::disputed_factorial() {
            let rules = Rules::new(ruleset);
            let weights = Weights::of(&ruleset, Choice::Tuned);
            let mut game = Game::new(&rules);
            while game.outcome().is_none() && game.plies() < 80 {
                let here = game.position();
                let features = features(&rules, here);
                let products = features.iter().zip(weights.numbers());
                let sum: i32 = products
                    .map(|(&value, &weight)| value * i32::from(weight))
                    .sum();
                assert_eq!(weights.score(&rules, here), sum, "{here}");
                let Some(ply) = sample::random_move(&rules, here, &mut stream) else {
                    break;
                };
                game.play_legal(ply);
            }
        }
    }

    #[test]
    fn sets_read_back_and_wrong_ones_are_named() {
        let sets = built_in(include_str!("hand.toml"));
        let text = WeightSet::write_all(&sets).unwrap();
        assert_eq!(WeightSet::read_all(&text).unwrap(), sets);
        let read = |text: &str| WeightSet::read_all(text).unwrap_err().to_string();
        let short = text.replace("tempo = [0]", "tempo = []");
        assert_eq!(read(&short), "group `tempo` has 0 weights, expected 1");
        let unknown = text.replace("tempo", "temper");
        assert_eq!(read(&unknown), "no group of features is called `temper`");
        assert!(read("set = 3").contains("line 1"));
    }
}
