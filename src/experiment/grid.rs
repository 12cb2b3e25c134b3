//! Cells, and how their games are cut into chunks and shards. Imports the
//! experiment.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::config::{Experiment, Match, Pairing};
use super::deal::Deal;
use super::endgames::Endgames;
use super::error::Error;
use super::seed::{self, Keys};
use super::stopping::Until;
use crate::agents::SpecError;
use crate::game::{Rules, Ruleset, Side, short_id};
use crate::solver::exact::Probe;

/// Positions looked at in one chunk, about: two seconds of one core.
const CHUNK_EFFORT: u64 = 4_000_000;
/// Most games of a chunk: some 2 MB of rows.
pub(super) const MAX_CHUNK: u64 = 16_384;
/// Most chunks of a run: each is a file, and some bytes of memory.
const MAX_CHUNKS: u64 = 5_000_000;
/// Plies of a game, about.
const TYPICAL_PLIES: u64 = 50;

/// One ruleset with one match: games that differ by chance alone.
#[derive(Clone, Debug)]
pub struct Cell {
    /// 12 hexadecimal digits, from ruleset, agents, opening and ply limit;
    /// never from the place in the grid.
    pub id: String,
    /// The ruleset's id.
    pub ruleset_id: String,
    /// The rules.
    pub ruleset: Ruleset,
    /// Who plays.
    pub pair: Match,
    /// Games of a chunk; the last chunk may have fewer.
    pub chunk_games: u64,
    /// About how many positions are looked at in a game, by what the agents
    /// say: to share work out by, the same on every machine.
    pub(super) effort: u64,
    pub(super) keys: Keys,
    tables: [OpenTables; 2],
}

/// The tables that an agent asks; none until they are opened.
#[derive(Clone, Default)]
struct OpenTables(Option<Arc<dyn Probe>>);

impl fmt::Debug for OpenTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "open" } else { "none" })
    }
}

impl Cell {
    fn new(experiment: &Experiment, ruleset: Ruleset, pair: &Match, most_games: u64) -> Cell {
        let rest = format!(
            "attackers={};defenders={};opening=random:{};ply_limit={}",
            pair.attackers, pair.defenders, experiment.random_plies, experiment.ply_limit
        );
        let ruleset_id = ruleset.id();
        let id = short_id(&format!("ruleset={ruleset_id};{rest}"));
        let key = |scope: &str| seed::key(experiment.seed, scope);
        let keys = match experiment.pairing {
            Pairing::Independent => {
                let key = key(&format!("cell={id}"));
                Keys {
                    opening: key,
                    agents: key,
                }
            }
            // The opening depends on neither ruleset nor agents, so that every
            // pair meets it in both roles; the agents' numbers leave the
            // ruleset alone out.
            Pairing::Common => Keys {
                opening: key(&format!(
                    "common;opening=random:{}",
                    experiment.random_plies
                )),
                agents: key(&format!("common;{rest}")),
            },
        };
        let effort = pair
            .attackers
            .effort()
            .saturating_add(pair.defenders.effort());
        let effort = effort.saturating_mul(TYPICAL_PLIES / 2);
        let chunk_games = CHUNK_EFFORT / effort;
        Cell {
            id,
            ruleset_id,
            ruleset,
            pair: pair.clone(),
            chunk_games: chunk_games.clamp(1, most_games),
            effort,
            keys,
            tables: Default::default(),
        }
    }

    /// Opens the tables that its agents ask, without which none of its games
    /// can be played.
    ///
    /// # Errors
    /// The first that is not there or damaged.
    pub fn open_tables(&mut self, endgames: &Endgames) -> Result<(), SpecError> {
        for side in Side::BOTH {
            let tables = endgames.of(self.pair.of(side), &self.ruleset)?;
            self.tables[side as usize] = OpenTables(tables);
        }
        Ok(())
    }

    /// The tables that a side's agent asks.
    pub(super) fn tables(&self, side: Side) -> Option<Arc<dyn Probe>> {
        self.tables[side as usize].0.clone()
    }

    /// Whether its games are a pure function of the seed: no external engine
    /// plays.
    #[must_use]
    pub fn is_reproducible(&self) -> bool {
        !self.pair.attackers.is_external() && !self.pair.defenders.is_external()
    }

    /// The rules, compiled.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules::new(self.ruleset)
    }
}

/// The cells of an experiment, rulesets first, each with every match.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The experiment.
    pub experiment: Experiment,
    /// Its cells.
    pub cells: Vec<Cell>,
}

impl Grid {
    /// Lays the grid out.
    #[must_use]
    pub fn new(experiment: Experiment) -> Grid {
        let cells = experiment.rulesets.len() * experiment.matches.len();
        let most_games = experiment.stop.as_ref().map_or(MAX_CHUNK, |rule| {
            MAX_CHUNK.min(rule.chunk_games(experiment.games, cells as u64))
        });
        let cells = experiment
            .rulesets
            .iter()
            .flat_map(|&ruleset| {
                let experiment = &experiment;
                experiment
                    .matches
                    .iter()
                    .map(move |pair| Cell::new(experiment, ruleset, pair, most_games))
            })
            .collect();
        Grid { experiment, cells }
    }

    /// Lays the grid out to be played, with the tables that its agents ask open.
    ///
    /// # Errors
    /// The first that is not there or damaged.
    pub fn opened(experiment: Experiment, endgames: &Endgames) -> Result<Grid, SpecError> {
        let mut grid = Grid::new(experiment);
        for cell in &mut grid.cells {
            cell.open_tables(endgames)?;
        }
        Ok(grid)
    }

    /// Games in all; with a stop rule the most there can be.
    #[must_use]
    pub fn games(&self) -> u64 {
        let games = self.experiment.games * self.cells.len() as u64;
        match self.experiment.stop.map(|rule| rule.until) {
            Some(Until::Decided { total, .. }) => games.min(total),
            Some(Until::HalfWidth(_)) | None => games,
        }
    }

    /// Whether one folder can hold all of the run, which a merge of its shards
    /// makes, too.
    ///
    /// # Errors
    /// [`Error::TooLarge`], if it has more chunks than that.
    pub fn check_size(&self) -> Result<(), Error> {
        let chunks = self.most_chunks();
        if chunks > MAX_CHUNKS {
            return Err(Error::TooLarge {
                chunks,
                most: MAX_CHUNKS,
            });
        }
        Ok(())
    }

    /// How many chunks the run comes to; with a stop rule at most.
    #[must_use]
    pub fn most_chunks(&self) -> u64 {
        let chunks = self.count_chunks(None);
        let smallest = self.cells.iter().map(|cell| cell.chunk_games).min();
        match (self.experiment.stop.map(|rule| rule.until), smallest) {
            // Each cell's last chunk may have fewer games.
            (Some(Until::Decided { total, .. }), Some(smallest)) => {
                let most = total.div_ceil(smallest) + self.cells.len() as u64;
                chunks.min(most).min(total)
            }
            _ => chunks,
        }
    }

    /// How many chunks [`Grid::chunks`] gives.
    #[must_use]
    pub fn count_chunks(&self, shard: Option<Shard>) -> u64 {
        let whole_cells = self.experiment.stop.is_some();
        let deal = shard.map(|shard| (Deal::new(self, shard.count), shard));
        if let (Some((deal, shard)), false) = (&deal, whole_cells) {
            return deal.chunks(*shard);
        }
        let games = self.experiment.games;
        let cells = self.cells.iter().enumerate();
        let here = |cell: usize| {
            let deal = deal.as_ref();
            deal.is_none_or(|(deal, shard)| deal.owner(&self.chunk(cell, 0)) == *shard)
        };
        cells
            .filter(|(cell, _)| here(*cell))
            .map(|(_, cell)| games.div_ceil(cell.chunk_games))
            .sum()
    }

    /// Every chunk, cell by cell, or only a shard's, which has an even share of
    /// every match's. With a stop rule, which needs all of a cell's results, it
    /// is cells that are dealt out so, and the chunks are those that the rule
    /// may come to.
    pub fn chunks(&self, shard: Option<Shard>) -> impl Iterator<Item = Chunk> {
        let deal = shard.map(|shard| (Deal::new(self, shard.count), shard));
        self.all_chunks().filter(move |chunk| {
            let deal = deal.as_ref();
            deal.is_none_or(|(deal, shard)| deal.owner(chunk) == *shard)
        })
    }

    /// Every chunk, and which of so many shards plays it.
    pub fn dealt(&self, count: u32) -> impl Iterator<Item = (Shard, Chunk)> {
        let deal = Deal::new(self, count);
        self.all_chunks()
            .map(move |chunk| (deal.owner(&chunk), chunk))
    }

    fn all_chunks(&self) -> impl Iterator<Item = Chunk> {
        (0..self.cells.len()).flat_map(move |cell| {
            (0..self.experiment.games.div_ceil(self.cells[cell].chunk_games))
                .map(move |index| self.chunk(cell, index))
        })
    }

    /// A cell's chunk of this number.
    pub(super) fn chunk(&self, cell: usize, index: u64) -> Chunk {
        let most = self.cells[cell].chunk_games;
        let first_game = index.saturating_mul(most);
        Chunk {
            cell,
            index,
            first_game,
            games: most.min(self.experiment.games.saturating_sub(first_game)),
        }
    }
}

/// Some games of one cell, kept in one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The cell's place in the grid.
    pub cell: usize,
    /// The chunk's number in its cell, from 0.
    pub index: u64,
    /// The index of its first game.
    pub first_game: u64,
    /// How many games it has.
    pub games: u64,
}

/// One part of an experiment's games: the `index`-th of `count`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// From 1 to `count`.
    pub index: u32,
    /// At most 100,000.
    pub count: u32,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Source;

    fn grid() -> Grid {
        let text = "name='x'\nseed=1\ngames=40000\n[rules]\nvary={king_armed=[true,false]}\n\
            [[match]]\nagents=['random','alphabeta:depth=3']\n";
        Grid::new(Source::parse("x.toml", text).unwrap().experiment)
    }

    #[test]
    fn chunks_cover_every_game_once_and_shards_every_chunk() {
        let grid = grid();
        for count in [1, 2, 3, 7] {
            let mut games = vec![vec![0; 40_000]; grid.cells.len()];
            for index in 1..=count {
                let shard = Some(Shard { index, count });
                assert_eq!(grid.chunks(shard).count() as u64, grid.count_chunks(shard));
                for chunk in grid.chunks(Some(Shard { index, count })) {
                    for game in chunk.first_game..chunk.first_game + chunk.games {
                        games[chunk.cell][game as usize] += 1;
                    }
                }
            }
            assert!(games.iter().flatten().all(|&times| times == 1));
        }
    }

    #[test]
    fn a_cell_keeps_its_id_whatever_stands_beside_it() {
        let grid = grid();
        let mut other = grid.experiment.clone();
        other.rulesets.reverse();
        other.matches.remove(0);
        other.name = "other".to_owned();
        other.seed = 2;
        other.games = 3;
        let ids: Vec<String> = Grid::new(other)
            .cells
            .into_iter()
            .map(|cell| cell.id)
            .collect();
        assert_eq!(ids, [grid.cells[3].id.clone(), grid.cells[1].id.clone()]);
    }
}
