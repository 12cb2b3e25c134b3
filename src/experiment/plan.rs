/*!
Which games a run plays next, from the results that are there. Imports the
grid, tallies and the stop rule.

A plan is a pure function of the experiment and its games: results may come in
any order, from a player or from files, and what it asks for and decides in
the end is the same. So a run that goes on, a merge and a check all ask it anew
instead of trusting what somebody has written down.
*/

use std::collections::VecDeque;

use super::chunk::Tally;
use super::deal::Deal;
use super::grid::{Chunk, Grid, Shard};
use super::sequence::Sequence;
use super::stopping::{Decision, StopRule, Until};

/// What is known of a run, and what it waits for.
pub(super) struct Plan<'a> {
    grid: &'a Grid,
    cells: Vec<CellPlan>,
    /// Games given out that are not there yet.
    awaited: u64,
    /// Games the budget has left; without a budget more than anybody needs.
    left: u64,
    /// Whether the budget did not suffice for what was given out last.
    last_round: bool,
}

/// What is known of one cell.
#[derive(Clone)]
pub(super) struct CellPlan {
    /// Whether it belongs to this shard.
    here: bool,
    /// Games given out; with a stop rule those with lower indices.
    pub(super) given: u64,
    /// Games of these that are not there yet.
    awaited: u64,
    /// Of the games that are there.
    pub(super) tally: Tally,
    /// Of those since the last look.
    batch: Tally,
    sequence: Option<Sequence>,
    /// The sequence's, at the last look.
    pub(super) bounds: [f64; 2],
    /// Why it has no more games; always `None` without a stop rule.
    pub(super) decision: Option<Decision>,
}

/// What follows from results.
#[derive(Default)]
pub(super) struct Next {
    /// Chunks to be played now.
    pub(super) chunks: Vec<Chunk>,
    /// Cells that have all their games.
    pub(super) settled: Vec<usize>,
}

impl Plan<'_> {
    /// The plan of a run of which nothing is there, and what it begins with.
    pub(super) fn new(grid: &Grid, shard: Option<Shard>) -> (Plan<'_>, Next) {
        let rule = grid.experiment.stop;
        let deal = shard.map(|shard| (Deal::new(grid, shard.count), shard));
        let here = |cell| {
            let deal = deal.as_ref();
            deal.is_none_or(|(deal, shard)| deal.owner(&grid.chunk(cell, 0)) == *shard)
        };
        let cell = |cell| CellPlan {
            here: rule.is_none() || here(cell),
            given: 0,
            awaited: 0,
            tally: Tally::default(),
            batch: Tally::default(),
            sequence: rule.as_ref().map(StopRule::sequence),
            bounds: [0.0, 1.0],
            decision: None,
        };
        let mut plan = Plan {
            grid,
            cells: (0..grid.cells.len()).map(cell).collect(),
            awaited: 0,
            left: match rule.map(|rule| rule.until) {
                Some(Until::Decided { total, .. }) => total,
                Some(Until::HalfWidth(_)) | None => u64::MAX,
            },
            last_round: false,
        };
        let next = plan.begin(shard);
        (plan, next)
    }

    fn begin(&mut self, shard: Option<Shard>) -> Next {
        let mut next = Next::default();
        match self.rule() {
            None => {
                for chunk in self.grid.chunks(shard) {
                    self.give(chunk, &mut next);
                }
            }
            Some(rule) => self.round(rule, &mut next),
        }
        next
    }

    fn rule(&self) -> Option<StopRule> {
        self.grid.experiment.stop
    }

    /// What is known of a cell.
    pub(super) fn cell(&self, cell: usize) -> &CellPlan {
        &self.cells[cell]
    }

    /// Why a chunk that is there, given by its cell and number, is none of the
    /// run's; `None` if the plan has asked for it or may come to.
    pub(super) fn stray(&self, (cell, chunk): (usize, u64)) -> Option<String> {
        let plan = &self.cells[cell];
        let first_game = chunk.saturating_mul(self.grid.cells[cell].chunk_games);
        if self.rule().is_none() || !plan.here || first_game >= self.most() {
            return Some("is no chunk of this run".to_owned());
        }
        let settled = self.is_finished() || plan.decision.is_some();
        (settled && first_game >= plan.given).then(|| {
            format!(
                "is no chunk of this run: the stop rule gives its cell {} games",
                plan.given
            )
        })
    }

    /// Whether every game of the run is there.
    pub(super) fn is_finished(&self) -> bool {
        self.awaited == 0
    }

    /// More games than this the run will not have.
    pub(super) fn most_games(&self) -> u64 {
        let given: u64 = self.cells.iter().map(|cell| cell.given).sum();
        if self.last_round {
            return given;
        }
        let more = self.open().map(|cell| self.most() - self.cells[cell].given);
        given + more.sum::<u64>().min(self.left)
    }

    /// The most games a cell may have.
    fn most(&self) -> u64 {
        self.grid.experiment.games
    }

    /// The cells that a stop rule has not done with.
    fn open(&self) -> impl Iterator<Item = usize> {
        let ruled = self.rule().is_some();
        let cells = self.cells.iter().enumerate();
        cells
            .filter(move |(_, cell)| ruled && cell.here && cell.decision.is_none())
            .map(|(cell, _)| cell)
    }

    /// Takes the results of a chunk that was asked for.
    pub(super) fn add(&mut self, chunk: &Chunk, tally: &Tally) -> Next {
        let cell = &mut self.cells[chunk.cell];
        cell.tally.add(tally);
        cell.batch.add(tally);
        cell.awaited -= chunk.games;
        self.awaited -= chunk.games;
        let mut next = Next::default();
        if cell.awaited > 0 {
            return next;
        }
        match self.rule() {
            None => next.settled.push(chunk.cell),
            Some(rule) if self.grid.experiment.shares_a_budget() => {
                if self.awaited == 0 {
                    self.round(rule, &mut next);
                }
            }
            Some(rule) => self.look(chunk.cell, rule, &mut next),
        }
        next
    }

    /// Takes all results that are there, those that they lead to, and so on:
    /// what follows in the end is what is missing.
    pub(super) fn follow(
        &mut self,
        next: Next,
        there: &mut dyn FnMut(&Chunk) -> Option<Tally>,
    ) -> Next {
        let mut missing = Next {
            chunks: Vec::new(),
            settled: next.settled,
        };
        let mut chunks = VecDeque::from(next.chunks);
        while let Some(chunk) = chunks.pop_front() {
            if let Some(tally) = there(&chunk) {
                let more = self.add(&chunk, &tally);
                chunks.extend(more.chunks);
                missing.settled.extend(more.settled);
            } else {
                missing.chunks.push(chunk);
            }
        }
        missing
    }

    /// Looks at a cell whose games are all there, and settles it or gives it
    /// more.
    fn look(&mut self, cell: usize, rule: StopRule, next: &mut Next) {
        if self.judge(cell, rule) {
            next.settled.push(cell);
        } else {
            self.give_until(cell, self.next_look(cell, rule), next);
        }
    }

    /// Looks at every cell that is undecided, and gives all that still are more
    /// games if the budget lasts, otherwise each an equal share of what is left
    /// of it, for the last time.
    fn round(&mut self, rule: StopRule, next: &mut Next) {
        let open: Vec<usize> = self.open().collect();
        let (settled, open): (Vec<usize>, Vec<usize>) = open
            .into_iter()
            .partition(|&cell| self.cells[cell].given > 0 && self.judge(cell, rule));
        next.settled.extend(settled);
        let wanted = open.iter().map(|&cell| self.next_look(cell, rule));
        let wanted: Vec<u64> = wanted.collect();
        if !self.last_round {
            let given: u64 = open.iter().map(|&cell| self.cells[cell].given).sum();
            self.last_round = wanted.iter().sum::<u64>() - given > self.left;
            let share = if self.last_round {
                self.left / open.len() as u64
            } else {
                u64::MAX
            };
            for (&cell, &games) in open.iter().zip(&wanted) {
                self.give_share(cell, games, share, next);
            }
        }
        for &cell in &open {
            if self.cells[cell].awaited == 0 {
                self.cells[cell].decision = Some(Decision::Budget);
                next.settled.push(cell);
            }
        }
    }

    /// Gives a cell games up to this number, or the whole chunks of its share.
    fn give_share(&mut self, cell: usize, games: u64, share: u64, next: &mut Next) {
        let given = self.cells[cell].given;
        let chunk = self.grid.cells[cell].chunk_games;
        let games = if games - given <= share {
            games
        } else {
            given + share - share % chunk
        };
        self.give_until(cell, games, next);
    }

    /// Looks at a cell's games and says whether it has enough of them.
    fn judge(&mut self, cell: usize, rule: StopRule) -> bool {
        let most = self.most();
        let cell = &mut self.cells[cell];
        if let Some(sequence) = &mut cell.sequence {
            sequence.add(&std::mem::take(&mut cell.batch));
            cell.bounds = sequence.bounds();
        }
        cell.decision = rule.decision(cell.bounds);
        if cell.decision.is_none() && cell.given == most {
            cell.decision = Some(Decision::MaxGames);
        }
        cell.decision.is_some()
    }

    fn next_look(&self, cell: usize, rule: StopRule) -> u64 {
        let chunk = self.grid.cells[cell].chunk_games;
        rule.next_look(self.cells[cell].given, chunk, self.most())
    }

    /// Gives a cell the whole chunks up to this number of games.
    fn give_until(&mut self, cell: usize, games: u64, next: &mut Next) {
        let chunk = self.grid.cells[cell].chunk_games;
        for index in self.cells[cell].given.div_ceil(chunk)..games.div_ceil(chunk) {
            self.give(self.grid.chunk(cell, index), next);
        }
    }

    fn give(&mut self, chunk: Chunk, next: &mut Next) {
        let cell = &mut self.cells[chunk.cell];
        cell.given += chunk.games;
        cell.awaited += chunk.games;
        self.awaited += chunk.games;
        self.left = self.left.saturating_sub(chunk.games);
        next.chunks.push(chunk);
    }
}

#[cfg(test)]
mod tests;
