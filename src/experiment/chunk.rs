/*!
A chunk: some games of one cell, one file. Imports the grid and records.

A chunk file's name holds its number and the beginning of its own BLAKE3, so
that a file says by itself whether it is whole:
`games/<cell id>/<number>-<16 digits>.csv`.
*/

use std::path::Path;

use super::config::Experiment;
use super::counts::Counts;
use super::error::Error;
use super::files;
use super::grid::{Cell, Chunk, MAX_CHUNK};
use super::one_game;
use super::random_games;
use super::record::{COLUMNS, GameRecord, Winner};
use super::runner::Observer;
use crate::arch::Kind;

mod check;

/// How a chunk's games ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games the attackers won.
    pub attackers: u64,
    /// Games the defenders won.
    pub defenders: u64,
    /// Draws by rule.
    pub draws: u64,
    /// Games stopped undecided.
    pub stopped: u64,
    /// Plies of all games.
    pub plies: u64,
}

impl Tally {
    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.attackers + self.defenders + self.draws + self.stopped
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Tally) {
        self.attackers += other.attackers;
        self.defenders += other.defenders;
        self.draws += other.draws;
        self.stopped += other.stopped;
        self.plies += other.plies;
    }

    fn count(&mut self, winner: Winner, plies: u64) {
        match winner {
            Winner::Attackers => self.attackers += 1,
            Winner::Defenders => self.defenders += 1,
            Winner::Draw => self.draws += 1,
            Winner::None => self.stopped += 1,
        }
        self.plies += plies;
    }
}

/// A chunk file's name, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChunkFile {
    /// The chunk's number in its cell.
    pub index: u64,
    /// The first 16 digits of the file's BLAKE3.
    pub checksum: String,
}

impl ChunkFile {
    /// The file's name in its cell's folder.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{:06}-{}.csv", self.index, self.checksum)
    }

    /// Reads a name; `None` if it is no chunk file's.
    #[must_use]
    pub fn parse(name: &str) -> Option<ChunkFile> {
        let (index, checksum) = name.strip_suffix(".csv")?.split_once('-')?;
        let file = ChunkFile {
            index: index.parse().ok()?,
            checksum: checksum.to_owned(),
        };
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let well_formed = checksum.len() == 16 && checksum.bytes().all(hex) && file.name() == name;
        well_formed.then_some(file)
    }

    /// The name that a file of these contents has.
    #[must_use]
    pub fn of(index: u64, checksum: &str) -> ChunkFile {
        ChunkFile {
            index,
            checksum: checksum[..16].to_owned(),
        }
    }
}

impl Chunk {
    /// Plays the chunk's games: the file's bytes, and what is counted of them.
    #[must_use]
    pub(super) fn play(
        &self,
        experiment: &Experiment,
        cell: &Cell,
        observer: &dyn Observer,
    ) -> (Vec<u8>, Tally, Counts) {
        let mut rows = Rows::new(cell, self.games);
        let mut tally = Tally::default();
        let mut counts = Counts::default();
        let mut keep = |record: &GameRecord| {
            tally.count(record.winner, u64::from(record.plies));
            counts.count(record);
            rows.push(record);
        };
        let games = self.first_game..self.first_game + self.games;
        if random_games::are_all(cell) {
            random_games::play(experiment, cell, games, Kind::best(), &mut keep);
        } else {
            let mut table = one_game::Table::new(experiment, cell);
            for game in games {
                let (record, forfeit) = table.record(game);
                if let Some((side, forfeit)) = forfeit {
                    observer.forfeited(cell, game, side, &forfeit);
                }
                keep(&record);
            }
        }
        (rows.finish(), tally, counts)
    }

    /// Reads the tally of a chunk file and checks that it has this chunk's
    /// rows, all of them and no other; [`Chunk::check_rows`] checks what is in
    /// them, too.
    pub(super) fn check(&self, cell: &Cell, path: &Path, bytes: &[u8]) -> Result<Tally, Error> {
        let mut reader = csv::Reader::from_reader(bytes);
        let damaged =
            |line: u64, problem: &str| Err(Error::damaged(path, format!("line {line}: {problem}")));
        let mut tally = Tally::default();
        let mut expected = self.first_game;
        match reader.byte_headers() {
            Ok(header) if header == COLUMNS.as_slice() => {}
            _ => return damaged(1, &format!("expected the columns {}", COLUMNS.join(","))),
        }
        let mut row = csv::ByteRecord::new();
        loop {
            let line = reader.position().line();
            match reader.read_byte_record(&mut row) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return damaged(line, &error.to_string()),
            }
            let number = |column: usize| -> Option<u64> {
                std::str::from_utf8(&row[column]).ok()?.parse().ok()
            };
            if row[0] != *cell.id.as_bytes() {
                return damaged(line, &format!("expected a game of cell {}", cell.id));
            }
            if number(4) != Some(expected) {
                return damaged(line, &format!("expected game {expected}"));
            }
            let winner = match &row[5] {
                b"attackers" => Winner::Attackers,
                b"defenders" => Winner::Defenders,
                b"draw" => Winner::Draw,
                b"none" => Winner::None,
                _ => {
                    return damaged(
                        line,
                        "expected a winner: attackers, defenders, draw or none",
                    );
                }
            };
            let Some(plies) = number(7).filter(|&plies| u32::try_from(plies).is_ok()) else {
                return damaged(line, "expected a number of plies, at most 4294967295");
            };
            tally.count(winner, plies);
            expected += 1;
        }
        if tally.games() != self.games {
            return Err(Error::damaged(
                path,
                format!("has {} games, expected {}", tally.games(), self.games),
            ));
        }
        Ok(tally)
    }
}

/// Writes records as CSV rows.
pub(super) struct Rows {
    bytes: Vec<u8>,
    /// The fields that all rows share.
    shared: Vec<u8>,
    number: itoa::Buffer,
}

impl Rows {
    /// Of about so many games.
    pub(super) fn new(cell: &Cell, games: u64) -> Rows {
        let room = 160 * (games.min(MAX_CHUNK) as usize + 1);
        let (attackers, defenders) = (
            cell.pair.attackers.to_string(),
            cell.pair.defenders.to_string(),
        );
        let mut header = csv::Writer::from_writer(Vec::with_capacity(room));
        header
            .write_record(COLUMNS)
            .expect("memory takes every row");
        let mut line = csv::Writer::from_writer(Vec::new());
        line.write_record([&cell.id, &cell.ruleset_id, &attackers, &defenders])
            .expect("memory takes every row");
        let mut shared = line.into_inner().expect("memory takes every row");
        // More fields follow.
        assert_eq!(shared.pop(), Some(b'\n'));
        Rows {
            bytes: header.into_inner().expect("memory takes every row"),
            shared,
            number: itoa::Buffer::new(),
        }
    }

    /// Adds a row. Only what all rows share may need quotes: the rest is
    /// numbers, names of one word and moves joined by points.
    pub(super) fn push(&mut self, record: &GameRecord) {
        self.bytes.extend_from_slice(&self.shared);
        self.add_number(record.game);
        self.add(record.winner.name());
        self.add(record.termination.name());
        self.add_number(u64::from(record.plies));
        self.add_number(u64::from(record.attackers_left));
        self.add_number(u64::from(record.defenders_left));
        self.add(&record.opening);
        self.bytes.push(b',');
        let end = self.bytes.len();
        self.bytes.resize(end + 16, 0);
        hex::encode_to_slice(record.moves_key.0.to_be_bytes(), &mut self.bytes[end..])
            .expect("two digits a byte");
        self.bytes.push(b'\n');
    }

    fn add(&mut self, field: &str) {
        self.bytes.push(b',');
        self.bytes.extend_from_slice(field.as_bytes());
    }

    fn add_number(&mut self, number: u64) {
        self.bytes.push(b',');
        self.bytes
            .extend_from_slice(self.number.format(number).as_bytes());
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// A game's row as a chunk file has it, without the line break.
#[must_use]
pub fn row(cell: &Cell, record: &GameRecord) -> String {
    let mut rows = Rows::new(cell, 1);
    rows.push(record);
    let bytes = rows.finish();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().last().unwrap_or_default().to_owned()
}

/// The bytes of a chunk file, which have the checksum that its name says.
///
/// # Errors
/// If it cannot be read, is no chunk file, or was altered.
pub fn read_chunk(path: &Path) -> Result<Vec<u8>, Error> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(file) = ChunkFile::parse(&name) else {
        return Err(Error::damaged(path, "it has no chunk file's name"));
    };
    read_whole(path, &file).map(|(_, bytes)| bytes)
}

/// The checksum and bytes of a chunk file that says it is whole.
pub(super) fn read_whole(path: &Path, file: &ChunkFile) -> Result<(String, Vec<u8>), Error> {
    let bytes = files::read(path)?;
    let checksum = files::checksum(&bytes);
    if checksum.starts_with(&file.checksum) {
        return Ok((checksum, bytes));
    }
    Err(Error::damaged(
        path,
        format!(
            "its bytes have checksum {}…, its name says {}; restore it or remove it (what played it then plays its games again)",
            &checksum[..16],
            file.checksum
        ),
    ))
}
