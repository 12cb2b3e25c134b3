//! The positions of one ruleset: for each side and length the one whose win is least ambiguous.

use brandub::game::{Move, Position, Rules, Ruleset, Side};
use serde_json::Value;

use crate::exhaustive::row::Row;
use crate::exhaustive::{GivenUp, Proof, heeds_no_history, near};
use crate::{NEAR, games};

/// Games looked at for one ruleset.
const GAMES: u64 = 300;
/// Positions that the proofs of one ruleset may look at before its search is over.
const MOST_NODES: u64 = 40_000_000;
/// Positions that the proofs of one game may look at.
const NODES_A_GAME: u64 = 4_000_000;
/// The longest wins.
const LONGEST: u8 = 11;
/// Wins of one length that are compared before one is taken; of long ones the first is taken.
const COMPARED: u32 = 6;
/// From this length on a win is a long one.
const LONG: u8 = 9;

/// What is looked for: a length in plies, for one side.
struct Wanted {
    plies: u8,
    side: Side,
    /// Positions that its proof may look at, so that the tests are quick.
    max_nodes: u64,
    seen: u32,
    held: Option<Row>,
}

impl Wanted {
    fn open(&self) -> bool {
        let unique = self.held.as_ref().is_some_and(|row| row.best.len() == 1);
        let compared = if self.plies < LONG { COMPARED } else { 1 };
        !unique && self.seen < compared
    }

    /// Keeps the row if its win is less ambiguous than the one held.
    fn offer(&mut self, row: Row) {
        self.seen += 1;
        let better = |held: &Row| row.best.len() < held.best.len();
        if self.held.as_ref().is_none_or(better) {
            self.held = Some(row);
        }
    }
}

fn wishes() -> Vec<Wanted> {
    let mut wishes = Vec::new();
    for plies in [3, 5, 5, 7, 7, 9, LONGEST, LONGEST] {
        wishes.extend(Side::BOTH.map(|side| Wanted {
            plies,
            side,
            max_nodes: if plies < LONGEST {
                1_000_000
            } else {
                4_000_000
            },
            seen: 0,
            held: None,
        }));
    }
    wishes
}

/// The rows of one ruleset, shortest wins first.
pub fn rows(name: &Value, ruleset: Ruleset, seed: u64) -> Vec<Row> {
    let rules = Rules::new(ruleset);
    let mut wishes = wishes();
    let seed = seed ^ u64::from_str_radix(&ruleset.id(), 16).unwrap_or(0);
    let mut nodes = 0;
    for number in 0..GAMES {
        if nodes > MOST_NODES || !wishes.iter().any(Wanted::open) {
            break;
        }
        let played = games::play(&rules, seed, number);
        if let Some(winner) = played.winner {
            let mut proof = Proof::new(&rules, winner, NODES_A_GAME);
            let wins = forced(&mut proof, winner, &played.positions);
            nodes += proof.nodes();
            offer(&rules, name, wins, &mut wishes);
        }
    }
    wishes.into_iter().filter_map(|wish| wish.held).collect()
}

/// Offers the longest of one game's wins that is still looked for, and no other: the positions of
/// one game are much alike.
fn offer(rules: &Rules, name: &Value, wins: Vec<(Position, u8)>, wishes: &mut [Wanted]) {
    for (position, plies) in wins.into_iter().rev() {
        let side = position.side;
        if near_one(wishes, &position) || !heeds_no_history(rules.ruleset(), side, plies) {
            continue;
        }
        let fits = |wish: &&mut Wanted| wish.open() && wish.plies == plies && wish.side == side;
        let Some(wish) = wishes.iter_mut().find(fits) else {
            continue;
        };
        if let Ok(best) = proven(rules, &position, plies, wish.max_nodes) {
            wish.offer(Row {
                rules: name.clone(),
                position,
                plies,
                best,
            });
            return;
        }
    }
}

/// The winner's positions from which the win was forced to the end, each with the length of its
/// shortest win, the last position first.
fn forced(proof: &mut Proof<'_>, winner: Side, positions: &[Position]) -> Vec<(Position, u8)> {
    let mut wins = Vec::new();
    let mut most = 1;
    for position in positions.iter().rev().filter(|at| at.side == winner) {
        let Ok(Some(plies)) = proof.shortest(position, most) else {
            break;
        };
        wins.push((*position, plies));
        most = LONGEST.min(plies + 2);
    }
    wins
}

fn near_one(wishes: &[Wanted], position: &Position) -> bool {
    let mut held = wishes.iter().filter_map(|wish| wish.held.as_ref());
    held.any(|row| {
        row.position.side == position.side && near::distance(&row.position, position) < NEAR
    })
}

/// The best moves, if all of the proof is within the limit.
fn proven(
    rules: &Rules,
    position: &Position,
    plies: u8,
    max_nodes: u64,
) -> Result<Vec<Move>, GivenUp> {
    let mut proof = Proof::new(rules, position.side, max_nodes);
    proof.shortest(position, plies)?;
    proof.best(position, plies)
}
