/*!
Fixed games whose rows every machine must play alike. Imports the grid, chunks
and the ways to play their games.

The games are those of `selfcheck/games.toml`; what they come to is written in
`selfcheck/hashes.toml`, a hash of the rows of each cell. Random games, which are
played several at a time, are played in every kind of word that the processor
offers. Endgame tables and external engines are not tried: the first have
checksums, the second promise nothing.
*/

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::chunk::Rows;
use super::files;
use super::grid::{Cell, Grid};
use super::manifest::PLAY_REVISION;
use super::one_game::Table;
use super::plain_words::plain_words;
use super::random_games;
use super::source::Source;
use crate::arch::Kind;

const GAMES: &str = include_str!("selfcheck/games.toml");
const HASHES: &str = include_str!("selfcheck/hashes.toml");

/// Of the games of the whole check, the short one has one in so many.
const QUICK_PART: u64 = 64;
/// Of so many chunks, which take a second at most, the whole check has the games.
const FULL_CHUNKS: u64 = 4;

/// How many of the fixed games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// A second's worth: what a shard does before its own games.
    Quick,
    /// Half a minute's worth.
    Full,
}

/// What a shard's manifest says of the self-check on the machine that played
/// last.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checked {
    /// BLAKE3 of the committed hashes that were compared with.
    pub hashes: String,
    /// What came out otherwise; empty if nothing did.
    pub failed: Vec<String>,
}

impl Checked {
    /// Whether all games came out as committed.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.failed.is_empty()
    }

    /// Whether this is the check that this program would make, and passed.
    pub(super) fn holds(&self) -> bool {
        self.has_passed() && self.hashes == committed_checksum()
    }
}

/// Games of one cell, played in one way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedCell {
    /// The ruleset, the agents and, where there are several, the kind of word.
    pub name: String,
    /// How many games.
    pub games: u64,
    /// BLAKE3 of their rows, as committed.
    pub expected: String,
    /// As they came out here.
    pub found: String,
}

impl CheckedCell {
    /// Whether the games are the committed ones.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.expected == self.found
    }
}

/// The committed hashes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hashes {
    play_revision: u32,
    #[serde(default)]
    cells: BTreeMap<String, CellHashes>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CellHashes {
    attackers: String,
    defenders: String,
    quick: Hash,
    full: Hash,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hash {
    games: u64,
    blake3: String,
}

fn grid() -> Grid {
    let source = Source::parse("selfcheck/games.toml", GAMES);
    Grid::new(source.expect("it is an experiment").experiment)
}

fn committed_checksum() -> String {
    files::checksum(HASHES.as_bytes())
}

/// Plays the fixed games, on rayon's threads, and compares them with committed
/// hashes: `text` has these, as [`selfcheck_hashes`] writes them; the program's
/// own without it. `seen` sees each cell when it is done.
///
/// # Errors
/// If `text` is no file of hashes, or of another play revision: what was
/// expected.
pub fn selfcheck(
    extent: Extent,
    text: Option<&str>,
    seen: &(dyn Fn(&CheckedCell) + Sync),
) -> Result<Vec<CheckedCell>, String> {
    let hashes: Hashes = toml::from_str(text.unwrap_or(HASHES)).map_err(|error| {
        format!(
            "is no file of hashes: {}",
            plain_words(error.message(), "table")
        )
    })?;
    if hashes.play_revision != PLAY_REVISION {
        return Err(format!(
            "has hashes of play revision {}, this program plays revision {PLAY_REVISION}: `brandub selfcheck --write src/experiment/selfcheck/hashes.toml` writes them anew",
            hashes.play_revision
        ));
    }
    let grid = grid();
    for cell in &grid.cells {
        let Some(hashes) = hashes.cells.get(&cell.id) else {
            return Err(format!(
                "has no hashes of cell {}, {} by {} against {}",
                cell.id,
                cell.ruleset.label(),
                cell.pair.attackers,
                cell.pair.defenders
            ));
        };
        for hash in [&hashes.quick.blake3, &hashes.full.blake3] {
            if hash.len() != 64 || !hash.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(format!(
                    "has `{hash}` for cell {}: expected 64 hexadecimal digits",
                    cell.id
                ));
            }
        }
        let numbers = [hashes.quick.games, hashes.full.games];
        if numbers != numbers_of(cell) {
            return Err(format!(
                "has hashes of {numbers:?} games of cell {}: expected {:?}",
                cell.id,
                numbers_of(cell)
            ));
        }
    }
    let work: Vec<(&Cell, Option<Kind>)> = grid.cells.iter().flat_map(ways).collect();
    let check = |&(cell, kind): &(&Cell, Option<Kind>)| {
        let hashes = &hashes.cells[&cell.id];
        let committed = match extent {
            Extent::Quick => &hashes.quick,
            Extent::Full => &hashes.full,
        };
        let mut name = format!(
            "{}: {} against {}",
            cell.ruleset.label(),
            cell.pair.attackers,
            cell.pair.defenders
        );
        if let Some(kind) = kind {
            name = format!("{name} ({})", kind.name());
        }
        let checked = CheckedCell {
            name,
            games: committed.games,
            expected: committed.blake3.clone(),
            found: hash(&grid, cell, kind, committed.games),
        };
        seen(&checked);
        checked
    };
    Ok(work.par_iter().map(check).collect())
}

/// How many games of a cell the short check has, and the whole one.
fn numbers_of(cell: &Cell) -> [u64; 2] {
    let full = cell.chunk_games * FULL_CHUNKS;
    [(full / QUICK_PART).max(1), full]
}

/// The short check, as a shard records it. It is made once: the machine stays the same.
pub(super) fn quick() -> Checked {
    static CHECKED: OnceLock<Checked> = OnceLock::new();
    CHECKED.get_or_init(quick_now).clone()
}

fn quick_now() -> Checked {
    let failed = match selfcheck(Extent::Quick, None, &|_| {}) {
        Ok(cells) => {
            let failed = cells.into_iter().filter(|cell| !cell.agrees());
            failed.map(|cell| cell.name).collect()
        }
        Err(problem) => vec![format!("the program {problem}")],
    };
    Checked {
        hashes: committed_checksum(),
        failed,
    }
}

/// What the fixed games come to on this machine: the text of
/// `src/experiment/selfcheck/hashes.toml`.
///
/// # Panics
/// Never: hashes are plain data.
#[must_use]
pub fn selfcheck_hashes() -> String {
    let grid = grid();
    let cells = grid.cells.par_iter().map(|cell| {
        let [quick, full] = numbers_of(cell);
        let hash = |games| Hash {
            games,
            blake3: hash(&grid, cell, None, games),
        };
        let hashes = CellHashes {
            attackers: cell.pair.attackers.to_string(),
            defenders: cell.pair.defenders.to_string(),
            quick: hash(quick),
            full: hash(full),
        };
        (cell.id.clone(), hashes)
    });
    let hashes = Hashes {
        play_revision: PLAY_REVISION,
        cells: cells.collect(),
    };
    let text = toml::to_string(&hashes).expect("hashes are plain data");
    format!("# Made by `brandub selfcheck --write`; do not edit.\n{text}")
}

/// The ways in which a cell's games can be played on this processor.
fn ways(cell: &Cell) -> Vec<(&Cell, Option<Kind>)> {
    let mut ways = vec![(cell, None)];
    if random_games::are_all(cell) {
        ways.extend(Kind::here().map(|kind| (cell, Some(kind))));
    }
    ways
}

/// The hash of the rows of a cell's first games, played one by one or in words
/// of a kind.
fn hash(grid: &Grid, cell: &Cell, kind: Option<Kind>, games: u64) -> String {
    let mut rows = Rows::new(cell, games);
    if let Some(kind) = kind {
        random_games::play(&grid.experiment, cell, 0..games, kind, &mut |record| {
            rows.push(record);
        });
    } else {
        let mut table = Table::new(&grid.experiment, cell);
        for game in 0..games {
            rows.push(&table.record(game).0);
        }
    }
    files::checksum(&rows.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_plays_the_fixed_games_as_committed() {
        let cells = selfcheck(Extent::Quick, None, &|_| {}).unwrap();
        let failed = cells.iter().filter(|cell| !cell.agrees());
        let failed: Vec<&CheckedCell> = failed.collect();
        assert!(
            failed.is_empty(),
            "if games are meant to change, `brandub selfcheck --write src/experiment/selfcheck/hashes.toml`: {failed:?}"
        );
        // Each kind of word, and one by one, under each of the rulesets.
        let random = cells.iter();
        let random = random.filter(|cell| cell.name.contains("random against random"));
        assert_eq!(random.count(), 3 * (1 + Kind::here().count()));
        assert!(quick().holds());
    }

    #[test]
    fn one_other_hash_is_named_and_another_revision_refused() {
        let text = HASHES;
        let place = text.find("blake3 = \"").unwrap() + 10;
        let digit = if &text[place..=place] == "0" {
            "1"
        } else {
            "0"
        };
        let changed = format!("{}{digit}{}", &text[..place], &text[place + 1..]);
        let cells = selfcheck(Extent::Quick, Some(&changed), &|_| {}).unwrap();
        let failed = cells.iter().filter(|cell| !cell.agrees()).count();
        let cell = grid().cells.into_iter().min_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(failed, ways(&cell.unwrap()).len());

        let other = HASHES.replacen(
            &format!("play_revision = {PLAY_REVISION}"),
            "play_revision = 1",
            1,
        );
        let problem = selfcheck(Extent::Quick, Some(&other), &|_| {}).unwrap_err();
        assert!(problem.contains("of play revision 1"), "{problem}");
        assert!(selfcheck(Extent::Quick, Some("x = 1"), &|_| {}).is_err());
    }
}
