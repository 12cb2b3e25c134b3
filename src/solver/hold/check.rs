//! Checks that a set of positions holds, by the rules alone: nothing of the
//! search.

use std::ops::Add;

use super::certificate::{Fortress, HoldClaim};
use crate::game::{MoveList, Outcome, Position, Rules, Side};
use crate::solver::certificate::{TooManySoldiers, ranking};
use crate::solver::ranking::Ranking;

/// What is wrong with a set of positions that could be read.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// They cannot be numbered.
    #[error(transparent)]
    TooManySoldiers(#[from] TooManySoldiers),
    /// A position may repeat for ever only where that is no loss.
    #[error("{0}")]
    Repetition(String),
    /// The root is no position to start from, or can be left.
    #[error("the root {root}: {problem}")]
    Root {
        /// As a position string.
        root: String,
        /// What is wrong.
        problem: String,
    },
    /// One of the positions can be left, or is none.
    #[error("position {index} of {count}: {problem}")]
    Position {
        /// From 0.
        index: usize,
        /// How many there are.
        count: usize,
        /// What is wrong.
        problem: String,
    },
}

/// What a set that passed has shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Positions checked.
    pub positions: u64,
    /// Moves of the other side looked at, one by one.
    pub replies: u64,
}

impl Add for Checked {
    type Output = Checked;

    fn add(self, more: Checked) -> Checked {
        Checked {
            positions: self.positions + more.positions,
            replies: self.replies + more.replies,
        }
    }
}

/// Whether positions may repeat under these rules without a loss for the holder,
/// whoever repeats them.
///
/// # Errors
/// What a repetition means otherwise.
pub fn may_hold(rules: &Rules, holder: Side) -> Result<(), HoldError> {
    let lost = |mover| rules.repeated(mover).is_some_and(|end| loses(holder, end));
    if Side::BOTH.into_iter().any(lost) {
        let repetition = rules.ruleset().repetition;
        return Err(HoldError::Repetition(format!(
            "a side that repeats positions may lose by it (repetition {repetition}): the {holder} cannot hold by coming back"
        )));
    }
    Ok(())
}

/// Whether a game that ends so is lost for this side.
pub(super) fn loses(side: Side, end: Outcome) -> bool {
    end.winner == Some(side.other())
}

/// Checks that the positions of a fortress show a claim: its own, or one of other
/// rules or another root for the same side. Its own root says how they are
/// numbered.
///
/// `observe` is told after each position how many have been checked.
///
/// # Errors
/// The first thing that does not hold.
pub fn check(
    fortress: &Fortress,
    claim: HoldClaim,
    observe: &mut dyn FnMut(u64),
) -> Result<Checked, HoldError> {
    let rules = Rules::new(claim.ruleset);
    let checker = Checker {
        rules: &rules,
        ranking: ranking(&fortress.claim.root)?,
        holder: claim.holder,
        positions: &fortress.positions,
    };
    may_hold(&rules, claim.holder)?;
    let mut done = Checked::default();
    checker
        .root(&claim, fortress.claim.holder, &mut done)
        .map_err(|problem| HoldError::Root {
            root: claim.root.to_otn(),
            problem,
        })?;
    for (index, &number) in fortress.positions.iter().enumerate() {
        checker
            .position(number, &mut done)
            .map_err(|problem| HoldError::Position {
                index,
                count: fortress.positions.len(),
                problem,
            })?;
        done.positions += 1;
        observe(done.positions);
    }
    Ok(done)
}

struct Checker<'c> {
    rules: &'c Rules,
    ranking: Ranking,
    holder: Side,
    positions: &'c [u64],
}

impl Checker<'_> {
    fn root(&self, claim: &HoldClaim, holder: Side, done: &mut Checked) -> Result<(), String> {
        if claim.holder != holder {
            let other = claim.holder;
            return Err(format!("{holder} hold by these positions, and not {other}"));
        }
        self.goes_on(&claim.root)?;
        if claim.root.side == holder {
            self.comes_back(&claim.root)
        } else {
            self.stays(&claim.root, done)
        }
    }

    fn position(&self, number: u64, done: &mut Checked) -> Result<(), String> {
        let position = self
            .ranking
            .position(number, self.holder.other())
            .ok_or_else(|| format!("{number} is no position's number"))?;
        self.goes_on(&position)
            .and_then(|()| self.stays(&position, done))
            .map_err(|problem| format!("{}: {problem}", position.to_otn()))
    }

    /// Whether it can stand, with the game not over.
    fn goes_on(&self, position: &Position) -> Result<(), String> {
        self.rules.admit(position)?;
        match self.rules.ending(position) {
            Some(end) => Err(format!("the game is over there: {end}")),
            None => Ok(()),
        }
    }

    /// Whether no move of the other side, who is to move, gets away.
    fn stays(&self, position: &Position, done: &mut Checked) -> Result<(), String> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        for ply in list {
            done.replies += 1;
            let after = self.rules.play(position, ply).position;
            let answered = match self.rules.ending(&after) {
                Some(end) if loses(self.holder, end) => Err(format!("ends the game: {end}")),
                Some(_) => Ok(()),
                None => self.comes_back(&after),
            };
            answered.map_err(|problem| format!("after {ply} {problem}"))?;
        }
        Ok(())
    }

    /// Whether the holder, who is to move, can move to one of the positions, or
    /// end the game without losing it.
    fn comes_back(&self, position: &Position) -> Result<(), String> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        let back = list.into_iter().any(|ply| {
            let after = self.rules.play(position, ply).position;
            match self.rules.ending(&after) {
                Some(end) => !loses(self.holder, end),
                None => self
                    .ranking
                    .number(&after)
                    .is_some_and(|number| self.positions.binary_search(&number).is_ok()),
            }
        });
        if back {
            Ok(())
        } else {
            let (holder, position) = (self.holder, position.to_otn());
            Err(format!("{holder} have no move back, in {position}"))
        }
    }
}
