//! The games of a cell whose agents both play at random: several at a time.
//! Imports cells, records and `game`'s playouts.

use std::collections::VecDeque;
use std::ops::Range;

use super::config::Experiment;
use super::grid::Cell;
use super::one_game::opened;
use super::record::{End, GameRecord, Recorder};
use super::seed::GameSeeds;
use crate::agents::AgentSpec;
use crate::arch::Kind;
use crate::game::playouts::{Beginning, Ended, Games, Playouts};
use crate::game::{Game, Rules};

/// Whether both agents of the cell play at random.
pub(super) fn are_all(cell: &Cell) -> bool {
    let pair = &cell.pair;
    pair.attackers == AgentSpec::Random && pair.defenders == AgentSpec::Random
}

/// Plays these games, which [`are_all`] random, and keeps their rows in order:
/// the same that [`super::one_game::Table`] gives of each.
pub(super) fn play(
    experiment: &Experiment,
    cell: &Cell,
    games: Range<u64>,
    kind: Kind,
    keep: &mut dyn FnMut(&GameRecord),
) {
    let rules = cell.rules();
    let mut work = Work {
        experiment,
        cell,
        rules: &rules,
        recorder: Recorder::new(&rules.start()),
        opening: None,
        kept: games.start,
        games,
        done: VecDeque::new(),
        keep,
    };
    let playouts = Playouts {
        rules: &rules,
        ply_limit: experiment.ply_limit,
        history: true,
        kind,
    };
    playouts.play(&mut work);
}

struct Work<'a> {
    experiment: &'a Experiment,
    cell: &'a Cell,
    rules: &'a Rules,
    recorder: Recorder,
    /// The opening of the game that was begun last.
    opening: Option<Game<'a>>,
    /// Games not yet begun.
    games: Range<u64>,
    /// The first game that is not yet kept.
    kept: u64,
    /// Games from there on, those that are over.
    done: VecDeque<Option<GameRecord>>,
    keep: &'a mut dyn FnMut(&GameRecord),
}

impl Work<'_> {
    fn take(&mut self, record: GameRecord) {
        let place = (record.game - self.kept) as usize;
        if place >= self.done.len() {
            self.done.resize(place + 1, None);
        }
        self.done[place] = Some(record);
        while let Some(Some(record)) = self.done.front() {
            (self.keep)(record);
            self.done.pop_front();
            self.kept += 1;
        }
    }
}

impl Games for Work<'_> {
    fn next(&mut self) -> Option<Beginning<'_>> {
        loop {
            let number = self.games.next()?;
            let seeds = GameSeeds::new(self.cell.keys, number, self.experiment.random_plies > 0);
            self.opening = seeds
                .opening
                .map(|seed| opened(self.experiment, self.rules, seed));
            if let Some(game) = &self.opening
                && let Some(outcome) = game.outcome()
            {
                let (last, moves) = (game.position(), game.played());
                let end = End::Board(outcome);
                let record = self.recorder.record(number, end, last, moves, moves.len());
                self.take(record);
                continue;
            }
            return Some(Beginning {
                number,
                opening: self.opening.as_ref(),
                attackers: seeds.attackers,
                defenders: seeds.defenders,
            });
        }
    }

    fn end(&mut self, ended: &Ended<'_>) {
        let end = ended.outcome.map_or(End::PlyLimit, End::Board);
        let record = self.recorder.record(
            ended.number,
            end,
            &ended.last,
            ended.moves,
            ended.opening as usize,
        );
        self.take(record);
    }
}
