/*!
One row of `winrates.csv`: how a cell's games ended, from its chunk files with
polars or as they were counted when they were played. Imports result files and
record types.

Chunk files are read some megabytes at a time and grouped at once, so memory
does not grow with the number of games, but for the count of distinct games,
which is made in several passes where a cell has very many.
*/

use std::collections::BTreeMap;
use std::path::PathBuf;

use polars::prelude::*;

use super::chunk_rows::{TableError, each_batch, frame};
use super::statistics::{Interval, wilson};
use crate::agents::ForfeitKind;
use crate::experiment::{Cell, CellDecision, Counts, Termination, Winner};
use crate::game::Side;

/// Distinct games counted in one pass over a cell.
const KEYS_PER_PASS: u64 = 4_000_000;

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

    pub(super) fn counted(cell: &Cell, counts: &Counts) -> CellRow {
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
    use std::fs;

    use super::*;
    use crate::experiment::{ChunkFile, Grid, Source};

    fn row(bytes: &str) -> PolarsResult<CellRow> {
        let text = "name='x'\nseed=1\ngames=1\n[rules]\n[[match]]\nagents=['random']\n";
        let grid = Grid::new(Source::parse("x", text).unwrap().experiment);
        let folder = tempfile::tempdir().unwrap();
        let checksum = blake3::hash(bytes.as_bytes()).to_string();
        let path = folder.path().join(ChunkFile::of(0, &checksum).name());
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
