/*!
Which moves of a game gave up what was proved: a win, or a draw. Imports games
played again, endgame tables and short wins.

A position is proved by its value in the tables or, where the tables do not have
it, by a forced win in few plies that was found by trying everything. What is
said of a move needs a proof of the position before it and one of the position
after it; without the second it is said that the win was missed, and no more.
*/

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::endgames::Endgames;
use super::grid::Cell;
use super::one_game::Transcript;
use crate::game::{Game, Move, Position, Rules, Ruleset, Side};
use crate::solver::ShortWins;
use crate::solver::exact::{Probe, Value, draws_hold};
use crate::solver::tables::{Error, Tables, table_rules};

/// How a value is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Proof {
    /// The endgame tables have it.
    Tables,
    /// By trying everything for a few plies, or because the game ended there.
    Search,
}

impl Proof {
    /// Both.
    pub const ALL: [Proof; 2] = [Proof::Tables, Proof::Search];

    /// `tables` or `search`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Proof::Tables => "tables",
            Proof::Search => "search",
        }
    }
}

/// What became of a proved win or draw by a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fate {
    /// It is still there: of a draw that no win of the other side is proved.
    Kept,
    /// A win became a draw.
    ThrownToDraw,
    /// A win or draw became a win of the other side.
    ThrownToLoss,
    /// No win is known any more, and nothing else is proved.
    Missed,
}

impl Fate {
    /// `kept`, `thrown-to-draw`, `thrown-to-loss` or `missed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fate::Kept => "kept",
            Fate::ThrownToDraw => "thrown-to-draw",
            Fate::ThrownToLoss => "thrown-to-loss",
            Fate::Missed => "missed",
        }
    }
}

/// A move in a position that was proved to be won or drawn for the mover.
#[derive(Clone, PartialEq, Debug)]
pub struct ProvedMove {
    /// Plies before it.
    pub plies: u32,
    /// The position before it.
    pub position: Position,
    /// The move.
    pub ply: Move,
    /// The value before it, a win or a draw.
    pub value: Value,
    /// How that is known.
    pub proof: Proof,
    /// The value after it for the side that made it, if that is proved.
    pub after: Option<Value>,
    /// What became of the value.
    pub fate: Fate,
}

/// The proved moves of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedGame {
    /// The cell's place in the grid.
    pub cell: usize,
    /// The game's index in its cell.
    pub game: u64,
    /// Moves that the attackers' and the defenders' agent made.
    pub moves: [u64; 2],
    /// Those made in a position proved to be won or drawn for the mover.
    pub proved: Vec<ProvedMove>,
}

/// Judges games by what can be proved.
#[derive(Debug)]
pub struct Prover {
    /// By the id of the rules that they are for.
    tables: BTreeMap<String, Tables>,
    plies: u8,
}

impl Prover {
    /// With the tables of all these rulesets, or none, and wins in at most so
    /// many plies where the tables end: an odd number up to
    /// [`crate::solver::MOST_PLIES`], or 0 for none.
    ///
    /// # Errors
    /// If tables are not there or damaged.
    pub fn new(
        rulesets: &[Ruleset],
        endgames: Option<&Endgames>,
        plies: u8,
    ) -> Result<Prover, Error> {
        let mut tables = BTreeMap::new();
        for (ruleset, endgames) in rulesets.iter().zip(endgames.into_iter().cycle()) {
            let id = table_rules(ruleset).id();
            if let Entry::Vacant(place) = tables.entry(id) {
                place.insert(endgames.whole(ruleset)?);
            }
        }
        Ok(Prover { tables, plies })
    }

    /// Judges the moves that agents made in a game.
    #[must_use]
    pub fn judge(&self, cell: usize, of: &Cell, transcript: &Transcript) -> JudgedGame {
        let rules = of.rules();
        let mut judge = Judge {
            rules: &rules,
            tables: self.tables.get(&table_rules(rules.ruleset()).id()),
            short: ShortWins::new(&rules),
            plies: self.plies,
            draws_hold: draws_hold(rules.ruleset()),
        };
        let mut judged = JudgedGame {
            cell,
            game: transcript.record.game,
            moves: [0; 2],
            proved: Vec::new(),
        };
        let mut game = Game::new(&rules);
        for (index, &ply) in transcript.moves.iter().enumerate() {
            if index < transcript.opening_plies {
                game.play_legal(ply);
                continue;
            }
            judged.moves[game.position().side as usize] += 1;
            judged.proved.extend(judge.play(&mut game, ply));
        }
        judged
    }
}

/// What judges one game.
struct Judge<'a> {
    rules: &'a Rules,
    tables: Option<&'a Tables>,
    short: ShortWins<'a>,
    plies: u8,
    draws_hold: bool,
}

impl Judge<'_> {
    /// Plays a move and says what became of what was proved before it.
    fn play(&mut self, game: &mut Game<'_>, ply: Move) -> Option<ProvedMove> {
        let position = *game.position();
        let plies = game.plies();
        let before = self.before(game);
        game.play_legal(ply);
        let (value, proof) = before?;
        let after = self.after(game, position.side);
        let fate = match (value, after) {
            (_, Some(Value::Win { .. })) | (Value::Draw, Some(Value::Draw) | None) => Fate::Kept,
            (_, Some(Value::Draw)) => Fate::ThrownToDraw,
            (_, Some(Value::Loss { .. })) => Fate::ThrownToLoss,
            (_, None) => Fate::Missed,
        };
        Some(ProvedMove {
            plies,
            position,
            ply,
            value,
            proof,
            after,
            fate,
        })
    }

    /// A win or a draw of the side to move that is proved.
    fn before(&mut self, game: &Game<'_>) -> Option<(Value, Proof)> {
        let position = game.position();
        let (value, proof) = match self.tabled(position) {
            Some(value) => (value, Proof::Tables),
            None => (self.short_win(position)?, Proof::Search),
        };
        let proved = match value {
            Value::Win { plies } => self.is_free_of_the_past(game, position.side, plies),
            Value::Draw => self.draws_hold,
            Value::Loss { .. } => false,
        };
        proved.then_some((value, proof))
    }

    /// The value for the side that has just moved, where it is known: a win of
    /// his as far as the position alone goes, which is what he has kept; a draw
    /// or loss only where it is proved.
    fn after(&mut self, game: &Game<'_>, mover: Side) -> Option<Value> {
        if let Some(outcome) = game.outcome() {
            return Some(match outcome.winner {
                None => Value::Draw,
                Some(winner) if winner == mover => Value::Win { plies: 1 },
                Some(_) => Value::Loss { plies: 0 },
            });
        }
        let position = game.position();
        let value = match self.tabled(position) {
            Some(value) => value,
            None => self.short_win(position).or_else(|| {
                // As long as a win is in sight from the next move on, it is
                // not missed.
                let most = if self.plies > 0 { self.plies + 1 } else { 0 };
                let plies = self.short.loss(position, most)?;
                Some(Value::Loss { plies })
            })?,
        };
        let proved = match value {
            Value::Win { plies } => self.is_free_of_the_past(game, position.side, plies),
            Value::Loss { .. } => true,
            Value::Draw => self.draws_hold,
        };
        // Seen from the other side, and a ply longer ago.
        proved.then(|| value.before())
    }

    fn tabled(&self, position: &Position) -> Option<Value> {
        self.tables?.probe(position)
    }

    fn short_win(&mut self, position: &Position) -> Option<Value> {
        if self.plies == 0 {
            return None;
        }
        let plies = self.short.win(position, self.plies)?;
        Some(Value::Win { plies })
    }

    /// Whether no position that would end the game by repetition if it came
    /// once more can lie on the way to a win in so many plies: none that is
    /// itself won for the same side in fewer.
    fn is_free_of_the_past(&mut self, game: &Game<'_>, winner: Side, plies: u8) -> bool {
        let Some(limit) = self.rules.repetition_limit() else {
            return true;
        };
        let history = game.history();
        let worn = |position: &Position| history.times(position) + 1 >= limit;
        let present = *game.position();
        let past: Vec<Position> = history
            .positions()
            .filter(|position| *position != present && worn(position))
            .collect();
        past.iter().all(|position| {
            let wins = position.side == winner;
            let value = self.tabled(position).or_else(|| match wins {
                true => self
                    .short
                    .win(position, plies)
                    .map(|plies| Value::Win { plies }),
                false => self
                    .short
                    .loss(position, plies)
                    .map(|plies| Value::Loss { plies }),
            });
            match value {
                Some(Value::Win { plies: its }) if wins => its >= plies,
                Some(Value::Loss { plies: its }) if !wins => its >= plies,
                _ => true,
            }
        })
    }
}

#[cfg(test)]
mod tests;
