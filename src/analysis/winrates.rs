/*!
`winrates.csv` and `rules.csv` from a folder's chunk files, with polars. Imports
result files and record types.

Chunk files are read some megabytes at a time and grouped at once, so memory
does not grow with the number of games, but for the count of distinct games,
which is made in several passes where a cell has very many.
*/

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::*;
use rayon::prelude::*;

use super::statistics::{Interval, wilson};
use crate::agents::ForfeitKind;
use crate::experiment::{
    Cell, CellDecision, Counted, Counts, Error, Grid, Manifest, Termination, Winner, decisions,
};
use crate::game::{AXES, Preset, Ruleset, Side};

/// Bytes of rows grouped at a time.
const BATCH_BYTES: usize = 2 << 20;
/// Distinct games counted in one pass over a cell.
const KEYS_PER_PASS: u64 = 4_000_000;

/// Why a table could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A file could not be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// What the stop rule says cannot be computed.
    #[error(transparent)]
    Decisions(#[from] Error),
    /// A cell's rows are not as they should be.
    #[error("cell {cell}: {source}")]
    Rows {
        /// Which cell.
        cell: String,
        /// What polars says.
        source: PolarsError,
    },
}

/// How one cell's games ended.
#[derive(Clone, Debug)]
pub struct CellRow {
    /// The cell.
    pub cell: Cell,
    /// Games counted.
    pub games: u64,
    /// Games that differ up to the board's symmetries.
    pub distinct: u64,
    /// The sum over these of the square of how often each occurs.
    pub squares: u64,
    /// Games by winner.
    pub winners: BTreeMap<Winner, u64>,
    /// Games by the way they ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// Games that ended by forfeit, by the side whose agent gave no legal move.
    /// They are among the other side's wins.
    pub forfeits: BTreeMap<(Side, ForfeitKind), u64>,
    /// Games by length in plies.
    pub lengths: BTreeMap<u32, u64>,
    /// What the stop rule says, where there is one.
    pub decision: Option<CellDecision>,
}

/// The tables of a run.
#[derive(Clone, Debug)]
pub struct Tables {
    /// One row a cell, in the order of the grid; cells of which no game is
    /// there are left out.
    pub cells: Vec<CellRow>,
    rulesets: Vec<Ruleset>,
    random_plies: u32,
    ply_limit: u32,
    /// Whether a rule decides how many games a cell has.
    stops: bool,
}

impl Tables {
    /// Reads the chunk files that the manifest lists.
    ///
    /// # Errors
    /// If a file cannot be read or has other columns or values.
    pub fn read(folder: &Path, manifest: &Manifest) -> Result<Tables, TableError> {
        Tables::of(folder, manifest, &Counted::default())
    }

    /// The same, reading only the cells whose games were not counted when they
    /// were played.
    ///
    /// # Errors
    /// As [`Tables::read`].
    pub fn of(folder: &Path, manifest: &Manifest, counted: &Counted) -> Result<Tables, TableError> {
        let grid = Grid::new(manifest.experiment.clone());
        let mut cells = grid
            .cells
            .par_iter()
            .enumerate()
            .map(|(place, cell)| match counted.of(place) {
                Some(counts) => Ok(CellRow::counted(cell, counts)),
                None => CellRow::read(cell, &chunk_files(folder, manifest, cell)),
            })
            .collect::<Result<Vec<_>, _>>()?;
        for (row, decision) in cells.iter_mut().zip(decisions(folder, manifest)?) {
            row.decision = Some(decision);
        }
        Ok(Tables {
            stops: manifest.experiment.stop.is_some(),
            cells: cells.into_iter().filter(|row| row.games > 0).collect(),
            rulesets: manifest.experiment.rulesets.clone(),
            random_plies: manifest.experiment.random_plies,
            ply_limit: manifest.experiment.ply_limit,
        })
    }

    /// The files beside the games: name and bytes.
    ///
    /// # Panics
    /// Never: memory takes every row.
    #[must_use]
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let files = [
            ("winrates.csv", self.winrates()),
            ("rules.csv", self.rules()),
        ];
        files
            .into_iter()
            .map(|(name, rows)| {
                let mut writer = csv::Writer::from_writer(Vec::new());
                for row in rows {
                    writer.write_record(row).expect("memory takes every row");
                }
                let bytes = writer.into_inner().expect("memory takes every row");
                (name.to_owned(), bytes)
            })
            .collect()
    }

    fn winrates(&self) -> Vec<Vec<String>> {
        let mut header = vec!["cell", "ruleset", "label"];
        header.extend(AXES);
        header.extend(["attackers", "defenders", "random_plies", "ply_limit"]);
        header.extend(["games", "distinct_games"]);
        header.extend(["attackers_wins", "defenders_wins", "draws", "ply_limits"]);
        for rate in ["attackers_rate", "defenders_rate", "draw_rate"] {
            header.push(rate);
            header.extend(match rate {
                "attackers_rate" => ["attackers_low", "attackers_high"],
                "defenders_rate" => ["defenders_low", "defenders_high"],
                _ => ["draw_low", "draw_high"],
            });
        }
        header.extend(["balance", "mean_plies", "median_plies", "p95_plies"]);
        let mut rows: Vec<Vec<String>> = vec![header.into_iter().map(str::to_owned).collect()];
        for termination in BOARD_ENDINGS {
            rows[0].push(format!("ended_{}", termination.name().replace('-', "_")));
        }
        rows[0].push("ended_forfeit".to_owned());
        if self.stops {
            rows[0].extend(["anytime_low", "anytime_high", "decision"].map(str::to_owned));
        }
        rows.extend(self.cells.iter().map(|row| self.winrate_row(row)));
        rows
    }

    fn winrate_row(&self, row: &CellRow) -> Vec<String> {
        let cell = &row.cell;
        let mut fields = vec![
            cell.id.clone(),
            cell.ruleset_id.clone(),
            cell.ruleset.label(),
        ];
        fields.extend(axes(&cell.ruleset));
        fields.push(cell.pair.attackers.to_string());
        fields.push(cell.pair.defenders.to_string());
        for number in [
            u64::from(self.random_plies),
            u64::from(self.ply_limit),
            row.games,
            row.distinct,
            row.won(Winner::Attackers),
            row.won(Winner::Defenders),
            row.won(Winner::Draw),
            row.won(Winner::None),
        ] {
            fields.push(number.to_string());
        }
        for winner in [Winner::Attackers, Winner::Defenders, Winner::Draw] {
            let interval = row.rate(winner);
            for value in [interval.rate, interval.low, interval.high] {
                fields.push(format!("{value:.6}"));
            }
        }
        fields.push(
            row.balance()
                .map_or_else(String::new, |balance| format!("{balance:.6}")),
        );
        fields.push(format!("{:.3}", row.mean_plies()));
        fields.push(row.plies_quantile(50).to_string());
        fields.push(row.plies_quantile(95).to_string());
        for termination in BOARD_ENDINGS {
            let games = row.terminations.get(&termination).copied().unwrap_or(0);
            fields.push(games.to_string());
        }
        fields.push(row.forfeits.values().sum::<u64>().to_string());
        if let Some(CellDecision {
            low,
            high,
            decision,
        }) = row.decision
        {
            fields.extend([low, high].map(|bound| format!("{bound:.6}")));
            fields.push(decision.map_or_else(String::new, |why| why.to_string()));
        }
        fields
    }

    fn rules(&self) -> Vec<Vec<String>> {
        let header = ["ruleset", "label", "presets"].into_iter().chain(AXES);
        let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).collect()];
        for ruleset in &self.rulesets {
            let presets: Vec<&str> = Preset::ALL
                .iter()
                .filter(|preset| preset.ruleset().canonical() == *ruleset)
                .map(|preset| preset.name)
                .collect();
            let mut row = vec![ruleset.id(), ruleset.label(), presets.join(" ")];
            row.extend(axes(ruleset));
            rows.push(row);
        }
        rows
    }
}

/// The ways a game ends on the board; the ply limit and forfeits have columns
/// of their own.
pub(super) const BOARD_ENDINGS: [Termination; 5] = {
    let [escaped, captured, encircled, no_moves, repetition, ..] = Termination::ALL;
    [escaped, captured, encircled, no_moves, repetition]
};

/// Every axis as a field; an axis that does not exist under these rules is
/// empty.
fn axes(ruleset: &Ruleset) -> impl Iterator<Item = String> {
    ruleset.axes().into_iter().map(Option::unwrap_or_default)
}

impl CellRow {
    pub(super) fn new(cell: &Cell) -> CellRow {
        CellRow {
            cell: cell.clone(),
            games: 0,
            distinct: 0,
            squares: 0,
            winners: BTreeMap::new(),
            terminations: BTreeMap::new(),
            forfeits: BTreeMap::new(),
            lengths: BTreeMap::new(),
            decision: None,
        }
    }

    pub(super) fn read(cell: &Cell, files: &[PathBuf]) -> Result<CellRow, TableError> {
        let of_rows = |source| TableError::Rows {
            cell: cell.id.clone(),
            source,
        };
        let mut row = CellRow::new(cell);
        let mut keys = Keys::default();
        each_batch(
            files,
            |bytes| {
                let frame = frame(bytes, &["winner", "reason", "plies", "moves_key"])?;
                row.add(&grouped(&frame)?)?;
                keys.add(&frame, 0, 1)
            },
            of_rows,
        )?;
        // Where one pass would hold too many keys, every pass counts those of
        // one residue class.
        let passes = row.games.div_ceil(KEYS_PER_PASS);
        if passes <= 1 {
            row.add_distinct(keys);
            return Ok(row);
        }
        drop(keys);
        for pass in 0..passes {
            let mut keys = Keys::default();
            each_batch(
                files,
                |bytes| keys.add(&frame(bytes, &["moves_key"])?, pass, passes),
                of_rows,
            )?;
            row.add_distinct(keys);
        }
        Ok(row)
    }

    fn counted(cell: &Cell, counts: &Counts) -> CellRow {
        let mut row = CellRow::new(cell);
        for (winner, termination, plies, games) in counts.ways() {
            row.add_games(winner, termination, plies, games)
                .expect("a game that was played has a winner where there is a forfeit");
        }
        row.add_distinct(Keys(counts.keys().to_vec()));
        row
    }

    fn add_distinct(&mut self, keys: Keys) {
        let (distinct, squares) = keys.multiplicities();
        self.distinct += distinct;
        self.squares += squares;
    }

    /// Adds rows of winner, reason, plies and games.
    fn add(&mut self, groups: &DataFrame) -> PolarsResult<()> {
        let winners = groups.column("winner")?.str()?;
        let reasons = groups.column("reason")?.str()?;
        let plies = groups.column("plies")?.u32()?;
        let games = groups.column("games")?.u32()?;
        for index in 0..groups.height() {
            let winner = winners.get(index).and_then(|name| {
                [
                    Winner::Attackers,
                    Winner::Defenders,
                    Winner::Draw,
                    Winner::None,
                ]
                .into_iter()
                .find(|winner| winner.name() == name)
            });
            let termination = reasons
                .get(index)
                .and_then(|name| Termination::ALL.into_iter().find(|way| way.name() == name));
            let (Some(winner), Some(termination), Some(plies), Some(games)) =
                (winner, termination, plies.get(index), games.get(index))
            else {
                polars_bail!(ComputeError: "a row has no known winner, reason or length");
            };
            if self
                .add_games(winner, termination, plies, u64::from(games))
                .is_none()
            {
                polars_bail!(ComputeError: "a row has a forfeit and no winner");
            }
        }
        Ok(())
    }

    /// Adds games that ended so; none of them is there that ended by forfeit
    /// and had no winner.
    fn add_games(
        &mut self,
        winner: Winner,
        termination: Termination,
        plies: u32,
        games: u64,
    ) -> Option<()> {
        if let Termination::Forfeit(kind) = termination {
            let side = match winner {
                Winner::Attackers => Side::Defenders,
                Winner::Defenders => Side::Attackers,
                Winner::Draw | Winner::None => return None,
            };
            *self.forfeits.entry((side, kind)).or_default() += games;
        }
        self.games += games;
        *self.winners.entry(winner).or_default() += games;
        *self.terminations.entry(termination).or_default() += games;
        *self.lengths.entry(plies).or_default() += games;
        Some(())
    }

    /// Games with this winner.
    #[must_use]
    pub fn won(&self, winner: Winner) -> u64 {
        self.winners.get(&winner).copied().unwrap_or(0)
    }

    /// The share of all games with this winner.
    #[must_use]
    pub fn rate(&self, winner: Winner) -> Interval {
        wilson(self.won(winner), self.games)
    }

    /// The attackers' score less one half, from −0.5 to 0.5: a win counts 1, a
    /// draw by rule one half. Games stopped at the ply limit have no result
    /// and are left out; `None` if all were.
    #[must_use]
    pub fn balance(&self) -> Option<f64> {
        let finished = self.games - self.won(Winner::None);
        let halves = 2 * self.won(Winner::Attackers) + self.won(Winner::Draw);
        (finished > 0).then(|| halves as f64 / (2 * finished) as f64 - 0.5)
    }

    /// Kish's effective sample size: so many games that all differ would say
    /// as much of what differs between games (Kish, "Survey Sampling", 1965);
    /// 0 without games.
    #[must_use]
    pub fn effective_games(&self) -> f64 {
        match self.squares {
            0 => 0.0,
            squares => self.games as f64 * self.games as f64 / squares as f64,
        }
    }

    /// The mean length in plies.
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        let plies: u64 = self
            .lengths
            .iter()
            .map(|(&plies, &games)| u64::from(plies) * games)
            .sum();
        plies as f64 / self.games as f64
    }

    /// The smallest length that this percentage of the games does not exceed
    /// (nearest rank), in plies.
    #[must_use]
    pub fn plies_quantile(&self, percent: u64) -> u32 {
        let rank = (self.games * percent).div_ceil(100);
        let mut seen = 0;
        for (&plies, &games) in &self.lengths {
            seen += games;
            if seen >= rank {
                return plies;
            }
        }
        0
    }
}

/// The chunk files of a cell that the manifest lists, in order.
pub(super) fn chunk_files(folder: &Path, manifest: &Manifest, cell: &Cell) -> Vec<PathBuf> {
    let prefix = format!("games/{}/", cell.id);
    let listed = manifest.files.range(prefix.clone()..);
    listed
        .map(|(name, _)| name)
        .take_while(|name| name.starts_with(&prefix))
        .map(|name| folder.join(name))
        .collect()
}

/// Calls `with` with the rows of the files, some megabytes at a time, each
/// batch under one header.
pub(super) fn each_batch(
    files: &[PathBuf],
    mut with: impl FnMut(Vec<u8>) -> PolarsResult<()>,
    of_rows: impl Fn(PolarsError) -> TableError,
) -> Result<(), TableError> {
    let mut batch: Vec<u8> = Vec::new();
    for (index, path) in files.iter().enumerate() {
        let bytes = fs::read(path).map_err(|source| TableError::Read {
            path: path.clone(),
            source,
        })?;
        let rows = if batch.is_empty() {
            &bytes[..]
        } else {
            let header = bytes.iter().position(|&byte| byte == b'\n');
            &bytes[header.map_or(0, |end| end + 1)..]
        };
        batch.extend_from_slice(rows);
        if batch.len() >= BATCH_BYTES || index + 1 == files.len() {
            with(std::mem::take(&mut batch)).map_err(&of_rows)?;
        }
    }
    Ok(())
}

/// Some columns of rows.
pub(super) fn frame(bytes: Vec<u8>, columns: &[&str]) -> PolarsResult<DataFrame> {
    let types = Schema::from_iter([
        Field::new("game".into(), DataType::UInt64),
        Field::new("winner".into(), DataType::String),
        Field::new("reason".into(), DataType::String),
        Field::new("plies".into(), DataType::UInt32),
        Field::new("moves_key".into(), DataType::String),
    ]);
    CsvReadOptions::default()
        .with_columns(Some(columns.iter().map(|&name| name.into()).collect()))
        .with_schema_overwrite(Some(Arc::new(types)))
        // The other columns are not read; their types need no guessing.
        .with_infer_schema_length(Some(0))
        .into_reader_with_file_handle(Cursor::new(bytes))
        .finish()
}

/// Games by winner, reason and plies.
fn grouped(frame: &DataFrame) -> PolarsResult<DataFrame> {
    let by = ["winner", "reason", "plies"];
    let mut counts = frame.group_by(by)?.select(["moves_key"]).count()?;
    counts.rename("moves_key_count", "games".into())?;
    Ok(counts)
}

/// Keys of whole games, to count the distinct ones.
#[derive(Default)]
struct Keys(Vec<u64>);

impl Keys {
    /// Adds the frame's keys of one residue class.
    fn add(&mut self, frame: &DataFrame, class: u64, classes: u64) -> PolarsResult<()> {
        // With more keys than a pass may hold, the first pass only counts
        // games: its keys are not used.
        if self.0.len() as u64 > KEYS_PER_PASS && classes == 1 {
            return Ok(());
        }
        for key in frame.column("moves_key")?.str()?.iter() {
            let key = key.and_then(|digits| u64::from_str_radix(digits, 16).ok());
            let Some(key) = key else {
                polars_bail!(ComputeError: "a moves_key is not 16 hexadecimal digits");
            };
            if key % classes == class {
                self.0.push(key);
            }
        }
        Ok(())
    }

    /// How many different keys there are, and the sum of the squares of how
    /// often each occurs.
    fn multiplicities(mut self) -> (u64, u64) {
        self.0.sort_unstable();
        let times = self.0.chunk_by(|one, other| one == other);
        times.fold((0, 0), |(distinct, squares), same| {
            let times = same.len() as u64;
            (distinct + 1, squares + times * times)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Source;

    fn row(bytes: &str) -> PolarsResult<CellRow> {
        let text = "name='x'\nseed=1\ngames=1\n[rules]\n[[match]]\nagents=['random']\n";
        let grid = Grid::new(Source::parse("x", text).unwrap().experiment);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        fs::write(&path, bytes).unwrap();
        CellRow::read(&grid.cells[0], &[path.clone(), path]).map_err(|error| match error {
            TableError::Rows { source, .. } => source,
            other => panic!("{other}"),
        })
    }

    const HEADER: &str = "cell,ruleset,attackers,defenders,game,winner,reason,plies,attackers_left,defenders_left,opening,moves_key\n";

    #[test]
    fn rows_are_counted_by_winner_reason_length_and_key() {
        let rows = "c,r,random,\"mcts:playouts=9,c=2\",0,attackers,king-captured,31,8,2,-,00000000000000ff\n\
            c,r,random,random,1,defenders,king-escaped,20,8,2,-,fffffffffffffffe\n\
            c,r,random,random,2,draw,repetition,20,8,2,-,fffffffffffffffe\n\
            c,r,random,random,3,none,ply-limit,300,8,2,-,0000000000000001\n";
        let row = row(&format!("{HEADER}{rows}")).unwrap();
        // The same file stands for two chunks.
        assert_eq!((row.games, row.distinct), (8, 3));
        // Two keys occur twice, one four times: 64 / 24.
        assert_eq!(row.squares, 24);
        assert_eq!(format!("{:.4}", row.effective_games()), "2.6667");
        assert_eq!(row.won(Winner::Attackers), 2);
        assert_eq!(row.won(Winner::None), 2);
        assert_eq!(row.balance(), Some(0.0));
        assert_eq!(format!("{:.3}", row.mean_plies()), "92.750");
        assert_eq!((row.plies_quantile(50), row.plies_quantile(95)), (20, 300));
        assert_eq!(row.terminations[&Termination::PlyLimit], 2);
    }

    #[test]
    fn forfeits_are_the_other_sides_wins_and_counted_by_kind() {
        let rows = "c,r,e,e,0,attackers,forfeit-crash,31,8,2,-,00000000000000ff\n\
            c,r,e,e,1,defenders,forfeit-crash,20,8,2,-,fffffffffffffffe\n\
            c,r,e,e,2,defenders,forfeit-silence,0,8,4,-,fffffffffffffffd\n";
        let row = row(&format!("{HEADER}{rows}")).unwrap();
        assert_eq!(row.won(Winner::Attackers), 2);
        assert_eq!(row.won(Winner::Defenders), 4);
        let forfeits = BTreeMap::from([
            ((Side::Attackers, ForfeitKind::Crash), 2),
            ((Side::Attackers, ForfeitKind::Silence), 2),
            ((Side::Defenders, ForfeitKind::Crash), 2),
        ]);
        assert_eq!(row.forfeits, forfeits);
    }

    #[test]
    fn rows_that_are_none_are_refused() {
        for rows in [
            "c,r,a,d,0,nobody,king-captured,31,8,2,-,00000000000000ff\n",
            "c,r,a,d,0,draw,boredom,31,8,2,-,00000000000000ff\n",
            "c,r,a,d,0,draw,forfeit-crash,3,8,2,-,00000000000000ff\n",
            "c,r,a,d,0,attackers,forfeit,3,8,2,-,00000000000000ff\n",
            "c,r,a,d,0,draw,repetition,many,8,2,-,00000000000000ff\n",
            "c,r,a,d,0,draw,repetition,31,8,2,-,xyz\n",
        ] {
            assert!(row(&format!("{HEADER}{rows}")).is_err(), "{rows}");
        }
    }
}
