//! Checks that a set of positions holds, by the rules alone: nothing of the
//! search.

use std::ops::Add;
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "tables")]
use rayon::prelude::*;

use super::certificate::{Fortress, HoldClaim};
use crate::game::{Move, MoveList, Outcome, Position, Rules, Side};
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
    /// No wall: too few squares, squares where no man may stand, or too many men.
    #[error("no wall: {0}")]
    Wall(String),
    /// A wall that is too large.
    #[error("the wall takes {takes} bytes of memory or more, {memory} asked for")]
    Memory {
        /// At least, in bytes.
        takes: u64,
        /// There are, in bytes.
        memory: u64,
    },
    /// A set that has outgrown its memory while it was gathered.
    #[error(
        "{positions} positions of a certificate take {takes} bytes of memory, {memory} are left for them"
    )]
    Gathering {
        /// So far.
        positions: u64,
        /// In bytes.
        takes: u64,
        /// There are, in bytes.
        memory: u64,
    },
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

/// So many positions are checked at a time, on one of rayon's threads.
const AT_ONCE: usize = 1 << 12;

/// Checks that the positions of a fortress show a claim: its own, or one of other
/// rules or another root for the same side. Its own root says how they are
/// numbered.
///
/// # Errors
/// The first thing that does not hold.
pub fn check(fortress: &Fortress, claim: HoldClaim) -> Result<Checked, HoldError> {
    let checker = Checker::new(fortress, claim)?;
    let mut done = checker.root(&claim.root, fortress.claim.holder)?;
    #[cfg(feature = "tables")]
    let parts = fortress.positions.par_chunks(AT_ONCE);
    #[cfg(not(feature = "tables"))]
    let parts = fortress.positions.chunks(AT_ONCE);
    // The first part with something wrong in it; none behind it is looked at.
    let wrong = AtomicUsize::new(usize::MAX);
    let parts = parts.enumerate().map(|(number, part)| {
        if number > wrong.load(Ordering::Relaxed) {
            return Ok(Checked::default());
        }
        checker.part(part).map_err(|(index, problem)| {
            wrong.fetch_min(number, Ordering::Relaxed);
            HoldError::Position {
                index: number * AT_ONCE + index,
                count: fortress.positions.len(),
                problem,
            }
        })
    });
    let parts: Vec<_> = parts.collect();
    for part in parts {
        done = done + part?;
    }
    Ok(done)
}

/// Asks about single positions by those of a fortress.
pub struct Checker<'f> {
    claim: HoldClaim,
    rules: Rules,
    ranking: Ranking,
    /// Their numbers, ascending.
    positions: &'f [u64],
}

impl<'f> Checker<'f> {
    /// By the positions of a fortress, under a claim's rules.
    ///
    /// # Errors
    /// Rules by which repeating may lose; a root with too many soldiers.
    pub fn new(fortress: &'f Fortress, claim: HoldClaim) -> Result<Checker<'f>, HoldError> {
        let rules = Rules::new(claim.ruleset);
        may_hold(&rules, claim.holder)?;
        Ok(Checker {
            claim,
            rules,
            ranking: ranking(&fortress.claim.root)?,
            positions: &fortress.positions,
        })
    }

    /// Checks that the positions, if they pass the check, show another root than the
    /// claim's, too.
    ///
    /// # Errors
    /// What does not hold of it.
    pub fn shows(&self, root: &Position) -> Result<(), HoldError> {
        self.root(root, self.claim.holder).map(|_| ())
    }

    /// Whether a root holds, by positions of this side.
    fn root(&self, root: &Position, side: Side) -> Result<Checked, HoldError> {
        let holder = self.claim.holder;
        let shown = if side != holder {
            Err(format!("{side} hold by these positions, not {holder}"))
        } else if root.side == holder {
            self.goes_on(root)
                .and_then(|()| self.comes_back(root))
                .map(|()| 0)
        } else {
            self.goes_on(root).and_then(|()| self.stays(root))
        };
        let replies = shown.map_err(|problem| HoldError::Root {
            root: root.to_otn(),
            problem,
        })?;
        Ok(Checked {
            positions: 0,
            replies,
        })
    }

    /// Checks some of the positions; on failure, which of them it is.
    fn part(&self, numbers: &[u64]) -> Result<Checked, (usize, String)> {
        let mut done = Checked::default();
        for (index, &number) in numbers.iter().enumerate() {
            done.replies += self.position(number).map_err(|problem| (index, problem))?;
            done.positions += 1;
        }
        Ok(done)
    }

    fn position(&self, number: u64) -> Result<u64, String> {
        let position = self
            .ranking
            .position(number, self.claim.holder.other())
            .ok_or_else(|| format!("{number} is no position's number"))?;
        self.goes_on(&position)
            .and_then(|()| self.stays(&position))
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

    /// Whether no move of the other side, who is to move, gets away; how many he has.
    fn stays(&self, position: &Position) -> Result<u64, String> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        for &ply in &list {
            let after = self.rules.play(position, ply).position;
            let answered = match self.rules.ending(&after) {
                Some(end) if loses(self.claim.holder, end) => Err(format!("ends the game: {end}")),
                Some(_) => Ok(()),
                None => self.comes_back(&after),
            };
            answered.map_err(|problem| format!("after {ply} {problem}"))?;
        }
        Ok(list.len() as u64)
    }

    /// Whether the holder, who is to move, can move to one of the positions, or
    /// end the game without losing it.
    fn comes_back(&self, position: &Position) -> Result<(), String> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        let after = |&ply: &Move| self.rules.play(position, ply).position;
        let known = |after: Position| {
            let number = self.ranking.number(&after);
            number.is_some_and(|number| self.positions.binary_search(&number).is_ok())
        };
        let ends = |after: Position| {
            let end = self.rules.ending(&after);
            end.is_some_and(|end| !loses(self.claim.holder, end))
        };
        // In none of the positions is the game over.
        let back = list.iter().map(after).any(known) || list.iter().map(after).any(ends);
        if back {
            Ok(())
        } else {
            let (holder, position) = (self.claim.holder, position.to_otn());
            Err(format!("{holder} have no move back, in {position}"))
        }
    }
}
