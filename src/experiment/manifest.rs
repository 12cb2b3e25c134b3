/*!
The manifest: what a result folder holds, and the checksums to prove it.
Imports the grid and what the self-check says.

It holds nothing of when, where or on how many threads the games were played,
so that the same run gives the same bytes. Its last member is the BLAKE3 of
the rest, so that a changed byte in the manifest itself is seen too.
*/

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::config::Experiment;
use super::error::Error;
use super::files;
use super::folder::{Scan, TABLES};
use super::grid::{Grid, Shard};
use super::plain_words::plain_words;
use super::selfcheck::Checked;
use super::shards::MOST;
use super::source;
use crate::game::RulesetTable;

/// The version of the folder's layout and of every file's columns.
pub const SCHEMA: u32 = 3;

/// Changes whenever the same seed would give other games or other rows; runs
/// of different revisions are never mixed in one folder.
pub const PLAY_REVISION: u32 = 7;

/// The manifest's file name.
pub(super) const FILE: &str = "manifest.json";

/// Which program played; of several that played parts, the versions and commits
/// of all, in order, with commas between them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The crate's version.
    pub version: String,
    /// The git commit it was built from, `-dirty` behind it if files had
    /// changed; `unknown` outside a repository.
    pub commit: String,
    /// See [`PLAY_REVISION`].
    pub play_revision: u32,
}

impl Program {
    /// This program.
    #[must_use]
    pub fn current() -> Program {
        Program {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: env!("BRANDUB_COMMIT").to_owned(),
            play_revision: PLAY_REVISION,
        }
    }

    /// Both of them: the versions and commits of each, in order.
    pub(super) fn and(&self, other: &Program) -> Program {
        let all = |part: fn(&Program) -> &str| {
            let parts = [self, other]
                .into_iter()
                .flat_map(|one| part(one).split(", "));
            let parts: BTreeSet<&str> = parts.collect();
            parts.into_iter().collect::<Vec<_>>().join(", ")
        };
        Program {
            version: all(|program| &program.version),
            commit: all(|program| &program.commit),
            play_revision: self.play_revision,
        }
    }
}

/// Whether every game is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Games are missing; running again goes on.
    Incomplete,
    /// Every game of the run, or of the shard, is there.
    Complete,
}

/// A ruleset of the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesetEntry {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub label: String,
    /// Every axis of its canonical form.
    pub axes: RulesetTable,
}

/// A cell of the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellEntry {
    /// Its id.
    pub id: String,
    /// Its ruleset's id.
    pub ruleset: String,
    /// The attackers' agent.
    pub attackers: String,
    /// The defenders' agent.
    pub defenders: String,
    /// Games of a chunk.
    pub chunk_games: u64,
    /// Games in the chunk files listed, where a rule decides how many a cell
    /// has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
}

/// What tells a manifest of another schema: the one member that all have.
#[derive(Deserialize)]
struct Schema {
    schema: u32,
}

/// What a result folder holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// See [`SCHEMA`].
    pub schema: u32,
    /// Whether it is finished.
    pub status: Status,
    /// Who played it.
    pub program: Program,
    /// Which part of the experiment this is; `None` for all of it.
    pub shard: Option<Shard>,
    /// Of a shard, what the self-check said on the machine that played last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selfcheck: Option<Checked>,
    /// The experiment.
    pub experiment: Experiment,
    /// Its rulesets.
    pub rulesets: Vec<RulesetEntry>,
    /// Its cells.
    pub cells: Vec<CellEntry>,
    /// Games in the chunk files listed.
    pub games: u64,
    /// BLAKE3 of every other file, by its path in the folder.
    pub files: BTreeMap<String, String>,
    /// BLAKE3 of the manifest's bytes with this member empty.
    pub checksum: String,
}

impl Manifest {
    /// The manifest of a run of which nothing has been played.
    #[must_use]
    pub fn new(grid: &Grid, shard: Option<Shard>) -> Manifest {
        Manifest {
            schema: SCHEMA,
            status: Status::Incomplete,
            program: Program::current(),
            shard,
            selfcheck: None,
            experiment: grid.experiment.clone(),
            rulesets: grid
                .experiment
                .rulesets
                .iter()
                .map(|ruleset| RulesetEntry {
                    id: ruleset.id(),
                    label: ruleset.label(),
                    axes: ruleset.to_table(),
                })
                .collect(),
            cells: grid
                .cells
                .iter()
                .map(|cell| CellEntry {
                    id: cell.id.clone(),
                    ruleset: cell.ruleset_id.clone(),
                    attackers: cell.pair.attackers.to_string(),
                    defenders: cell.pair.defenders.to_string(),
                    chunk_games: cell.chunk_games,
                    games: grid.experiment.stop.map(|_| 0),
                })
                .collect(),
            games: 0,
            files: BTreeMap::new(),
            checksum: String::new(),
        }
    }

    /// Lists a chunk file of a cell, which is given by its place.
    pub(super) fn list(&mut self, cell: usize, scan: Scan) {
        let games = scan.tally.games();
        self.games += games;
        if let Some(all) = &mut self.cells[cell].games {
            *all += games;
        }
        self.files.insert(scan.name, scan.checksum);
    }

    /// How many games a cell has, which is given by its place: of a run that is
    /// not finished, may have.
    #[must_use]
    pub fn games_of(&self, cell: usize) -> u64 {
        match (self.status, self.cells[cell].games) {
            (Status::Complete, Some(games)) => games,
            _ => self.experiment.games,
        }
    }

    /// The file's bytes.
    ///
    /// # Panics
    /// Never: a manifest is plain data.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Its last member is the checksum.
        const BEFORE: &[u8] = b"\"checksum\": \"";
        const BEHIND: &[u8] = b"\"\n}\n";
        let mut bytes = serde_json::to_vec_pretty(self).expect("a manifest is plain data");
        let own = BEFORE.len() + self.checksum.len() + BEHIND.len() - 1;
        bytes.truncate(bytes.len() + BEFORE.len() - own);
        bytes.extend(BEHIND);
        let checksum = files::checksum(&bytes);
        bytes.truncate(bytes.len() - BEHIND.len());
        bytes.extend(checksum.as_bytes());
        bytes.extend(BEHIND);
        bytes
    }

    /// Reads and checks a folder's manifest.
    ///
    /// # Errors
    /// If it cannot be read, is no manifest of this schema, or was changed
    /// since it was written.
    pub fn read(folder: &Path) -> Result<Manifest, Error> {
        let path = folder.join(FILE);
        if folder.is_file() {
            return Err(Error::no_result(
                folder,
                "is a file, where a result folder is expected",
            ));
        }
        if path.try_exists().is_ok_and(|there| !there) {
            let tables = if folder.join("report.json").exists() {
                "; it is a report's"
            } else if folder.join("games").exists() {
                ", and only that says what its games are of"
            } else if folder.join(TABLES[0]).exists() {
                "; it holds tables alone: `brandub run` with their experiment makes them in another folder, games and all"
            } else {
                ""
            };
            return Err(Error::no_result(
                folder,
                format!("is no result folder: it has no {FILE}{tables}"),
            ));
        }
        let bytes = files::read(&path)?;
        // Of another schema the rest need not be readable.
        let is_none = |error: serde_json::Error| {
            let what = plain_words(&error.to_string(), "object");
            Error::damaged(&path, format!("is no manifest of schema {SCHEMA}: {what}"))
        };
        let Schema { schema } = serde_json::from_slice(&bytes).map_err(is_none)?;
        if schema != SCHEMA {
            return Err(Error::damaged(
                &path,
                format!("has schema {schema}, this program reads {SCHEMA}"),
            ));
        }
        let manifest: Manifest = serde_json::from_slice(&bytes).map_err(is_none)?;
        if manifest.to_bytes() != bytes {
            return Err(Error::damaged(
                &path,
                "its bytes do not have the checksum it ends with; restore it, or run into another folder",
            ));
        }
        match manifest.out_of_range() {
            Some(problem) => Err(Error::damaged(&path, problem)),
            None => Ok(manifest),
        }
    }

    /// The first value that no run has: whoever seals a manifest may write any.
    fn out_of_range(&self) -> Option<String> {
        if let Some(Shard { index, count }) = self.shard
            && !((1..=MOST).contains(&count) && (1..=count).contains(&index))
        {
            return Some(format!(
                "`shard` = {index} of {count}: expected one from 1 to their number, which is at most {MOST}"
            ));
        }
        let expected = self.experiment.rulesets.len() * self.experiment.matches.len();
        if self.cells.len() != expected {
            return Some(format!(
                "`cells` has {}: expected {expected}, one for each ruleset and match",
                self.cells.len()
            ));
        }
        source::out_of_range(&self.experiment)
    }

    /// The first thing in which this folder's run is not the other's, with
    /// both values; the commit and what has been played do not count.
    #[must_use]
    pub fn difference(&self, other: &Manifest) -> Option<String> {
        let mut pairs = self.identity().into_iter().zip(other.identity());
        pairs.find_map(|((key, here), (_, there))| first_difference(key, &here, &there))
    }

    /// What makes a run this one and no other; what people have written before
    /// what follows from it.
    fn identity(&self) -> [(&'static str, serde_json::Value); 7] {
        let shard = self.shard.map(|shard| shard.to_string());
        let cells = self.cells.iter().map(|cell| CellEntry {
            games: None,
            ..cell.clone()
        });
        [
            ("schema", self.schema.into()),
            ("play_revision", self.program.play_revision.into()),
            ("shard", shard.unwrap_or_else(|| "none".to_owned()).into()),
            ("experiment.stop", serde_json::json!(self.experiment.stop)),
            ("experiment", serde_json::json!(self.experiment)),
            ("rulesets", serde_json::json!(self.rulesets)),
            ("cells", cells.map(|cell| serde_json::json!(cell)).collect()),
        ]
    }
}

fn first_difference(
    at: &str,
    here: &serde_json::Value,
    there: &serde_json::Value,
) -> Option<String> {
    use serde_json::Value;
    match (here, there) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let mut keys: Vec<&String> = ours.keys().chain(theirs.keys()).collect();
            keys.sort();
            keys.dedup();
            keys.into_iter().find_map(|key| {
                let absent = Value::Null;
                first_difference(
                    &format!("{at}.{key}"),
                    ours.get(key).unwrap_or(&absent),
                    theirs.get(key).unwrap_or(&absent),
                )
            })
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => ours
            .iter()
            .zip(theirs)
            .enumerate()
            .find_map(|(index, (one, other))| {
                first_difference(&format!("{at}[{index}]"), one, other)
            }),
        (Value::Array(ours), Value::Array(theirs)) => Some(format!(
            "{at} has {} entries there and {} here",
            ours.len(),
            theirs.len()
        )),
        _ if here == there => None,
        _ => {
            let said = |value: &Value| match value {
                Value::Null => "none".to_owned(),
                value => value.to_string(),
            };
            let (here, there) = (said(here), said(there));
            Some(format!("{at} is {here} there and {there} here"))
        }
    }
}
