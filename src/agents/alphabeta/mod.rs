/*!
Alpha-beta: negamax with principal-variation and aspiration windows, iterative
deepening, a transposition table that knows the board's symmetries, quiescence
over captures and threats, late-move reductions. Imports `game`.

A win is only claimed where every reply was looked at: nothing is pruned that
could hold a defence, so that a score of a win in so many plies is a proof, up
to what repetition does to it. A position that repeats inside the search counts
as the ruleset's repetition result, short of a certain win; one that would
stand often enough in the game itself to end it counts as that end. Scores kept
in the table do not know the path that led to them, so a repetition can be
misjudged there, as in every such program.
*/

mod hash;
mod ordering;
mod quiescence;
mod score;
mod search;
mod table;

use ordering::Ordering;
use score::{MATE, MATE_IN_REACH};
use search::Search;
use table::Table;

use super::evaluation::Choice;
use super::{Agent, Forfeit, Stream, shuffle};
use crate::game::{Game, Move, MoveList};

/// How much a search may do for one move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Budget {
    /// Full depth in plies, 1 to 64: every line is looked at so far.
    Depth(u32),
    /// Positions looked at, 1 or more; the search stops in the middle of an
    /// iteration.
    Nodes(u64),
}

impl Budget {
    /// The table's size as a power of two in slots of 16 bytes: 64 KiB to
    /// 16 MiB, by what the budget can fill.
    fn table_bits(self) -> u32 {
        let nodes = match self {
            Budget::Depth(depth) => 1_u64 << (2 * depth + 6).min(40),
            Budget::Nodes(nodes) => nodes.saturating_mul(4),
        };
        nodes.ilog2().clamp(12, 20)
    }
}

/// A budget, and which parts of the search take part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SearchOptions {
    /// How much it may do for one move.
    pub budget: Budget,
    /// Whether captures and threats are played out before a position is
    /// judged.
    pub quiescence: bool,
    /// Whether moves are tried in the order of what is known of them, rather
    /// than as they are listed. The move in the table comes first in any case.
    pub ordering: bool,
    /// Whether moves that come late in this order are searched less deeply
    /// first. Off by default for a budget of plies, which then are full plies.
    pub reductions: bool,
    /// Which weights the evaluation uses.
    pub weights: Choice,
}

impl From<Budget> for SearchOptions {
    fn from(budget: Budget) -> SearchOptions {
        SearchOptions {
            budget,
            quiescence: true,
            ordering: true,
            reductions: matches!(budget, Budget::Nodes(_)),
            weights: Choice::default(),
        }
    }
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Searched {
    /// The move to play.
    pub best: Move,
    /// Its score for the side to move; beyond 29,000 a win, see
    /// [`Searched::wins_in`].
    pub score: i32,
    /// The last iteration that was completed, in plies.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

impl Searched {
    /// Plies until the side to move wins (positive) or loses (negative), if
    /// the search saw that.
    #[must_use]
    pub fn wins_in(&self) -> Option<i32> {
        (self.score.abs() > MATE_IN_REACH).then(|| (MATE - self.score.abs()) * self.score.signum())
    }
}

/// The agent: a search and its table, kept for one game.
pub(super) struct AlphaBeta {
    options: SearchOptions,
    stream: Stream,
    table: Table,
    ordering: Ordering,
}

impl AlphaBeta {
    pub(super) fn new(options: SearchOptions, stream: Stream) -> AlphaBeta {
        AlphaBeta {
            options,
            stream,
            table: Table::new(options.budget.table_bits()),
            ordering: Ordering::new(options.ordering),
        }
    }

    pub(super) fn search(&mut self, game: &Game<'_>) -> Searched {
        let mut list = MoveList::new();
        game.moves(&mut list);
        // Moves of equal worth are tried, and so preferred, in random order.
        shuffle(&mut list, &mut self.stream);
        self.ordering.age();
        self.table.age();
        Search::new(game, self.options, &mut self.table, &mut self.ordering).deepen(&mut list)
    }
}

impl Agent for AlphaBeta {
    fn choose(&mut self, game: &Game<'_>) -> Result<Move, Forfeit> {
        Ok(self.search(game).best)
    }
}
