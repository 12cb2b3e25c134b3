/*!
Which shard plays which part of a run, so that all have about the same to do.
Imports the grid.

A part is a chunk or, where a stop rule needs all of a cell's results, a cell.
Parts of one match are of one size and are dealt out evenly, so that every shard
has its share of them, one more or one less, however wrong the estimate of what
a game of theirs costs. The most expensive match is dealt first, and what does
not go round goes to those with the least to do so far. All of this follows from
the experiment and the number of shards alone, never from the speed of a machine.
*/

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use super::grid::{Chunk, Grid, Shard};

/// The shards' parts of a run.
pub(super) struct Deal {
    count: u64,
    rulesets: u64,
    matches: usize,
    /// Whether a cell is one part.
    whole_cells: bool,
    /// Games of a match's chunks but for the last of each cell.
    chunk_games: Vec<u64>,
    /// Whole parts of each match, and those of fewer games.
    classes: Vec<[Class; 2]>,
}

/// Parts of one size.
#[derive(Default)]
struct Class {
    parts: u64,
    /// Who takes a part first, from 0.
    order: Vec<u32>,
}

impl Class {
    /// Who has the part of this number.
    fn owner(&self, part: u64, count: u64) -> u32 {
        let (round, place) = (part / count, part % count);
        // Each round begins with some shard, so that none has always the same
        // rulesets; the last may not go round.
        let first = if round < self.parts / count {
            SplitMix64::seed_from_u64(round).next_u64() % count
        } else {
            0
        };
        self.order[((place + first) % count) as usize]
    }

    /// How many parts the shard at this place of the order has.
    fn share(&self, place: u64, count: u64) -> u64 {
        self.parts / count + u64::from(place < self.parts % count)
    }
}

impl Deal {
    /// Deals a run out to so many shards.
    pub(super) fn new(grid: &Grid, count: u32) -> Deal {
        let experiment = &grid.experiment;
        let matches = experiment.matches.len();
        let rulesets = experiment.rulesets.len() as u64;
        let whole_cells = experiment.stop.is_some();
        // The first cells are those of the first ruleset, one a match.
        let chunk_games = grid.cells.iter().take(matches);
        let chunk_games: Vec<u64> = chunk_games.map(|cell| cell.chunk_games).collect();
        let mut sizes = Vec::new();
        for (place, &chunk) in chunk_games.iter().enumerate() {
            let cost = u128::from(grid.cells[place].effort);
            let of_games = |games: u64| u128::from(games) * cost;
            let games = experiment.games;
            if whole_cells {
                sizes.push((of_games(games), place, 0, rulesets));
            } else {
                sizes.push((of_games(chunk), place, 0, rulesets * (games / chunk)));
                let some = u64::from(!games.is_multiple_of(chunk));
                sizes.push((of_games(games % chunk), place, 1, rulesets * some));
            }
        }
        sizes.retain(|&(_, _, _, parts)| parts > 0);
        sizes.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut deal = Deal {
            count: u64::from(count),
            rulesets,
            matches,
            whole_cells,
            chunk_games,
            classes: (0..matches).map(|_| Default::default()).collect(),
        };
        let mut loads = vec![0; count as usize];
        for (cost, place, size, parts) in sizes {
            deal.classes[place][size] = dealt(&mut loads, parts, cost);
        }
        deal
    }

    /// Which shard plays this chunk.
    pub(super) fn owner(&self, chunk: &Chunk) -> Shard {
        let (ruleset, place) = (chunk.cell / self.matches, chunk.cell % self.matches);
        let [whole, less] = &self.classes[place];
        let ruleset = ruleset as u64;
        let owner = if self.whole_cells {
            whole.owner(ruleset, self.count)
        } else if chunk.games == self.chunk_games[place] {
            whole.owner(chunk.index * self.rulesets + ruleset, self.count)
        } else {
            less.owner(ruleset, self.count)
        };
        Shard {
            index: owner + 1,
            count: self.count as u32,
        }
    }

    /// How many chunks a shard has where chunks are dealt out.
    pub(super) fn chunks(&self, shard: Shard) -> u64 {
        let shares = self.classes.iter().flatten().map(|class| {
            let mut places = class.order.iter();
            let place = places.position(|&owner| owner + 1 == shard.index);
            place.map_or(0, |place| class.share(place as u64, self.count))
        });
        shares.sum()
    }
}

/// Deals out so many parts of one cost and adds them to what each shard has.
fn dealt(loads: &mut [u128], parts: u64, cost: u128) -> Class {
    let mut order: Vec<u32> = (0..loads.len() as u32).collect();
    order.sort_by_key(|&owner| (loads[owner as usize], owner));
    let class = Class { parts, order };
    for (place, &owner) in (0..).zip(&class.order) {
        let share = class.share(place, loads.len() as u64);
        let load = &mut loads[owner as usize];
        *load = load.saturating_add(cost.saturating_mul(u128::from(share)));
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Source;

    /// Four rulesets, three matches of very different cost.
    fn grid(games: u64) -> Grid {
        let text = format!(
            "name='x'\nseed=1\ngames={games}\n[rules]\n\
             vary={{king_armed=[true,false],king_return=[true,false]}}\n\
             [[match]]\nagents=['random','alphabeta:nodes=200','alphabeta:nodes=20000']\n"
        );
        Grid::new(Source::parse("x", &text).unwrap().experiment)
    }

    /// Chunks of each match, by shard.
    fn shares(grid: &Grid, count: u32) -> Vec<Vec<u64>> {
        let mut shares = vec![vec![0; 3]; count as usize];
        for (shard, chunk) in grid.dealt(count) {
            assert_eq!(shard.count, count);
            shares[shard.index as usize - 1][chunk.cell % 3] += 1;
        }
        shares
    }

    #[test]
    fn every_shard_has_an_even_share_of_every_match() {
        let grid = grid(50_000);
        for count in [2, 3, 5, 8, 12] {
            let shares = shares(&grid, count);
            for pair in 0..3 {
                let of = shares.iter().map(|share| share[pair]);
                let (least, most) = (of.clone().min().unwrap(), of.max().unwrap());
                // Whole chunks and the last ones are each dealt evenly.
                assert!(most - least <= 2, "{count} shards: {shares:?}");
            }
        }
    }

    #[test]
    fn what_does_not_go_round_goes_to_those_with_less_to_do() {
        // Of the dearest match 8 chunks, of the next 4, of random 4.
        let grid = grid(8);
        let dear = grid.chunks(None).filter(|chunk| chunk.cell % 3 == 2);
        assert_eq!(dear.count(), 8);
        let shares = shares(&grid, 10);
        let (dear, free) = shares.split_at(8);
        assert!(
            dear.iter()
                .all(|share| share[2] == 1 && share[0] + share[1] <= 1)
        );
        assert_eq!(free, [[1, 1, 0], [1, 1, 0]]);
    }

    #[test]
    fn a_shard_has_chunks_of_every_ruleset() {
        let grid = grid(2_000);
        for count in [2, 4, 8] {
            let mut seen = vec![[0_u64; 4]; count as usize];
            for (shard, chunk) in grid.dealt(count) {
                seen[shard.index as usize - 1][chunk.cell / 3] += 1;
            }
            for rulesets in seen {
                let (least, most) = (rulesets.iter().min(), rulesets.iter().max());
                assert!(
                    most.unwrap() < &(2 * least.unwrap()),
                    "{count}: {rulesets:?}"
                );
            }
        }
    }

    #[test]
    fn chunks_are_counted_without_being_listed() {
        for games in [8, 2_000] {
            let grid = grid(games);
            for count in [1, 3, 7, 64] {
                for index in 1..=count {
                    let shard = Shard { index, count };
                    let listed = grid.chunks(Some(shard)).count() as u64;
                    assert_eq!(Deal::new(&grid, count).chunks(shard), listed);
                }
            }
        }
    }
}
