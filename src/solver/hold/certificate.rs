//! A set of positions that the other side cannot leave, as a file. Reading and
//! writing only; what it claims is checked elsewhere.

use std::io::{self, Read, Write};

use crate::game::{Position, Ruleset, Side};
use crate::solver::bytes::{Reader, Seal, Unreadable, Writer};
use crate::solver::heading::{Ascending, Heading};

/// What every such file begins with; the digit is the version.
pub const HOLD_MAGIC: [u8; 16] = *b"brandub holds 1\n";

/// What is claimed: under these rules, from this position, this side need not
/// lose, whatever the other does and whatever was played before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HoldClaim {
    /// The rules.
    pub ruleset: Ruleset,
    /// The position that is held.
    pub root: Position,
    /// The side that holds it.
    pub holder: Side,
}

/// A claim and the positions that show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fortress {
    /// What is claimed.
    pub claim: HoldClaim,
    /// Numbers, ascending, of positions with the other side to move; see
    /// [`Ranking`](crate::solver::ranking::Ranking).
    pub positions: Vec<u64>,
}

impl Fortress {
    /// Writes it and gives the SHA-256 that stands at its end.
    ///
    /// # Errors
    /// The writer's.
    pub fn write(&self, out: &mut impl Write) -> io::Result<Seal> {
        let mut out = Writer::new(out);
        let heading = Heading {
            ruleset: self.claim.ruleset,
            root: self.claim.root,
            side: self.claim.holder,
        };
        heading.write(&HOLD_MAGIC, &mut out)?;
        out.number(self.positions.len() as u64)?;
        let mut last = 0;
        for number in &self.positions {
            out.number(number - last)?;
            last = *number;
        }
        out.seal()
    }

    /// Reads one to its end and compares its SHA-256, which it gives too. The
    /// claim is well formed then, and no more is known of it. Takes 8 bytes of
    /// memory a position.
    ///
    /// # Errors
    /// Any byte that is missing, too many or not as it was written.
    pub fn read(input: &mut impl Read) -> Result<(Fortress, Seal), Unreadable> {
        let mut input = Reader::new(input);
        let what = "a file of held positions of this version";
        let heading = Heading::read(&HOLD_MAGIC, what, &mut input)?;
        let claim = HoldClaim {
            ruleset: heading.ruleset,
            root: heading.root,
            holder: heading.side,
        };
        let count = input.number()?;
        let (mut numbers, mut positions) = (Ascending::default(), Vec::new());
        for _ in 0..count {
            positions.push(numbers.next(&mut input)?);
        }
        let seal = input.seal()?;
        Ok((Fortress { claim, positions }, seal))
    }
}
