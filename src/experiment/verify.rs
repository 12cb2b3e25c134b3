//! Proves that a result folder is what its manifest says, and plays some of
//! its games again. Imports folders, manifests and games.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use rand_core::Rng;
use rayon::prelude::*;

use super::chunk::{ChunkFile, Tally, read_whole, row};
use super::endgames::Endgames;
use super::error::Error;
use super::files;
use super::folder::{TABLES, chunks_and_others};
use super::grid::{Chunk, Grid};
use super::manifest::{Manifest, PLAY_REVISION, Status};
use super::one_game;
use super::plan::Plan;
use super::seed::key;
use crate::agents::stream;

/// Something that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The file, with its place in it where that is known.
    pub place: String,
    /// What is wrong with it.
    pub problem: String,
}

/// What was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// What is wrong; empty if all is well.
    pub findings: Vec<Finding>,
    /// Files whose checksums were computed.
    pub files: usize,
    /// Rows that were read.
    pub games: u64,
    /// Games that were played again.
    pub replayed: u64,
    /// Games against external engines, which are never played again: whether
    /// an engine plays the same moves twice is not ours to say.
    pub external: u64,
    /// Whether every game of the run is there.
    pub complete: bool,
}

/// Which games are played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// How many; all where there are no more.
    pub games: u64,
    /// What they are drawn by. Whoever knows it beforehand knows which games
    /// nobody will look at.
    pub seed: u64,
}

/// Makes the files beside the games anew, by name, from a folder's games.
pub type MakeTables<'a> = &'a dyn Fn(&Manifest) -> Result<Vec<(String, Vec<u8>)>, Error>;

/// Checks every file's checksum, that the files are the experiment's chunks
/// with every game once, that the tables are what the games give, and plays
/// a sample of the games again, drawn at random from those without external
/// engines, with the endgame tables that agents ask.
///
/// # Errors
/// If tables are needed and not there, the manifest itself cannot be used or a file cannot be read.
pub fn verify(
    folder: &Path,
    sample: Sample,
    endgames: &Endgames,
    tables: MakeTables<'_>,
) -> Result<Verified, Error> {
    let manifest = Manifest::read(folder)?;
    let experiment = manifest.experiment.clone();
    let grid = match sample.games {
        0 => Grid::new(experiment),
        _ => Grid::opened(experiment, endgames)?,
    };
    grid.check_size()?;
    let mut check = Check {
        folder,
        manifest: &manifest,
        grid: &grid,
        findings: Vec::new(),
        other_bytes: HashSet::new(),
        games: 0,
    };
    if let Some(difference) = manifest.difference(&Manifest::new(&grid, manifest.shard)) {
        check.find(
            "manifest.json",
            format!("is not what this program would write: {difference}"),
        );
    }
    check.checksums();
    let mut readable = check.chunks();
    let complete = manifest.status == Status::Complete;
    if complete {
        check.unlisted();
    }
    let has_tables = TABLES.iter().any(|&name| manifest.files.contains_key(name));
    if (complete || has_tables) && check.findings.is_empty() {
        check.tables(tables)?;
    }
    let files = match manifest.status {
        Status::Complete => manifest.files.len(),
        Status::Incomplete => {
            let listed = TABLES
                .iter()
                .filter(|&&name| manifest.files.contains_key(name));
            readable.len() + listed.count()
        }
    };
    let all: u64 = readable.iter().map(|(chunk, _)| chunk.games).sum();
    readable.retain(|(chunk, _)| grid.cells[chunk.cell].is_reproducible());
    let reproducible: u64 = readable.iter().map(|(chunk, _)| chunk.games).sum();
    let replayed = if manifest.program.play_revision == PLAY_REVISION {
        check.replay(&readable, sample)?
    } else {
        0
    };
    Ok(Verified {
        findings: check.findings,
        files,
        games: check.games,
        replayed,
        external: all - reproducible,
        complete,
    })
}

/// A folder being checked.
struct Check<'a> {
    folder: &'a Path,
    manifest: &'a Manifest,
    grid: &'a Grid,
    findings: Vec<Finding>,
    /// Files whose checksums are others than those that are listed.
    other_bytes: HashSet<String>,
    /// Rows read so far.
    games: u64,
}

impl Check<'_> {
    fn find(&mut self, place: &str, problem: impl Into<String>) {
        self.findings.push(Finding {
            place: place.to_owned(),
            problem: problem.into(),
        });
    }

    /// Every file the manifest lists has the checksum it lists.
    fn checksums(&mut self) {
        let listed = &self.manifest.files;
        let problems: Vec<Finding> = listed
            .par_iter()
            .filter_map(|(name, expected)| {
                let problem = match files::checksum_of(&self.folder.join(name)) {
                    Ok(found) if found == *expected => return None,
                    Ok(found) => format!(
                        "has checksum {found}, the manifest says {expected}; restore it, or remove it if it is of games"
                    ),
                    Err(error) => error.to_string(),
                };
                Some(Finding {
                    place: name.clone(),
                    problem,
                })
            })
            .collect();
        let places = problems.iter().map(|finding| finding.place.clone());
        self.other_bytes = places.collect();
        self.findings.extend(problems);
    }

    /// The chunk files are the run's, each whole and with its rows; gives
    /// those that are.
    fn chunks(&mut self) -> Vec<(Chunk, String)> {
        let (folder, grid) = (self.folder, self.grid);
        let present = chunks_and_others(folder, grid, &mut |other| {
            self.find("games", other.to_string());
            Ok(())
        });
        let mut present = match present {
            Ok(present) => present,
            Err(error) => {
                self.find("games", error.to_string());
                return Vec::new();
            }
        };
        let complete = self.manifest.status == Status::Complete;
        let mut readable = Vec::new();
        let mut damaged = BTreeSet::new();
        let (mut plan, next) = Plan::new(grid, self.manifest.shard);
        let missing = plan.follow(next, &mut |chunk| {
            let place = (chunk.cell, chunk.index);
            let file = present.remove(&place)?;
            let tally = self.read(*chunk, &file, &mut readable);
            if tally.is_none() {
                damaged.insert(place);
            }
            tally
        });
        for chunk in missing.chunks {
            if complete && !damaged.contains(&(chunk.cell, chunk.index)) {
                let problem = format!("chunk {} is missing", chunk.index);
                self.find(&format!("games/{}", grid.cells[chunk.cell].id), problem);
            }
        }
        for ((cell, index), file) in present {
            if let Some(problem) = plan.stray((cell, index)) {
                let name = format!("games/{}/{}", grid.cells[cell].id, file.name());
                self.find(&name, problem);
            } else {
                // What was played after games that are no longer there.
                self.read(grid.chunk(cell, index), &file, &mut readable);
            }
        }
        self.counts(&readable);
        readable
    }

    /// Reads a chunk file that should be there: how its games ended, if it is
    /// whole.
    fn read(
        &mut self,
        chunk: Chunk,
        file: &ChunkFile,
        readable: &mut Vec<(Chunk, String)>,
    ) -> Option<Tally> {
        let cell = &self.grid.cells[chunk.cell];
        let name = format!("games/{}/{}", cell.id, file.name());
        let path = self.folder.join(&name);
        let complete = self.manifest.status == Status::Complete;
        let said = self.other_bytes.contains(&name);
        if complete && !self.manifest.files.contains_key(&name) {
            self.find(&name, "is not in the manifest");
        }
        let experiment = &self.grid.experiment;
        let tally = read_whole(&path, file)
            .and_then(|(_, bytes)| chunk.check_rows(experiment, cell, &path, &bytes));
        match tally {
            Ok(tally) => {
                self.games += tally.games();
                readable.push((chunk, name));
                Some(tally)
            }
            Err(error) => {
                if !said {
                    let problem = match error {
                        Error::Damaged { problem, .. } => problem,
                        error => error.to_string(),
                    };
                    self.find(&name, problem);
                }
                None
            }
        }
    }

    /// The manifest's numbers of games are those of the files.
    fn counts(&mut self, readable: &[(Chunk, String)]) {
        // What was played since the manifest was written it does not list.
        let listed = readable
            .iter()
            .filter(|(_, name)| self.manifest.files.contains_key(name));
        let mut games = vec![0; self.grid.cells.len()];
        for (chunk, _) in listed {
            games[chunk.cell] += chunk.games;
        }
        let all: u64 = games.iter().sum();
        if all != self.manifest.games {
            let problem = format!(
                "says {} games, the files of its list that can be read hold {all}",
                self.manifest.games
            );
            self.find("manifest.json", problem);
        }
        for (cell, games) in self.manifest.cells.iter().zip(games) {
            let held = self.grid.experiment.stop.map(|_| games);
            if cell.games != held {
                let number =
                    |games: Option<u64>| games.map_or("no number of".to_owned(), |n| n.to_string());
                let problem = format!(
                    "says {} games of cell {}, expected {}",
                    number(cell.games),
                    cell.id,
                    number(held)
                );
                self.find("manifest.json", problem);
            }
        }
    }

    /// No file that has a table's name is there beside those that are listed.
    fn unlisted(&mut self) {
        for name in TABLES {
            if !self.manifest.files.contains_key(name) && self.folder.join(name).exists() {
                let problem = "is not in the manifest, as after a command that was killed: \
                    `brandub rate` or `brandub run` in this folder puts that right";
                self.find(name, problem);
            }
        }
    }

    /// The files beside the games are what the games give; of a run that is not
    /// finished, those that are listed.
    fn tables(&mut self, make: MakeTables<'_>) -> Result<(), Error> {
        for (name, bytes) in make(self.manifest)? {
            let listed = self.manifest.files.get(&name);
            if listed.is_none() && self.manifest.status == Status::Incomplete {
                continue;
            }
            if listed != Some(&files::checksum(&bytes)) {
                self.find(&name, "is not what the games give");
            }
        }
        Ok(())
    }

    /// Plays some of the games again and compares their rows, byte for byte;
    /// all of them where there are no more than `sample`.
    fn replay(&mut self, chunks: &[(Chunk, String)], of: Sample) -> Result<u64, Error> {
        let games = chunks.iter().map(|(chunk, _)| chunk.games).sum();
        let sample = of.games.min(games);
        let mut chosen = choose(games, sample, of.seed).into_iter().peekable();
        let mut before = 0;
        let mut picks: Vec<(&(Chunk, String), Vec<u64>)> = Vec::new();
        for chunk in chunks {
            let end = before + chunk.0.games;
            let mut games = Vec::new();
            while let Some(game) = chosen.next_if(|&game| game < end) {
                games.push(chunk.0.first_game + game - before);
            }
            if !games.is_empty() {
                picks.push((chunk, games));
            }
            before = end;
        }
        let differing: Vec<Vec<Finding>> = picks
            .into_par_iter()
            .map(|((chunk, name), games)| self.compare(chunk, name, &games))
            .collect::<Result<_, Error>>()?;
        self.findings.extend(differing.into_iter().flatten());
        Ok(sample)
    }

    fn compare(&self, chunk: &Chunk, name: &str, games: &[u64]) -> Result<Vec<Finding>, Error> {
        let cell = &self.grid.cells[chunk.cell];
        let mut table = one_game::Table::new(&self.grid.experiment, cell);
        let bytes = files::read(&self.folder.join(name))?;
        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        let mut findings = Vec::new();
        for &game in games {
            let expected = row(cell, &table.record(game).0);
            let line = 1 + (game - chunk.first_game) as usize;
            let found = lines.get(line).copied().unwrap_or_default();
            if found != expected.as_bytes() {
                findings.push(Finding {
                    place: format!("{name} line {}", line + 1),
                    problem: format!(
                        "game {game} played again gives {expected}, the file says {}",
                        String::from_utf8_lossy(found)
                    ),
                });
            }
        }
        Ok(findings)
    }
}

/// So many different numbers below `games`, drawn from the seed (Floyd's
/// algorithm), in order.
fn choose(games: u64, sample: u64, seed: u64) -> BTreeSet<u64> {
    let mut draws = stream(key(seed, "verify"));
    let mut chosen = BTreeSet::new();
    for last in games - sample..games {
        let draw = (u128::from(draws.next_u64()) * u128::from(last + 1)) >> 64;
        if !chosen.insert(draw as u64) {
            chosen.insert(last);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_as_many_different_games_as_asked_for() {
        for (games, sample) in [(0, 0), (1, 1), (60, 60), (60, 59), (1_000_000, 500)] {
            let chosen = choose(games, sample, 7);
            assert_eq!(chosen.len() as u64, sample);
            assert!(chosen.iter().all(|&game| game < games));
        }
        assert_ne!(choose(1000, 5, 1), choose(1000, 5, 2));
    }
}
