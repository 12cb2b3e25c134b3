//! What files of either kind, of wins and of held positions, begin with.
//! Imports `game` and bytes.

use std::io::{self, Read, Write};

use super::bytes::{Reader, Unreadable, Writer};
use crate::game::{Position, Ruleset, Side};

/// Of which question a file is, and of which side.
#[derive(Clone, Copy)]
pub(super) struct Heading {
    pub ruleset: Ruleset,
    pub root: Position,
    /// The winner, or the holder.
    pub side: Side,
}

impl Heading {
    pub(super) fn write<W: Write>(&self, magic: &[u8], out: &mut Writer<'_, W>) -> io::Result<()> {
        let ruleset = toml::to_string(&self.ruleset.to_table()).map_err(io::Error::other)?;
        out.bytes(magic)?;
        out.text(&ruleset)?;
        out.text(&self.root.to_otn())?;
        out.text(self.root.side.name())?;
        out.text(self.side.name())
    }

    /// Reads one whose first line is this; `what` says what has it.
    pub(super) fn read<R: Read>(
        magic: &[u8],
        what: &str,
        input: &mut Reader<'_, R>,
    ) -> Result<Heading, Unreadable> {
        input.magic(magic, what)?;
        let ruleset = toml::from_str(&input.text()?).map_err(|error: toml::de::Error| {
            input.damaged(format!("the ruleset: {}", error.message()))
        })?;
        let otn = input.text()?;
        let to_move = side(input)?;
        let root =
            Position::from_otn(&otn, to_move).map_err(|error| input.damaged(error.to_string()))?;
        Ok(Heading {
            ruleset,
            root,
            side: side(input)?,
        })
    }
}

fn side<R: Read>(input: &mut Reader<'_, R>) -> Result<Side, Unreadable> {
    let text = input.text()?;
    text.parse().map_err(|error: String| input.damaged(error))
}

/// Numbers that ascend, each but the first written as what it is more than the one
/// before.
#[derive(Default)]
pub(super) struct Ascending {
    last: Option<u64>,
}

impl Ascending {
    /// Reads the next.
    pub(super) fn next<R: Read>(&mut self, input: &mut Reader<'_, R>) -> Result<u64, Unreadable> {
        let gap = input.number()?;
        let number = match self.last {
            None => Some(gap),
            Some(_) if gap == 0 => None,
            Some(last) => last.checked_add(gap),
        };
        self.last = number;
        number.ok_or_else(|| input.damaged("positions that do not ascend"))
    }
}
