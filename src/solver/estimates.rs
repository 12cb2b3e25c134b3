//! What a position that nobody has searched begins with: its proof and disproof
//! numbers as a search of some size below it would leave them, estimated from
//! what the position looks like. Imports `game`, pairs of pieces and the
//! evaluation's features.
//!
//! Fitted to searches by `brandub tune --proofs`; the sets that come with the
//! program are in `estimates.toml`. They only say where to look first: whatever
//! they say, what is proved is true.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::pairs::PairTable;
use super::statics::{Glance, glance};
use crate::agents::evaluation::{Condition, Weights, WeightsError, groups};
use crate::game::{Position, Rules, Ruleset, Side};

pub use super::pairs::{PAIR_GROUPS, PAIRS, pairs};

/// Parts of a doubling in which estimates are given.
pub const UNITS: i32 = 256;
/// No estimate is larger than 2 to the power of this.
const MOST: i32 = 18;

/// What kind of position it is, as far as the work left in it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Defenders to move.
    Defenders,
    /// Attackers to move, as they like.
    Attackers,
    /// Attackers to move, who have to stand in the king's way.
    Block,
    /// Defenders to move, who have to save their king from capture.
    Rescue,
}

impl Kind {
    /// All, in order.
    pub const ALL: [Kind; 4] = [Kind::Defenders, Kind::Attackers, Kind::Block, Kind::Rescue];

    /// The kind of a position with this side to move, which has to meet a
    /// threat or has not.
    #[must_use]
    pub const fn of(side: Side, threatened: bool) -> Kind {
        match (side, threatened) {
            (Side::Defenders, false) => Kind::Defenders,
            (Side::Defenders, true) => Kind::Rescue,
            (Side::Attackers, false) => Kind::Attackers,
            (Side::Attackers, true) => Kind::Block,
        }
    }

    /// The kind of a position, and how many moves in it need a look: those that
    /// meet the threat, or all. None where a glance tells who wins.
    #[must_use]
    pub fn and_moves(rules: &Rules, position: &Position) -> Option<(Kind, u32)> {
        let (threatened, moves) = match glance(rules, position.side, position) {
            Glance::Proved(_) | Glance::Refuted => return None,
            Glance::Answers(ways) => (true, ways),
            Glance::Quiet => (false, rules.count_moves(position) as u32),
        };
        Some((Kind::of(position.side, threatened), moves))
    }
}

/// How an estimate's logarithm to base 2 is made up, in units of 1 / [`UNITS`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// For each doubling of the moves that need a look, and one.
    pub moves: i16,
    /// For each feature of the evaluation.
    pub weights: Weights,
    /// For each pair of pieces that stand so, by [`pairs()`].
    pub pairs: Box<[i16; PAIRS]>,
    /// How much of the variance it explained in positions kept apart, in
    /// thousandths.
    pub explained: i32,
}

/// The proof number's estimate and the disproof number's, in positions of one
/// kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Both {
    proof: Estimate,
    disproof: Estimate,
    /// The weights of pairs of both.
    pairs: PairTable,
}

/// How estimates were made, so that they can be made again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The command.
    pub made_by: String,
    /// Where its random numbers begin.
    pub seed: u64,
    /// How many positions they were fitted to.
    pub positions: u64,
}

/// Estimates, what they are for and where they come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Estimates {
    /// Whose win is looked for.
    pub winner: Side,
    /// The rulesets they are for.
    pub rules: Condition,
    /// Where they come from.
    pub origin: Origin,
    /// For each of [`Kind::ALL`].
    pub kinds: Vec<Both>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    set: Vec<SetTable>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetTable {
    winner: Side,
    rules: Condition,
    origin: Origin,
    defenders: BothTable,
    attackers: BothTable,
    block: BothTable,
    rescue: BothTable,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BothTable {
    proof: EstimateTable,
    disproof: EstimateTable,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EstimateTable {
    explained: i32,
    moves: i16,
    weights: BTreeMap<String, Vec<i16>>,
    pairs: BTreeMap<String, Vec<i16>>,
}

impl Estimates {
    /// The estimates that come with the program for this ruleset and winner:
    /// the first set that is for both.
    ///
    /// # Panics
    /// Never: the sets that come with the program are tested.
    #[must_use]
    pub fn of(ruleset: &Ruleset, winner: Side) -> &'static Estimates {
        static SETS: OnceLock<Vec<Estimates>> = OnceLock::new();
        let sets = SETS.get_or_init(|| {
            Estimates::read_all(include_str!("estimates.toml"))
                .expect("tested: the sets that come with the program")
        });
        let set = Estimates::among(sets, ruleset, winner);
        set.expect("the last set of each winner is for every ruleset")
    }

    /// Of these, the first set for this ruleset and winner.
    #[must_use]
    pub fn among<'s>(
        sets: &'s [Estimates],
        ruleset: &Ruleset,
        winner: Side,
    ) -> Option<&'s Estimates> {
        let is_for = |set: &&Estimates| set.winner == winner && set.rules.holds(ruleset);
        sets.iter().find(is_for)
    }

    /// Reads a file of sets.
    ///
    /// # Errors
    /// Text that is no TOML, unknown keys, groups that are missing or have
    /// another length.
    pub fn read_all(text: &str) -> Result<Vec<Estimates>, WeightsError> {
        let file: File =
            toml::from_str(text).map_err(|error| WeightsError::of_toml(text, &error))?;
        file.set.into_iter().map(Estimates::of_table).collect()
    }

    /// Writes a file of sets, as [`Estimates::read_all`] reads it.
    ///
    /// # Errors
    /// None that is known: every set can be written.
    pub fn write_all(sets: &[Estimates]) -> Result<String, WeightsError> {
        let set = sets.iter().map(Estimates::table).collect();
        toml::to_string(&File { set }).map_err(|error| WeightsError::File(error.to_string()))
    }

    fn of_table(table: SetTable) -> Result<Estimates, WeightsError> {
        Ok(Estimates {
            winner: table.winner,
            rules: table.rules,
            origin: table.origin,
            kinds: [
                &table.defenders,
                &table.attackers,
                &table.block,
                &table.rescue,
            ]
            .into_iter()
            .map(Both::of_table)
            .collect::<Result<_, _>>()?,
        })
    }

    fn table(&self) -> SetTable {
        let of = |kind: Kind| self.kinds[kind as usize].table();
        SetTable {
            winner: self.winner,
            rules: self.rules.clone(),
            origin: self.origin.clone(),
            defenders: of(Kind::Defenders),
            attackers: of(Kind::Attackers),
            block: of(Kind::Block),
            rescue: of(Kind::Rescue),
        }
    }

    /// The proof and the disproof number of a position of this kind with so
    /// many moves that need a look; 1 or more. The king must be on the board.
    #[inline]
    pub(crate) fn numbers(
        &self,
        rules: &Rules,
        position: &Position,
        kind: Kind,
        moves: u32,
    ) -> (u32, u32) {
        let Both {
            proof,
            disproof,
            pairs,
        } = &self.kinds[kind as usize];
        let by_features = Weights::scores(rules, position, [&proof.weights, &disproof.weights]);
        let by_pairs = pairs.sums(position);
        let logarithm = log_moves(moves);
        let by_moves = |estimate: &Estimate| i32::from(estimate.moves) * logarithm / UNITS;
        (
            power(by_features[0] + by_pairs[0] + by_moves(proof)),
            power(by_features[1] + by_pairs[1] + by_moves(disproof)),
        )
    }
}

impl Both {
    /// The two together.
    #[must_use]
    pub fn new(proof: Estimate, disproof: Estimate) -> Both {
        Both {
            pairs: PairTable::new([&proof.pairs, &disproof.pairs]),
            proof,
            disproof,
        }
    }

    /// How hard the win is to prove.
    #[must_use]
    pub const fn proof(&self) -> &Estimate {
        &self.proof
    }

    /// How hard it is to refute.
    #[must_use]
    pub const fn disproof(&self) -> &Estimate {
        &self.disproof
    }

    fn of_table(table: &BothTable) -> Result<Both, WeightsError> {
        let proof = Estimate::of_table(&table.proof)?;
        Ok(Both::new(proof, Estimate::of_table(&table.disproof)?))
    }

    fn table(&self) -> BothTable {
        BothTable {
            proof: self.proof.table(),
            disproof: self.disproof.table(),
        }
    }
}

impl Estimate {
    fn of_table(table: &EstimateTable) -> Result<Estimate, WeightsError> {
        let mut pairs = Box::new([0; PAIRS]);
        groups::read(&PAIR_GROUPS, &table.pairs, &mut pairs[..])?;
        Ok(Estimate {
            moves: table.moves,
            weights: Weights::from_groups(&table.weights)?,
            pairs,
            explained: table.explained,
        })
    }

    fn table(&self) -> EstimateTable {
        EstimateTable {
            explained: self.explained,
            moves: self.moves,
            weights: self.weights.groups(),
            pairs: groups::write(&PAIR_GROUPS, &self.pairs[..]),
        }
    }
}

/// More moves than this count as this many; no side has so many.
const MOST_MOVES: u32 = 255;

/// `LOGARITHMS[n]`: the logarithm of *n* + 1 to base 2 in units of
/// 1 / [`UNITS`], rounded down.
static LOGARITHMS: [i32; MOST_MOVES as usize + 1] = {
    let mut logarithms = [0; MOST_MOVES as usize + 1];
    let mut n = 0;
    while n < logarithms.len() {
        logarithms[n] = logarithm(n as u32 + 1);
        n += 1;
    }
    logarithms
};

/// The logarithm of *n* + 1 to base 2 in the units of a feature's weight.
#[must_use]
pub fn log_moves(moves: u32) -> i32 {
    LOGARITHMS[moves.min(MOST_MOVES) as usize]
}

/// Digit by digit: squaring doubles a logarithm.
const fn logarithm(n: u32) -> i32 {
    let mut log = n.ilog2() as i32;
    // Between 1 and 2, in 2^-31.
    let mut rest = (n as u64) << (31 - n.ilog2());
    let mut unit = UNITS;
    while unit > 1 {
        rest = (rest * rest) >> 31;
        let twice = (rest >> 32) as i32;
        rest >>= twice;
        log = 2 * log + twice;
        unit /= 2;
    }
    log
}

/// The 256th root of 2, in 2^-62.
const ROOT: u128 = 4_624_189_567_668_517_720;

/// `PARTS[n]`: 2 to the power of *n* / [`UNITS`], in 2^-16.
static PARTS: [u32; UNITS as usize] = {
    let mut parts = [0; UNITS as usize];
    let mut power = 1_u128 << 62;
    let mut n = 0;
    while n < parts.len() {
        parts[n] = (power >> 46) as u32;
        power = (power * ROOT) >> 62;
        n += 1;
    }
    parts
};

/// 2 to the power of a number of units, rounded down, between 1 and
/// 2^[`MOST`].
#[inline]
fn power(units: i32) -> u32 {
    let units = units.clamp(0, MOST * UNITS);
    let part = u64::from(PARTS[(units % UNITS) as usize]);
    ((part << (units / UNITS)) >> 16) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Preset, preset, sample};

    #[test]
    fn logarithms_and_powers_are_those_of_a_library() {
        for moves in 0..=MOST_MOVES {
            let expected = f64::from(moves + 1).log2() * f64::from(UNITS);
            let error = expected - f64::from(log_moves(moves));
            assert!((-1e-6..1.01).contains(&error), "{moves}: {error}");
        }
        for units in 0..=MOST * UNITS {
            let expected = (f64::from(units) / f64::from(UNITS)).exp2();
            let error = expected - f64::from(power(units));
            let most = 1.0 + expected / 60_000.0;
            assert!((-1e-6..most).contains(&error), "{units}: {error}");
        }
        assert_eq!((power(-5), power(i32::MAX)), (1, 1 << MOST));
    }

    #[test]
    fn there_are_estimates_for_every_ruleset_and_winner() {
        let presets = Preset::ALL.iter().map(Preset::ruleset);
        for ruleset in preset::disputed_factorial().into_iter().chain(presets) {
            for winner in Side::BOTH {
                let estimates = Estimates::of(&ruleset, winner);
                assert_eq!(estimates.winner, winner);
                assert!(estimates.rules.holds(&ruleset));
            }
        }
    }

    #[test]
    fn numbers_are_the_sums_of_the_weighed_features() {
        let mut stream = crate::agents::stream([7; 32]);
        for ruleset in preset::disputed_factorial() {
            let rules = Rules::new(ruleset);
            let estimates = Estimates::of(&ruleset, Side::Defenders);
            let mut game = Game::new(&rules);
            while game.outcome().is_none() && game.plies() < 80 {
                let here = *game.position();
                let kind = Kind::and_moves(&rules, &here).map_or(Kind::Block, |(kind, _)| kind);
                let both = &estimates.kinds[kind as usize];
                let expected = [both.proof(), both.disproof()].map(|estimate| {
                    let moves = i32::from(estimate.moves) * log_moves(20) / UNITS;
                    let worth = |number: usize| i32::from(estimate.pairs[number]);
                    let of_pairs: i32 = pairs(&here).map(worth).sum();
                    power(estimate.weights.score(&rules, &here) + of_pairs + moves)
                });
                assert_eq!(
                    <[u32; 2]>::from(estimates.numbers(&rules, &here, kind, 20)),
                    expected
                );
                let Some(ply) = sample::random_move(&rules, &here, &mut stream) else {
                    break;
                };
                game.play_legal(ply);
            }
        }
    }

    #[test]
    fn sets_read_back_and_wrong_ones_are_refused() {
        let sets = Estimates::read_all(include_str!("estimates.toml")).unwrap();
        let text = Estimates::write_all(&sets).unwrap();
        assert_eq!(Estimates::read_all(&text).unwrap(), sets);
        let wrong = text.replacen("tempo", "temper", 1);
        let error = Estimates::read_all(&wrong).unwrap_err().to_string();
        assert_eq!(error, "no group of features is called `temper`");
        assert!(
            Estimates::read_all("set = 3")
                .unwrap_err()
                .to_string()
                .contains("line 1")
        );
    }
}
