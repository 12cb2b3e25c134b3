//! What files of either kind, of wins and of held positions, begin with.
//! Imports `game` and bytes.

use std::io::{self, Read, Write};

use super::bytes::{Reader, Unreadable, Writer};
use crate::game::{Position, Ruleset, RulesetTable, Side};

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
        let rules = input.text()?;
        let wrong = |problem: &str| input.damaged(format!("the ruleset: {problem}"));
        let table: RulesetTable =
            toml::from_str(&rules).map_err(|error: toml::de::Error| wrong(error.message()))?;
        let ruleset = table.resolve().map_err(|error| wrong(&error.to_string()))?;
        // A preset, or what an axis is unless it is named, may be something else elsewhere.
        if table != ruleset.to_table() {
            return Err(wrong("expected every axis, and no `base`"));
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Preset;

    /// A file names every axis: what a preset is, or an axis that is left out, may be
    /// something else for another program.
    #[test]
    fn rules_by_a_preset_or_in_part_are_refused() {
        let magic = b"brandub test 1\n";
        let read = |rules: &str| {
            let mut bytes = Vec::new();
            let mut out = Writer::new(&mut bytes);
            out.bytes(magic).unwrap();
            for text in [rules, "/7/7/7/t2K3/7/7/7/", "attackers", "defenders"] {
                out.text(text).unwrap();
            }
            out.seal().unwrap();
            let mut bytes = bytes.as_slice();
            let mut input = Reader::new(&mut bytes);
            let read = Heading::read(magic, "a test", &mut input);
            read.map(|heading| heading.ruleset)
                .map_err(|error| error.to_string())
        };
        for preset in &Preset::ALL {
            let ruleset = preset.ruleset();
            let whole = toml::to_string(&ruleset.to_table()).unwrap();
            assert_eq!(read(&whole), Ok(ruleset));
            let part = whole.replacen("king_armed = ", "# king_armed = ", 1);
            for rules in [&format!("base = \"{}\"", preset.name), &part] {
                let refused = read(rules).unwrap_err();
                assert!(refused.contains("expected every axis"), "{refused}");
            }
        }
        assert!(
            read("king_armed = 3")
                .unwrap_err()
                .contains("the ruleset: ")
        );
    }
}
