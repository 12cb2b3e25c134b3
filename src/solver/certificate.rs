/*!
The certificate of a forced win: a file that says what the prover plays in every
position that can come up, and within how many plies he has won. Reading and
writing only; what it claims is checked elsewhere. Imports `game` and the
numbering of positions.

The format is described in `docs/proofs.md`.
*/

use std::io::{self, Read, Write};

use super::bytes::{Reader, Seal, Unreadable, Writer};
use super::heading::{Ascending, Heading};
use super::ranking::Ranking;
use crate::game::{Position, Ruleset, Side};

/// What every certificate begins with; the digit is the version.
pub const MAGIC: [u8; 16] = *b"brandub proof 1\n";

/// What is claimed: under these rules, from this position, this side wins
/// within so many plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The rules.
    pub ruleset: Ruleset,
    /// The position from which it is won, with nothing played before.
    pub root: Position,
    /// The side that wins.
    pub winner: Side,
    /// Within how many plies at most.
    pub plies: u16,
}

/// What the winner plays in one position and its images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The position's number, see [`Ranking`].
    pub number: u64,
    /// Which of the legal moves of the folded position, in the order of the
    /// rules, counted from 0.
    pub choice: u16,
    /// Within how many plies at most the game is then won, this one counted.
    pub plies: u16,
}

/// A claim and the strategy that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What is claimed.
    pub claim: Claim,
    /// The winner's moves, by ascending number.
    pub steps: Vec<Step>,
}

/// Positions with more soldiers than can be numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{attackers} attackers and {defenders} defenders are more than a certificate can name")]
pub struct TooManySoldiers {
    /// In the root.
    pub attackers: u32,
    /// In the root.
    pub defenders: u32,
}

/// The numbering that a certificate from this root uses.
///
/// # Errors
/// A root with too many soldiers.
pub fn ranking(root: &Position) -> Result<Ranking, TooManySoldiers> {
    Ranking::of(root).ok_or(TooManySoldiers {
        attackers: root.attackers.len(),
        defenders: root.defenders.len(),
    })
}

impl Certificate {
    /// Writes it and gives the SHA-256 that stands at its end.
    ///
    /// # Errors
    /// The writer's.
    pub fn write(&self, out: &mut impl Write) -> io::Result<Seal> {
        let mut out = Writer::new(out);
        let heading = Heading {
            ruleset: self.claim.ruleset,
            root: self.claim.root,
            side: self.claim.winner,
        };
        heading.write(&MAGIC, &mut out)?;
        out.number(u64::from(self.claim.plies))?;
        out.number(self.steps.len() as u64)?;
        let mut last = 0;
        for step in &self.steps {
            out.number(step.number - last)?;
            out.number(u64::from(step.choice))?;
            out.number(u64::from(step.plies))?;
            last = step.number;
        }
        out.seal()
    }

    /// Reads a certificate to its end and compares its SHA-256, which it gives
    /// too. The claim is well formed then, and no more is known of it. Takes
    /// 16 bytes of memory a step.
    ///
    /// # Errors
    /// Any byte that is missing, too many or not as it was written.
    pub fn read(input: &mut impl Read) -> Result<(Certificate, Seal), Unreadable> {
        let mut steps = Vec::new();
        let (claim, seal) = read_steps(input, &mut |step, _| steps.push(step))?;
        Ok((Certificate { claim, steps }, seal))
    }
}

/// Reads a certificate to its end, telling of each step and of the byte at
/// which its choice begins.
pub(super) fn read_steps(
    input: &mut impl Read,
    tell: &mut dyn FnMut(Step, u64),
) -> Result<(Claim, Seal), Unreadable> {
    let mut input = Reader::new(input);
    let heading = Heading::read(&MAGIC, "a certificate of this version", &mut input)?;
    let claim = Claim {
        ruleset: heading.ruleset,
        root: heading.root,
        winner: heading.side,
        plies: input.short("the plies claimed")?,
    };
    let count = input.number()?;
    let mut numbers = Ascending::default();
    for _ in 0..count {
        let number = numbers.next(&mut input)?;
        let at = input.at();
        let step = Step {
            number,
            choice: input.short("a step's move")?,
            plies: input.short("a step's plies")?,
        };
        tell(step, at);
    }
    let seal = input.seal()?;
    Ok((claim, seal))
}
