//! A small neural network that corrects the weighted sum by how the pieces
//! stand to each other. Imports `game` and `arch`; the one that comes with the program is
//! in `network.toml`.
#![allow(clippy::inline_always)] // Compiled anew for the instructions of each kind.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::weights::{Condition, Provenance, WeightsError};
use crate::arch::{Job, Kind, Lanes};
use crate::game::{AXES, Bitboard, Position, Ruleset, SQUARES, Side, Square, Symmetry};

/// Hidden units. Each looks at the board in all of its [`IMAGES`], so that the
/// sum does not change under the board's symmetries.
pub const UNITS: usize = 16;
/// How many images of itself the board's symmetries make of a position.
pub const IMAGES: usize = 8;
/// Attackers, defenders and the king on each square.
pub const PIECES: usize = 3 * SQUARES;

/// What a unit's sum of 1 is in whole numbers. A unit answers with the square
/// of its sum, held between 0 and 1.
pub const ONE: i16 = 255;
/// An answer of 1 in whole numbers: the square of [`ONE`] in 1/256, rounded.
pub const ANSWER: i32 = 254;
/// An output weight of 1 unit of a score, for an answer of 1/[`ANSWER`], is so
/// much.
pub const OUTPUT: i32 = 1 << OUTPUT_BITS;
const OUTPUT_BITS: u32 = 12;

/// The most a piece adds to a unit, and what it begins with: a board full of
/// pieces stays within 16 bits.
pub const MOST_OF_PIECE: i16 = 600;
const MOST_TO_BEGIN_WITH: i16 = 3_000;
const _: () =
    assert!(SQUARES as i32 * MOST_OF_PIECE as i32 + MOST_TO_BEGIN_WITH as i32 <= i16::MAX as i32);

/// One number for each unit.
pub type Units = [i16; UNITS];

/// What the units' answers are worth under some rulesets: 1 / [`OUTPUT`] of a
/// score's unit for each 1 / [`ANSWER`] of an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Which rulesets.
    pub rules: Condition,
    /// What is added, in units of a score.
    pub bias: i16,
    /// The worth of each unit's answer.
    pub weights: Units,
}

/// The network's numbers. What is added to a unit's sum is in 1 / [`ONE`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Where it comes from.
    pub provenance: Provenance,
    /// What the units begin with, by the side to move: `attackers`,
    /// `defenders`. With what the rules add it is held within ±3,000.
    pub side: BTreeMap<String, Units>,
    /// What each value of a ruleset's axes adds, by [`rule_inputs`]; what is
    /// not there adds nothing.
    pub rules: BTreeMap<String, Units>,
    /// What a piece on a square adds, within ±[`MOST_OF_PIECE`]: `attacker`,
    /// `defender`, `king`, then the square.
    pub pieces: BTreeMap<String, BTreeMap<String, Units>>,
    /// What the answers are worth: the first whose condition a ruleset meets,
    /// the last for all.
    pub output: Vec<Output>,
}

/// The names of the kinds of pieces, in the order of [`inputs`].
pub const KINDS: [&str; 3] = ["attacker", "defender", "king"];

/// The inputs that a ruleset sets: `axis=value` of every axis but the layout.
#[must_use]
pub fn rule_inputs(ruleset: &Ruleset) -> Vec<String> {
    let axes = AXES.iter().zip(ruleset.canonical().axes());
    let axes = axes.filter(|(axis, _)| **axis != "layout");
    axes.filter_map(|(axis, value)| Some(format!("{axis}={}", value?)))
        .collect()
}

/// The numbers of the pieces' inputs, below [`PIECES`].
#[inline(always)]
pub fn inputs(position: &Position) -> impl Iterator<Item = usize> {
    let of = |kind: usize, set: Bitboard| {
        let squares = set.into_iter();
        squares.map(move |square| kind * SQUARES + square.index())
    };
    of(0, position.attackers)
        .chain(of(1, position.defenders))
        .chain(of(2, position.king))
}

/// An input's image.
#[must_use]
pub fn image(symmetry: Symmetry, input: usize) -> usize {
    let square = Square::new(input % SQUARES);
    input / SQUARES * SQUARES + symmetry.square(square).index()
}

/// What a piece adds to the units, on every image.
type Row = [Units; IMAGES];

/// The network under one ruleset.
#[derive(Clone, Debug)]
pub struct Adapted {
    rows: Arc<[Row; PIECES]>,
    /// What the units begin with on every image, by side to move.
    start: [Units; 2],
    bias: i32,
    output: Units,
    /// By which instructions it is asked.
    kind: Kind,
}

impl Network {
    /// Reads a network's file.
    ///
    /// # Errors
    /// Text that is no TOML, unknown keys, numbers that are missing, too many or
    /// too large.
    pub fn read(text: &str) -> Result<Network, WeightsError> {
        let network: Network =
            toml::from_str(text).map_err(|error| WeightsError::of_toml(text, &error))?;
        network.check().map_err(WeightsError::File)?;
        Ok(network)
    }

    /// Writes a file as [`Network::read`] reads it.
    ///
    /// # Errors
    /// None that is known: every network can be written.
    pub fn write(&self) -> Result<String, WeightsError> {
        toml::to_string(self).map_err(|error| WeightsError::File(error.to_string()))
    }

    fn check(&self) -> Result<(), String> {
        for side in Side::BOTH {
            if !self.side.contains_key(&side.to_string()) {
                return Err(format!("`side` has no numbers for {side}"));
            }
        }
        if self.side.len() != 2 {
            return Err("`side` has more than attackers and defenders".to_owned());
        }
        for kind in KINDS {
            let squares = self.pieces.get(kind);
            let squares = squares.ok_or_else(|| format!("`pieces` has no `{kind}`"))?;
            for square in Square::all() {
                let units = squares
                    .get(&square.to_string())
                    .ok_or_else(|| format!("`pieces.{kind}` has no `{square}`"))?;
                if let Some(number) = units
                    .iter()
                    .find(|it| it.unsigned_abs() > MOST_OF_PIECE.unsigned_abs())
                {
                    return Err(format!(
                        "`pieces.{kind}.{square}` has {number}, beyond ±{MOST_OF_PIECE}"
                    ));
                }
            }
            if squares.len() != SQUARES {
                return Err(format!(
                    "`pieces.{kind}` has more than the {SQUARES} squares"
                ));
            }
        }
        let axes = AXES.iter().filter(|axis| **axis != "layout");
        let is_rule = |key: &&String| {
            let axis = key.split_once('=').map(|(axis, _)| axis);
            axes.clone().any(|known| axis == Some(*known))
        };
        if let Some(key) = self.rules.keys().find(|key| !is_rule(key)) {
            return Err(format!("`rules` has `{key}`, expected axis=value"));
        }
        if self.pieces.len() != KINDS.len() {
            return Err(format!("`pieces` has more than {}", KINDS.join(", ")));
        }
        match self.output.last() {
            Some(last) if last.rules == Condition::default() => Ok(()),
            _ => Err("the last `output` is not for every ruleset".to_owned()),
        }
    }

    fn rows(&self) -> Arc<[Row; PIECES]> {
        let mut rows = vec![[[0; UNITS]; IMAGES]; PIECES];
        let images: Vec<Symmetry> = Symmetry::all().collect();
        for (kind, name) in KINDS.iter().enumerate() {
            for square in Square::all() {
                let row = &mut rows[kind * SQUARES + square.index()];
                for (units, symmetry) in row.iter_mut().zip(&images) {
                    let seen = symmetry.square(square).to_string();
                    *units = self.pieces[*name][&seen];
                }
            }
        }
        let rows: Arc<[Row]> = rows.into();
        rows.try_into().expect("there are so many")
    }

    /// This network under these rules.
    ///
    /// # Panics
    /// If it is none that [`Network::read`] would read.
    #[must_use]
    pub fn under(&self, ruleset: &Ruleset) -> Adapted {
        self.adapted(self.rows(), ruleset)
    }

    fn adapted(&self, rows: Arc<[Row; PIECES]>, ruleset: &Ruleset) -> Adapted {
        let inputs = rule_inputs(ruleset);
        let start = Side::BOTH.map(|side| {
            let mut sums = self.side[&side.to_string()].map(i32::from);
            for units in inputs.iter().filter_map(|input| self.rules.get(input)) {
                for (sum, &number) in sums.iter_mut().zip(units) {
                    *sum += i32::from(number);
                }
            }
            let most = i32::from(MOST_TO_BEGIN_WITH);
            sums.map(|sum| sum.clamp(-most, most) as i16)
        });
        let output = self.output.iter().find(|it| it.rules.holds(ruleset));
        let output = output.expect("checked: the last is for every ruleset");
        Adapted {
            rows,
            start,
            bias: i32::from(output.bias),
            output: output.weights,
            kind: Kind::best(),
        }
    }
}

impl Adapted {
    /// The network that comes with the program, under these rules.
    ///
    /// # Panics
    /// Never: the network that comes with the program is tested.
    #[must_use]
    pub fn of(ruleset: &Ruleset) -> Adapted {
        static NETWORK: OnceLock<(Network, Arc<[Row; PIECES]>)> = OnceLock::new();
        let (network, rows) = NETWORK.get_or_init(|| {
            let network = Network::read(include_str!("network.toml"));
            let network = network.expect("tested: the network that comes with the program");
            let rows = network.rows();
            (network, rows)
        });
        network.adapted(Arc::clone(rows), ruleset)
    }

    /// What is to be added to a position's score, in its units: positive is
    /// good for the defenders. Within ±300,000 by any network that is read.
    #[inline]
    #[must_use]
    pub fn score(&self, position: &Position) -> i32 {
        self.score_by(self.kind, position)
    }

    /// The same by the instructions of this kind of word.
    #[inline]
    fn score_by(&self, kind: Kind, position: &Position) -> i32 {
        let network = self;
        let worth = kind.run(Answers { network, position });
        self.bias + (worth >> OUTPUT_BITS)
    }
}

/// The sum of the answers' worth. The compiler makes it of as wide words as the
/// processor has; whole numbers are the same in any.
struct Answers<'a> {
    network: &'a Adapted,
    position: &'a Position,
}

impl Job for Answers<'_> {
    type Output = i32;

    #[inline(always)]
    fn with<L: Lanes>(self, _: L) -> i32 {
        let Answers { network, position } = self;
        let mut sums = [network.start[position.side as usize]; IMAGES];
        for input in inputs(position) {
            let row = &network.rows[input];
            sums = std::array::from_fn(|image| added(sums[image], row[image]));
        }
        let mut worth = 0;
        for image in &sums {
            for (&sum, &weight) in image.iter().zip(&network.output) {
                worth += i32::from(answer(sum)) * i32::from(weight);
            }
        }
        worth
    }
}

#[inline(always)]
fn added(sums: Units, numbers: Units) -> Units {
    std::array::from_fn(|unit| sums[unit].wrapping_add(numbers[unit]))
}

/// A unit's answer to its sum.
#[inline(always)]
fn answer(sum: i16) -> i16 {
    let held = sum.clamp(0, ONE) as u16;
    ((held * held + 128) >> 8) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::evaluation::{Choice, Evaluation};
    use crate::game::{Game, Rules, preset, sample};

    const TEXT: &str = include_str!("network.toml");

    /// Positions of random games under every named ruleset.
    fn each_position(mut look: impl FnMut(&Rules, &Position)) {
        let mut numbers = crate::agents::stream([7; 32]);
        for preset in &preset::Preset::ALL {
            let rules = Rules::new(preset.ruleset());
            let mut game = Game::new(&rules);
            while game.outcome().is_none() && game.plies() < 60 {
                look(&rules, game.position());
                let Some(ply) = sample::random_move(&rules, game.position(), &mut numbers) else {
                    break;
                };
                game.play_legal(ply);
            }
        }
    }

    /// The score by the file's own names, image by image.
    fn by_names(network: &Network, ruleset: &Ruleset, position: &Position) -> i32 {
        let output = network.output.iter().find(|it| it.rules.holds(ruleset));
        let output = output.unwrap();
        let mut worth = 0;
        for symmetry in Symmetry::all() {
            let here = position.image(symmetry);
            for unit in 0..UNITS {
                let mut sum = i32::from(network.side[&here.side.to_string()][unit]);
                for input in rule_inputs(ruleset) {
                    sum += network
                        .rules
                        .get(&input)
                        .map_or(0, |row| i32::from(row[unit]));
                }
                for (kind, set) in KINDS
                    .iter()
                    .zip([here.attackers, here.defenders, here.king])
                {
                    for square in set {
                        sum += i32::from(network.pieces[*kind][&square.to_string()][unit]);
                    }
                }
                let held = sum.clamp(0, i32::from(ONE));
                let answer = (held * held + 128) / 256;
                worth += answer * i32::from(output.weights[unit]);
            }
        }
        i32::from(output.bias) + worth.div_euclid(OUTPUT)
    }

    #[test]
    fn the_score_is_what_the_file_says_and_the_same_for_every_image() {
        let network = Network::read(TEXT).unwrap();
        let mut scores = std::collections::BTreeSet::new();
        each_position(|rules, position| {
            let adapted = Adapted::of(rules.ruleset());
            let score = adapted.score(position);
            assert_eq!(score, by_names(&network, rules.ruleset(), position));
            for kind in Kind::here() {
                assert_eq!(adapted.score_by(kind, position), score, "{kind:?}");
            }
            for symmetry in Symmetry::all() {
                let image = position.image(symmetry);
                assert_eq!(adapted.score(&image), score, "{position}");
            }
            scores.insert(score);
        });
        assert!(scores.len() > 100, "it tells positions apart");
    }

    #[test]
    fn what_is_linear_is_without_the_network() {
        let mut differ = 0;
        each_position(|rules, position| {
            let ruleset = rules.ruleset();
            let by = |choice| Evaluation::of(ruleset, choice).score(rules, position);
            let network = Adapted::of(ruleset).score(position);
            assert_eq!(by(Choice::Tuned), by(Choice::Linear) + network);
            differ += usize::from(network != 0);
        });
        assert!(differ > 100, "{differ}");
    }

    #[test]
    fn no_board_is_too_full() {
        let mut network = Network::read(TEXT).unwrap();
        for sign in [1, -1] {
            let most = [sign * MOST_OF_PIECE; UNITS];
            for units in network.pieces.values_mut().flat_map(BTreeMap::values_mut) {
                *units = most;
            }
            for units in network.side.values_mut() {
                *units = [sign * i16::MAX; UNITS];
            }
            for output in &mut network.output {
                (output.bias, output.weights) = (0, [i16::MAX; UNITS]);
            }
            let ruleset = Ruleset::default();
            let mut full = Rules::new(ruleset).start();
            full.attackers = Bitboard::FULL - full.king - full.defenders;
            // Every unit on every image answers with the most there is, or with
            // nothing.
            let most = IMAGES as i32 * UNITS as i32 * ANSWER * i32::from(i16::MAX) / OUTPUT;
            let expected = if sign > 0 { most } else { 0 };
            assert_eq!(network.under(&ruleset).score(&full), expected);
        }
    }

    #[test]
    fn networks_read_back_and_wrong_ones_are_named() {
        let network = Network::read(TEXT).unwrap();
        let text = network.write().unwrap();
        assert_eq!(Network::read(&text).unwrap(), network);
        let wrong = |change: &dyn Fn(&mut Network)| {
            let mut network = network.clone();
            change(&mut network);
            let text = network.write().unwrap();
            Network::read(&text).unwrap_err().to_string()
        };
        let without = wrong(&|it| {
            it.pieces.get_mut("king").unwrap().remove("c5");
        });
        assert_eq!(without, "`pieces.king` has no `c5`");
        let large = wrong(&|it| {
            it.pieces
                .get_mut("attacker")
                .unwrap()
                .get_mut("g7")
                .unwrap()[3] = -601;
        });
        assert_eq!(large, "`pieces.attacker.g7` has -601, beyond ±600");
        let kind = wrong(&|it| {
            it.pieces.insert("queen".to_owned(), BTreeMap::new());
        });
        assert!(
            kind.contains("more than attacker, defender, king"),
            "{kind}"
        );
        let side = wrong(&|it| {
            it.side.remove("defenders");
        });
        assert_eq!(side, "`side` has no numbers for defenders");
        let rule = wrong(&|it| {
            it.rules.insert("king_captures=two".to_owned(), [0; UNITS]);
        });
        assert_eq!(rule, "`rules` has `king_captures=two`, expected axis=value");
        let last = wrong(&|it| {
            it.output.pop();
        });
        assert_eq!(last, "the last `output` is not for every ruleset");
        let unknown = Network::read(&text.replace("[side]", "[sides]")).unwrap_err();
        assert!(unknown.to_string().contains("sides"), "{unknown}");
    }

    #[test]
    fn rules_that_are_the_same_set_the_same() {
        let rules = |text: &str| Ruleset::from_label(text).unwrap();
        let one = rules("king_capture=zone throne_hostile=soldiers");
        let other = rules("king_capture=zone");
        assert_ne!(one, other);
        assert_eq!(rule_inputs(&one), rule_inputs(&other));
        each_position(|_, position| {
            let [one, other] = [one, other].map(|ruleset| {
                let rules = Rules::new(ruleset);
                Evaluation::of(&ruleset, Choice::Tuned).score(&rules, position)
            });
            assert_eq!(one, other, "{position}");
        });
        let inputs = rule_inputs(&Ruleset::default());
        assert!(
            inputs.contains(&"king_capture=two".to_owned()),
            "{inputs:?}"
        );
        assert!(inputs.iter().all(|input| !input.starts_with("layout")));
    }
}
