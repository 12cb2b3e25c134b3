//! A small neural network that corrects the weighted sum by how the pieces
//! stand to each other. Imports `game`; the one that comes with the program is
//! in `network.toml`.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::weights::{Condition, Provenance, WeightsError};
use crate::game::{AXES, Bitboard, Position, Ruleset, SQUARES, Side, Square, Symmetry};

/// Hidden units. Each looks at the board in all of its [`IMAGES`], so that the
/// sum does not change under the board's symmetries.
pub const UNITS: usize = 16;
/// How many images of itself the board's symmetries make of a position.
pub const IMAGES: usize = 8;
/// Every unit on every image, image by image.
const WIDTH: usize = UNITS * IMAGES;
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

/// What the units' answers are worth under some rulesets.
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

/// The network's numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Where it comes from.
    pub provenance: Provenance,
    /// What the units begin with, by the side to move: `attackers`,
    /// `defenders`.
    pub side: BTreeMap<String, Units>,
    /// What each value of a ruleset's axes adds, by [`rule_inputs`]; what is
    /// not there adds nothing.
    pub rules: BTreeMap<String, Units>,
    /// What a piece on a square adds: `attacker`, `defender`, `king`, then the
    /// square.
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
#[inline]
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

type Wide = [i16; WIDTH];

/// The network under one ruleset.
#[derive(Clone, Debug)]
pub struct Adapted {
    rows: Arc<[Wide; PIECES]>,
    /// What the units begin with, by side to move.
    start: [Wide; 2],
    bias: i32,
    output: Units,
}

impl Network {
    /// Reads a network's file.
    ///
    /// # Errors
    /// Text that is no TOML, unknown keys, numbers that are missing, too many or
    /// too large.
    pub fn read(text: &str) -> Result<Network, WeightsError> {
        let network: Network =
            toml::from_str(text).map_err(|error| WeightsError::File(error.to_string()))?;
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
                if let Some(number) = units.iter().find(|it| it.abs() > MOST_OF_PIECE) {
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
        if self.pieces.len() != KINDS.len() {
            return Err(format!("`pieces` has more than {}", KINDS.join(", ")));
        }
        match self.output.last() {
            Some(last) if last.rules == Condition::default() => Ok(()),
            _ => Err("the last `output` is not for every ruleset".to_owned()),
        }
    }

    fn rows(&self) -> [Wide; PIECES] {
        let mut rows = [[0; WIDTH]; PIECES];
        let images: Vec<Symmetry> = Symmetry::all().collect();
        for (kind, name) in KINDS.iter().enumerate() {
            for square in Square::all() {
                let row = &mut rows[kind * SQUARES + square.index()];
                for (part, symmetry) in row.chunks_mut(UNITS).zip(&images) {
                    let seen = symmetry.square(square).to_string();
                    part.copy_from_slice(&self.pieces[*name][&seen]);
                }
            }
        }
        rows
    }

    /// This network under these rules.
    ///
    /// # Panics
    /// If it is none that [`Network::read`] would read.
    #[must_use]
    pub fn under(&self, ruleset: &Ruleset) -> Adapted {
        self.adapted(Arc::new(self.rows()), ruleset)
    }

    fn adapted(&self, rows: Arc<[Wide; PIECES]>, ruleset: &Ruleset) -> Adapted {
        let inputs = rule_inputs(ruleset);
        let start = Side::BOTH.map(|side| {
            let mut sums = self.side[&side.to_string()].map(i32::from);
            for units in inputs.iter().filter_map(|input| self.rules.get(input)) {
                for (sum, &number) in sums.iter_mut().zip(units) {
                    *sum += i32::from(number);
                }
            }
            let most = i32::from(MOST_TO_BEGIN_WITH);
            let units = sums.map(|sum| sum.clamp(-most, most) as i16);
            std::array::from_fn(|place| units[place % UNITS])
        });
        let output = self.output.iter().find(|it| it.rules.holds(ruleset));
        let output = output.expect("checked: the last is for every ruleset");
        Adapted {
            rows,
            start,
            bias: i32::from(output.bias),
            output: output.weights,
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
        static NETWORK: OnceLock<(Network, Arc<[Wide; PIECES]>)> = OnceLock::new();
        let (network, rows) = NETWORK.get_or_init(|| {
            let network = Network::read(include_str!("network.toml"));
            let network = network.expect("tested: the network that comes with the program");
            let rows = Arc::new(network.rows());
            (network, rows)
        });
        network.adapted(Arc::clone(rows), ruleset)
    }

    /// What is to be added to a position's score, in its units: positive is
    /// good for the defenders.
    #[inline]
    #[must_use]
    pub fn score(&self, position: &Position) -> i32 {
        let mut sums = self.start[position.side as usize];
        for input in inputs(position) {
            for (sum, &number) in sums.iter_mut().zip(&self.rows[input]) {
                *sum = sum.wrapping_add(number);
            }
        }
        let mut worth = 0;
        for image in sums.chunks_exact(UNITS) {
            for (&sum, &weight) in image.iter().zip(&self.output) {
                worth += i32::from(answer(sum)) * i32::from(weight);
            }
        }
        self.bias + (worth >> OUTPUT_BITS)
    }
}

/// A unit's answer to its sum.
#[inline]
fn answer(sum: i16) -> i16 {
    let held = sum.clamp(0, ONE) as u16;
    ((held * held + 128) >> 8) as i16
}
