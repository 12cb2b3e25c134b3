/*!
Checks a certificate by the rules alone. Imports `game`, certificates, the
numbering of positions and wins without steps, and nothing of the search.

Why a certificate that passes is a proof is set out in `docs/proofs.md`.
*/

use std::fmt::Display;
use std::ops::{Add, Range};

use super::bytes::Unreadable;
use super::certificate::{Certificate, Claim, Step, TooManySoldiers, ranking};
use super::ranking::Ranking;
use super::without_steps::ends_it;
pub use super::without_steps::{LEFT_OUT, short_win, wins_in_three};
pub(super) use super::without_steps::{threatens_all, wins_at_once};
use crate::game::{MoveList, Position, Rules, Ruleset};

/// What is wrong with a certificate that could be read.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// Its positions cannot be numbered.
    #[error(transparent)]
    TooManySoldiers(#[from] TooManySoldiers),
    /// Its root is no position to start from.
    #[error("the root {root}: {problem}")]
    Root {
        /// As a position string.
        root: String,
        /// What is wrong.
        problem: String,
    },
    /// A step is no step.
    #[error("step {index} of {count}: {problem}")]
    Step {
        /// From 0.
        index: u64,
        /// How many there are.
        count: u64,
        /// What is wrong.
        problem: String,
    },
    /// Its file cannot be read any more, which says nothing of what it shows.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// Why a check ended early.
enum Problem {
    /// What does not hold.
    Wrong(String),
    Unreadable(Unreadable),
}

impl Problem {
    /// Where it was met.
    fn at(self, place: impl Display) -> Problem {
        match self {
            Problem::Wrong(what) => Problem::Wrong(format!("{place}: {what}")),
            unreadable @ Problem::Unreadable(_) => unreadable,
        }
    }

    /// As an error of the whole check.
    fn or(self, wrong: impl FnOnce(String) -> CheckError) -> CheckError {
        match self {
            Problem::Wrong(what) => wrong(what),
            Problem::Unreadable(error) => error.into(),
        }
    }
}

impl From<String> for Problem {
    fn from(what: String) -> Problem {
        Problem::Wrong(what)
    }
}

impl From<Unreadable> for Problem {
    fn from(error: Unreadable) -> Problem {
        Problem::Unreadable(error)
    }
}

/// What a certificate that passed has shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Steps checked.
    pub steps: u64,
    /// Replies of the other side looked at, one by one.
    pub replies: u64,
    /// Positions left out in which a win within three plies was found anew: those won
    /// at once are not counted.
    pub left_out: u64,
}

impl Add for Checked {
    type Output = Checked;

    fn add(self, more: Checked) -> Checked {
        Checked {
            steps: self.steps + more.steps,
            replies: self.replies + more.replies,
            left_out: self.left_out + more.left_out,
        }
    }
}

/// The steps of a certificate, by ascending number.
pub trait Steps {
    /// What is claimed.
    fn claim(&self) -> Claim;

    /// How many steps there are.
    fn count(&self) -> u64;

    /// The step at this place, from 0.
    ///
    /// # Errors
    /// A file that cannot be read any more.
    fn step(&mut self, place: u64) -> Result<Step, Unreadable>;

    /// The step for the position of this number.
    ///
    /// # Errors
    /// A file that cannot be read any more.
    fn find(&mut self, number: u64) -> Result<Option<Step>, Unreadable>;
}

/// Checks everything that a certificate in memory claims.
///
/// `observe` is told after each step how many have been checked.
///
/// # Errors
/// The first thing that does not hold.
pub fn check(
    certificate: &Certificate,
    observe: &mut dyn FnMut(u64),
) -> Result<Checked, CheckError> {
    let mut steps = Whole {
        certificate,
        index: index(&certificate.steps),
    };
    check_steps(&mut steps, observe)
}

/// The same for steps that are kept elsewhere, such as in a file.
///
/// # Errors
/// The first thing that does not hold.
pub fn check_steps(
    steps: &mut dyn Steps,
    observe: &mut dyn FnMut(u64),
) -> Result<Checked, CheckError> {
    let all = 0..steps.count();
    check_part(steps, all, observe)
}

/// Checks the steps at these places, and the root with the first. A certificate
/// holds if all its steps do, in whatever parts they are checked.
///
/// # Errors
/// The first thing that does not hold.
pub fn check_part(
    steps: &mut dyn Steps,
    places: Range<u64>,
    observe: &mut dyn FnMut(u64),
) -> Result<Checked, CheckError> {
    let claim = steps.claim();
    check_part_of(steps, claim, places, observe)
}

/// The same for another claim than the certificate's own: other rules, another
/// root, another number of plies. Its own rules say how its moves are counted, and
/// its own root how its positions are numbered; everything else is as the claim
/// says. A certificate that holds so shows this claim.
///
/// # Errors
/// The first thing that does not hold.
pub fn check_part_of(
    steps: &mut dyn Steps,
    claim: Claim,
    places: Range<u64>,
    observe: &mut dyn FnMut(u64),
) -> Result<Checked, CheckError> {
    let count = steps.count();
    let (own, rules) = (Rules::new(steps.claim().ruleset), Rules::new(claim.ruleset));
    let mut checker = Checker::new(steps, &own, &rules, claim)?;
    if places.start == 0 {
        checker.root().map_err(|problem| at_root(&claim, problem))?;
    }
    for index in places {
        checker.step_at(index).map_err(|problem| {
            problem.or(|problem| CheckError::Step {
                index,
                count,
                problem,
            })
        })?;
        checker.done.steps += 1;
        observe(checker.done.steps);
    }
    Ok(checker.done)
}

/// Within how many plies the winner of a certificate wins from this position
/// under these rules, if all steps hold under them: whether they do is not asked.
///
/// # Errors
/// Where a position to come has no step.
pub fn plies_from(
    steps: &mut dyn Steps,
    ruleset: Ruleset,
    root: Position,
) -> Result<u16, CheckError> {
    let (own, rules) = (Rules::new(steps.claim().ruleset), Rules::new(ruleset));
    let claim = Claim {
        ruleset,
        root,
        ..steps.claim()
    };
    let mut checker = Checker::new(steps, &own, &rules, claim)?;
    checker
        .plies_from_root()
        .map_err(|problem| at_root(&claim, problem))
}

fn at_root(claim: &Claim, problem: Problem) -> CheckError {
    problem.or(|problem| CheckError::Root {
        root: claim.root.to_otn(),
        problem,
    })
}

/// Of every so many steps, the index holds one.
const STRIDE: usize = 64;

fn index(steps: &[Step]) -> Vec<u64> {
    steps.iter().step_by(STRIDE).map(|s| s.number).collect()
}

/// A certificate in memory.
struct Whole<'c> {
    certificate: &'c Certificate,
    index: Vec<u64>,
}

impl Steps for Whole<'_> {
    fn claim(&self) -> Claim {
        self.certificate.claim
    }

    fn count(&self) -> u64 {
        self.certificate.steps.len() as u64
    }

    fn step(&mut self, place: u64) -> Result<Step, Unreadable> {
        Ok(self.certificate.steps[place as usize])
    }

    fn find(&mut self, number: u64) -> Result<Option<Step>, Unreadable> {
        let block = self.index.partition_point(|&first| first <= number);
        let Some(start) = block.checked_sub(1).map(|block| block * STRIDE) else {
            return Ok(None);
        };
        let steps = &self.certificate.steps;
        let steps = &steps[start..(start + STRIDE).min(steps.len())];
        let found = steps.binary_search_by_key(&number, |step| step.number);
        Ok(found.ok().map(|place| steps[place]))
    }
}

struct Checker<'c> {
    /// Those that everything must hold under.
    rules: &'c Rules,
    /// Those that the certificate is written for: its moves are counted by them.
    own: &'c Rules,
    ranking: Ranking,
    claim: Claim,
    steps: &'c mut dyn Steps,
    done: Checked,
}

impl<'c> Checker<'c> {
    fn new(
        steps: &'c mut dyn Steps,
        own: &'c Rules,
        rules: &'c Rules,
        claim: Claim,
    ) -> Result<Checker<'c>, CheckError> {
        let theirs = steps.claim();
        if claim.winner != theirs.winner {
            let problem = format!("{} win by these steps, not {}", theirs.winner, claim.winner);
            return Err(at_root(&claim, problem.into()));
        }
        Ok(Checker {
            rules,
            own,
            ranking: ranking(&theirs.root)?,
            claim,
            steps,
            done: Checked::default(),
        })
    }

    /// Whether the game goes on at the root.
    fn admit_root(&self) -> Result<Position, Problem> {
        let root = self.claim.root;
        self.rules.admit(&root)?;
        match self.rules.ending(&root) {
            Some(outcome) => Err(format!("the game is over there: {outcome}").into()),
            None => Ok(root),
        }
    }

    fn root(&mut self) -> Result<(), Problem> {
        let root = self.admit_root()?;
        let Claim { winner, plies, .. } = self.claim;
        if root.side == winner {
            self.won_within(&root, plies)
        } else {
            self.answered(&root, plies)
        }
    }

    /// Within how many plies the root is won.
    fn plies_from_root(&mut self) -> Result<u16, Problem> {
        let root = self.admit_root()?;
        if root.side == self.claim.winner {
            return self.needs(&root);
        }
        let mut list = MoveList::new();
        self.rules.moves(&root, &mut list);
        let mut longest = 0;
        for ply in list {
            let after = self.rules.play(&root, ply).position;
            let plies = self
                .needs(&after)
                .map_err(|problem| problem.at(format_args!("reply {ply}")))?;
            longest = longest.max(plies.saturating_add(1));
        }
        Ok(longest)
    }

    fn step_at(&mut self, place: u64) -> Result<(), Problem> {
        let step = self.steps.step(place)?;
        self.step(&step)
    }

    /// One step: a position of the prover's turn, his move, and an answer to
    /// every reply that takes less long.
    fn step(&mut self, step: &Step) -> Result<(), Problem> {
        let prover = self.claim.winner;
        let position = self
            .ranking
            .position(step.number, prover)
            .ok_or_else(|| format!("{} is no position's number", step.number))?;
        self.move_of(step, &position)
            .map_err(|problem| problem.at(format_args!("{} ({prover} to move)", position.to_otn())))
    }

    /// Whether the move of a step wins in its position within the plies it says.
    fn move_of(&mut self, step: &Step, position: &Position) -> Result<(), Problem> {
        self.rules.admit(position)?;
        if wins_at_once(self.rules, position) {
            return Err("wins at once and needs no step".to_owned().into());
        }
        let mut list = MoveList::new();
        self.own.moves(position, &mut list);
        let Some(&ply) = list.get(usize::from(step.choice)) else {
            return Err(format!("move {} of {}", step.choice, list.len()).into());
        };
        if !self.rules.is_legal(position, ply) {
            return Err(format!("{ply}: not legal").into());
        }
        let Some(left) = step.plies.checked_sub(1) else {
            return Err(format!("{ply}: a win within no ply").into());
        };
        let after = self.rules.play(position, ply).position;
        match self.rules.ending(&after) {
            Some(outcome) if outcome.winner == Some(self.claim.winner) => Ok(()),
            Some(outcome) => Err(format!("{ply}: ends the game: {outcome}").into()),
            None => self
                .answered(&after, left)
                .map_err(|problem| problem.at(ply)),
        }
    }

    /// Whether every move of the other side loses within so many plies.
    fn answered(&mut self, position: &Position, plies: u16) -> Result<(), Problem> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        for ply in list {
            self.done.replies += 1;
            let left = plies
                .checked_sub(1)
                .ok_or_else(|| format!("reply {ply}: no ply left"))?;
            let after = self.rules.play(position, ply).position;
            self.won_within(&after, left)
                .map_err(|problem| problem.at(format_args!("reply {ply}")))?;
        }
        Ok(())
    }

    /// Within how many plies the prover wins: none if he has won, else, with him to
    /// move, by a step or by a win that needs none.
    fn needs(&mut self, position: &Position) -> Result<u16, Problem> {
        if let Some(outcome) = self.rules.ending(position) {
            return match outcome.winner {
                Some(winner) if winner == self.claim.winner => Ok(0),
                _ => Err(format!("ends the game: {outcome}").into()),
            };
        }
        if wins_at_once(self.rules, position) {
            Ok(1)
        } else if let Some(step) = self.find(position)? {
            Ok(step.plies)
        } else if wins_in_three(self.rules, position).is_some() {
            self.done.left_out += 1;
            Ok(LEFT_OUT)
        } else if ends_it(self.rules, position).is_some() {
            self.done.left_out += 1;
            Ok(1)
        } else {
            Err(format!("no step for {}", position.to_otn()).into())
        }
    }

    /// Whether that is within so many.
    fn won_within(&mut self, position: &Position, plies: u16) -> Result<(), Problem> {
        let needs = self.needs(position)?;
        if needs <= plies {
            Ok(())
        } else {
            let position = position.to_otn();
            Err(format!("a win within {needs} plies where {plies} are left, in {position}").into())
        }
    }

    fn find(&mut self, position: &Position) -> Result<Option<Step>, Problem> {
        let Some(number) = self.ranking.number(position) else {
            return Ok(None);
        };
        Ok(self.steps.find(number)?)
    }
}
