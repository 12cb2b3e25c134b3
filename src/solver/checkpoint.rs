//! A search's table in a file, so that a long search can be taken up again.
//! Imports the search and its parts.

use std::io::{self, Read, Write};

use super::bytes::{Reader, Seal, Unreadable, Writer};
use super::jobs::Done;
use super::progress::Options;
use super::search::Search;
use super::table::Entry;
use crate::game::Position;

const MAGIC: [u8; 21] = *b"brandub checkpoint 6\n";

/// A checkpoint that cannot be taken up.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file is damaged.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// It is another question's, or its table has another size.
    #[error("its {what} is {theirs}, not {ours}")]
    Different {
        /// What differs.
        what: &'static str,
        /// The checkpoint's.
        theirs: String,
        /// The search's.
        ours: String,
    },
}

impl Search<'_> {
    /// What makes two searches the same question, with the same table.
    fn question(&self, root: &Position) -> Result<[(&'static str, String); 7], io::Error> {
        let Options {
            memory,
            first,
            replies,
            candidates,
        } = self.options;
        let table = self.rules.ruleset().canonical().to_table();
        Ok([
            (
                "ruleset",
                toml::to_string(&table).map_err(io::Error::other)?,
            ),
            ("position", format!("{} {}", root.to_otn(), root.side)),
            ("side", self.prover.to_string()),
            ("memory", format!("{memory} bytes")),
            ("beginning", format!("{first:?}").to_lowercase()),
            ("replies", format!("{replies:?}").to_lowercase()),
            (
                "candidates",
                candidates.map_or("all".to_owned(), |n| n.to_string()),
            ),
        ])
    }

    /// Writes everything the table knows, 17 bytes an entry or a few more, and
    /// what came of jobs.
    ///
    /// # Errors
    /// The writer's.
    pub fn save(&self, root: &Position, out: &mut impl Write) -> io::Result<Seal> {
        let mut out = Writer::new(out);
        out.bytes(&MAGIC)?;
        for (_, value) in self.question(root)? {
            out.text(&value)?;
        }
        out.number(self.nodes)?;
        out.number(self.table.fill().0)?;
        let mut last = 0;
        for (place, entry) in self.table.entries() {
            out.number(place - last)?;
            out.bytes(&entry.bytes())?;
            last = place;
        }
        let mut jobs: Vec<(u64, &Done)> = self
            .jobs
            .done
            .iter()
            .map(|(&key, done)| (key, done))
            .collect();
        jobs.sort_unstable_by_key(|&(key, _)| key);
        out.number(jobs.len() as u64)?;
        let mut last = 0;
        for (key, done) in jobs {
            out.number(key - last)?;
            out.number(done.spent)?;
            out.number(u64::from(done.levels))?;
            out.number(done.tried.len() as u64)?;
            for &check in &done.tried {
                out.number(check)?;
            }
            last = key;
        }
        out.seal()
    }

    /// Takes up what was saved by a search that was asked the same, with the
    /// same table. Where it fails, the search is to be thrown away.
    ///
    /// # Errors
    /// A damaged file, or another question's.
    pub fn restore(
        &mut self,
        root: &Position,
        input: &mut impl Read,
    ) -> Result<(), CheckpointError> {
        let mut input = Reader::new(input);
        input.magic(&MAGIC, "a checkpoint of this version")?;
        let question = self
            .question(root)
            .map_err(|error| Unreadable::Io { at: 0, error })?;
        for (what, ours) in question {
            let theirs = input.text()?;
            if theirs != ours {
                return Err(CheckpointError::Different { what, theirs, ours });
            }
        }
        self.nodes = input.number()?;
        let count = input.number()?;
        let mut place = 0_u64;
        for _ in 0..count {
            place = place.saturating_add(input.number()?);
            let mut bytes = [0; 16];
            input.bytes(&mut bytes)?;
            if !self.table.set(place, Entry::of_bytes(bytes)) {
                return Err(input
                    .damaged(format!("no place {place} in the table"))
                    .into());
            }
        }
        let mut key = 0_u64;
        for _ in 0..input.number()? {
            key = key.wrapping_add(input.number()?);
            let spent = input.number()?;
            let levels = input.number()?;
            let levels = u8::try_from(levels)
                .map_err(|_| input.damaged(format!("{levels} levels of jobs")))?;
            let mut tried = Vec::new();
            for _ in 0..input.number()? {
                tried.push(input.number()?);
            }
            let done = Done {
                spent,
                levels,
                tried,
            };
            self.jobs.done.insert(key, done);
        }
        input.seal()?;
        Ok(())
    }
}
