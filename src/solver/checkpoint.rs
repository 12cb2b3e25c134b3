//! A search's table in a file, so that a long search can be taken up again.
//! Imports the search and its parts.

use std::io::{self, Read, Write};
use std::time::Duration;

use super::bytes::{Reader, Seal, Unreadable, Writer};
use super::jobs::Done;
use super::progress::Options;
use super::search::Search;
use super::table::Entry;
use crate::game::{Position, Ruleset};

const MAGIC: [u8; 21] = *b"brandub checkpoint 8\n";
/// After a table's size.
const BYTES: &str = " bytes";

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
            // What was found is the same question's, whoever found it.
            threads: _,
        } = self.options;
        let table = self.rules.ruleset().canonical().to_table();
        Ok([
            (
                "ruleset",
                toml::to_string(&table).map_err(io::Error::other)?,
            ),
            ("position", format!("{} {}", root.to_otn(), root.side)),
            ("side", self.prover.to_string()),
            ("memory", format!("{memory}{BYTES}")),
            ("beginning", format!("{first:?}").to_lowercase()),
            ("replies", format!("{replies:?}").to_lowercase()),
            (
                "candidates",
                candidates.map_or("all".to_owned(), |n| n.to_string()),
            ),
        ])
    }

    /// Writes everything the table knows, 17 bytes an entry or a few more, and
    /// what came of jobs, with the time that it took so far.
    ///
    /// # Errors
    /// The writer's.
    pub fn save(&self, root: &Position, spent: Duration, out: &mut impl Write) -> io::Result<Seal> {
        let mut out = Writer::new(out);
        out.bytes(&MAGIC)?;
        for (_, value) in self.question(root)? {
            out.text(&value)?;
        }
        out.number(self.nodes)?;
        out.number(spent.as_millis() as u64)?;
        out.number(self.table.entries().count() as u64)?;
        let mut last = 0;
        for (place, entry) in self.table.entries() {
            out.number(place - last)?;
            out.bytes(&entry.bytes())?;
            last = place;
        }
        let known = self.jobs();
        let mut jobs: Vec<(u64, &Done)> =
            known.done.iter().map(|(&key, done)| (key, done)).collect();
        jobs.sort_unstable_by_key(|&(key, _)| key);
        out.number(jobs.len() as u64)?;
        let mut last = 0;
        for (key, done) in jobs {
            out.number(key - last)?;
            out.number(done.spent)?;
            out.number(u64::from(done.levels))?;
            out.number(u64::from(done.asked))?;
            out.number(done.tried.len() as u64)?;
            for &check in &done.tried {
                out.number(check)?;
            }
            last = key;
        }
        out.seal()
    }

    /// Takes what another question's search has decided as facts, as far as it
    /// took some positions to find and there is room: who wins does not depend
    /// on where the game began. The rules, the side and the candidates must be
    /// the same, and this table as large as that search's or a whole number of
    /// times as large; then each fact takes as many entries. Gives how many
    /// entries were new; where it fails, the search is to be thrown away.
    ///
    /// # Errors
    /// A damaged file, or one of another kind of question.
    pub fn take_facts(&mut self, input: &mut impl Read) -> Result<u64, CheckpointError> {
        let mut input = Reader::new(input);
        let mut times = 1;
        let mut fits = |what, theirs: &str| match what {
            // Whatever position is asked about.
            "position" | "beginning" | "replies" => true,
            "memory" => {
                let bytes = theirs.strip_suffix(BYTES).and_then(|n| n.parse().ok());
                let found = bytes.and_then(|bytes| self.table.times(bytes));
                times = found.unwrap_or(times);
                found.is_some()
            }
            _ => false,
        };
        let mut head = self.head(&self.rules.start(), &mut input, &mut fits);
        if let Err(CheckpointError::Different { what, ours, .. }) = &mut head
            && *what == "memory"
        {
            ours.push_str(" or a whole fraction of that");
        }
        head?;
        let [_nodes, _spent] = [input.number()?, input.number()?];
        let mut new = 0;
        entries(&mut input, &mut |place, entry| {
            if !entry.is_dear_fact() {
                return true;
            }
            let added = self.table.add(place, times, entry);
            new += added.unwrap_or(0);
            added.is_some()
        })?;
        jobs(&mut input, &mut |_, _| ())?;
        input.seal()?;
        Ok(new)
    }

    /// Reads what question a checkpoint is of. What of it is not this search's
    /// must fit it all the same.
    fn head(
        &self,
        root: &Position,
        input: &mut Reader<'_, impl Read>,
        fits: &mut dyn FnMut(&'static str, &str) -> bool,
    ) -> Result<(), CheckpointError> {
        input.magic(&MAGIC, "a checkpoint of this version")?;
        let question = self
            .question(root)
            .map_err(|error| Unreadable::Io { at: 0, error })?;
        for (what, ours) in question {
            let theirs = input.text()?;
            if theirs != ours && !fits(what, &theirs) {
                let [theirs, ours] = [theirs, ours].map(|value| match what {
                    "ruleset" => label(&value).unwrap_or(value),
                    _ => value,
                });
                return Err(CheckpointError::Different { what, theirs, ours });
            }
        }
        Ok(())
    }

    /// Takes up what was saved by a search that was asked the same, with the
    /// same table; the time that it took. Where it fails, the search is to be thrown away.
    ///
    /// # Errors
    /// A damaged file, or another question's.
    pub fn restore(
        &mut self,
        root: &Position,
        input: &mut impl Read,
    ) -> Result<Duration, CheckpointError> {
        let mut input = Reader::new(input);
        self.head(root, &mut input, &mut |_, _| false)?;
        self.nodes = input.number()?;
        let spent = Duration::from_millis(input.number()?);
        entries(&mut input, &mut |place, entry| self.table.set(place, entry))?;
        jobs(&mut input, &mut |key, job| {
            self.jobs().done.insert(key, job);
        })?;
        input.seal()?;
        Ok(spent)
    }
}

/// A ruleset that is written as TOML, in few words.
fn label(table: &str) -> Option<String> {
    let ruleset: Ruleset = toml::from_str(table).ok()?;
    Some(ruleset.label())
}

/// Reads a table: its entries with their places, until one has none.
fn entries(
    input: &mut Reader<'_, impl Read>,
    each: &mut dyn FnMut(u64, Entry) -> bool,
) -> Result<(), Unreadable> {
    let mut place = 0_u64;
    for _ in 0..input.number()? {
        place = place.saturating_add(input.number()?);
        let mut bytes = [0; 16];
        input.bytes(&mut bytes)?;
        if !each(place, Entry::of_bytes(bytes)) {
            return Err(input.damaged(format!("no place {place} in the table")));
        }
    }
    Ok(())
}

/// Reads what came of jobs, by checks of keys.
fn jobs(
    input: &mut Reader<'_, impl Read>,
    each: &mut dyn FnMut(u64, Done),
) -> Result<(), Unreadable> {
    let mut key = 0_u64;
    for _ in 0..input.number()? {
        key = key.wrapping_add(input.number()?);
        let spent = input.number()?;
        let levels = input.number()?;
        let levels =
            u8::try_from(levels).map_err(|_| input.damaged(format!("{levels} levels of jobs")))?;
        let asked = input.number()?;
        let asked = u8::try_from(asked)
            .map_err(|_| input.damaged(format!("a player asked {asked} times")))?;
        let mut tried = Vec::new();
        for _ in 0..input.number()? {
            tried.push(input.number()?);
        }
        each(
            key,
            Done {
                spent,
                levels,
                asked,
                tried,
            },
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Ruleset, Side};

    #[test]
    fn entries_that_threads_counted_twice_are_saved_once() {
        let rules = Rules::new(Ruleset::default());
        let root = rules.start();
        let new = || Search::new(&rules, Side::Defenders, Options::new(1 << 16)).unwrap();
        let saved = |search: &Search| {
            let mut bytes = Vec::new();
            search.save(&root, Duration::ZERO, &mut bytes).unwrap();
            bytes
        };
        let mut search = new();
        search.solve(&root, 100, &mut |_| true);
        let bytes = saved(&search);
        search.table.overcount(3);
        assert!(saved(&search) == bytes);
        let mut again = new();
        again.restore(&root, &mut bytes.as_slice()).unwrap();
        assert_eq!(again.progress().used, search.progress().used - 3);
    }
}
