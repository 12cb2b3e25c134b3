//! What the tables say of a run's games, counted while they are played, so that
//! nobody has to read them again. Imports records.

use std::collections::{BTreeMap, HashMap};

use super::record::{GameRecord, Termination, Winner};

/// Keys of games kept at most, eight bytes each; with more games the tables are
/// made from the files.
const MOST_KEYS: u64 = 24_000_000;

/// Games of one cell, counted.
#[derive(Clone, Default, Debug)]
pub struct Counts {
    /// Games by winner, by the way they ended and by their plies, from 0.
    ways: BTreeMap<(Winner, Termination), Vec<u64>>,
    /// The keys of all games, in any order.
    keys: Vec<u64>,
}

impl Counts {
    /// How many games were counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.keys.len() as u64
    }

    /// Winner, way to end, plies and games, where there are games.
    pub fn ways(&self) -> impl Iterator<Item = (Winner, Termination, u32, u64)> {
        self.ways.iter().flat_map(|(&(winner, way), lengths)| {
            let lengths = (0..).zip(lengths).filter(|(_, games)| **games > 0);
            lengths.map(move |(plies, &games)| (winner, way, plies, games))
        })
    }

    /// The key of every game, in any order.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    pub(super) fn count(&mut self, record: &GameRecord) {
        let way = (record.winner, record.termination);
        let lengths = self.ways.entry(way).or_default();
        let plies = record.plies as usize;
        if plies >= lengths.len() {
            lengths.resize(plies + 1, 0);
        }
        lengths[plies] += 1;
        self.keys.push(record.moves_key.0);
    }

    fn add(&mut self, other: Counts) {
        if self.keys.is_empty() {
            *self = other;
            return;
        }
        for (way, lengths) in other.ways {
            let all = self.ways.entry(way).or_default();
            all.resize(all.len().max(lengths.len()), 0);
            for (all, games) in all.iter_mut().zip(lengths) {
                *all += games;
            }
        }
        self.keys.extend(other.keys);
    }
}

/// The games that a run has played, by the cell's place in the grid.
#[derive(Clone, Default, Debug)]
pub struct Counted {
    cells: HashMap<usize, Counts>,
    keys: u64,
}

impl Counted {
    /// A cell's games, if this run has played and counted them all.
    #[must_use]
    pub fn of(&self, cell: usize) -> Option<&Counts> {
        self.cells.get(&cell)
    }

    /// Forgets the cells that have other games than those that were counted.
    pub(super) fn keep_whole(&mut self, games: &HashMap<usize, u64>) {
        self.cells
            .retain(|cell, counts| games.get(cell) == Some(&counts.games()));
    }

    /// Adds a chunk of a cell. With too many games everything is forgotten.
    pub(super) fn add(&mut self, cell: usize, counts: Counts) {
        self.keys = self.keys.saturating_add(counts.games());
        if self.keys > MOST_KEYS {
            self.cells.clear();
        } else {
            self.cells.entry(cell).or_default().add(counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::MovesKey;
    use crate::game::Reason;

    fn record(winner: Winner, termination: Termination, plies: u32, key: u64) -> GameRecord {
        GameRecord {
            game: 0,
            winner,
            termination,
            plies,
            attackers_left: 8,
            defenders_left: 4,
            opening: "-".to_owned(),
            moves_key: MovesKey(key),
        }
    }

    #[test]
    fn chunks_of_a_cell_are_added_up() {
        let captured = Termination::Board(Reason::KingCaptured);
        let (attackers, nobody) = (Winner::Attackers, Winner::None);
        let mut first = Counts::default();
        first.count(&record(attackers, captured, 5, 7));
        first.count(&record(attackers, captured, 5, 8));
        let mut second = Counts::default();
        second.count(&record(attackers, captured, 9, 7));
        second.count(&record(nobody, Termination::PlyLimit, 300, 1));
        let mut counted = Counted::default();
        counted.add(4, first.clone());
        counted.add(4, second);
        counted.add(5, first);
        // Of cell 5 a third game is on disk.
        counted.keep_whole(&HashMap::from([(3, 2), (4, 4), (5, 3)]));
        assert!(counted.of(3).is_none() && counted.of(5).is_none());
        let cell = counted.of(4).unwrap();
        let mut keys = cell.keys().to_vec();
        keys.sort_unstable();
        assert_eq!(keys, [1, 7, 7, 8]);
        let ways: Vec<_> = cell.ways().collect();
        assert_eq!(
            ways,
            [
                (attackers, captured, 5, 2),
                (attackers, captured, 9, 1),
                (nobody, Termination::PlyLimit, 300, 1)
            ]
        );
    }

    #[test]
    fn with_too_many_games_nothing_is_kept() {
        let mut counted = Counted {
            keys: MOST_KEYS,
            ..Counted::default()
        };
        let mut counts = Counts::default();
        counts.count(&record(Winner::None, Termination::PlyLimit, 300, 1));
        counted.add(0, counts);
        assert!(counted.of(0).is_none());
    }
}
