/*!
Alpha-beta: negamax with principal-variation and aspiration windows, iterative
deepening, a transposition table that knows the board's symmetries, quiescence
over captures and threats, late-move reductions. Imports `game` and exact values.

A win is only claimed where every reply was looked at: nothing is pruned that
could hold a defence, so that a score of a win in so many plies is a proof, up
to what repetition does to it. A position that repeats, in the search or so often in
the game that it would end, counts as the ruleset's repetition result, short of a
certain win; only the root's own moves are judged by the whole game. Scores kept
in the table do not know the path that led to them, so a repetition can be
misjudged there, as in every such program.
*/

mod hash;
mod ordering;
mod quiescence;
mod score;
mod search;
mod table;

use std::sync::Arc;

use ordering::Ordering;
use score::{MATE, MATE_IN_REACH};
use search::Search;
use table::Table;

use super::evaluation::{Choice, Evaluation};
use super::{Agent, Forfeit, Stream, shuffle};
use crate::game::{Game, Move, MoveList};
use crate::solver::exact::Probe;

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
    /// Which weights the evaluation uses, and whether its network.
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
    /// Its score for the side to move; beyond 29,872 a win, see
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

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// The move alone: where there is one, nothing is left to find out.
    Move,
    /// Its score, too.
    Score,
}

/// The agent: a search and its table, kept for one game.
pub(super) struct AlphaBeta {
    options: SearchOptions,
    stream: Stream,
    table: Table,
    ordering: Ordering,
    /// The evaluation under the rules of the game, once it began.
    evaluation: Option<Evaluation>,
    /// Who knows the value of some positions, when it plays.
    exact: Option<Arc<dyn Probe>>,
}

impl AlphaBeta {
    pub(super) fn new(options: SearchOptions, stream: Stream) -> AlphaBeta {
        AlphaBeta {
            options,
            stream,
            table: Table::new(options.budget.table_bits()),
            ordering: Ordering::new(options.ordering),
            evaluation: None,
            exact: None,
        }
    }

    pub(super) fn knowing(self, exact: Option<Arc<dyn Probe>>) -> AlphaBeta {
        AlphaBeta { exact, ..self }
    }

    /// The best move and its score, by the whole budget.
    pub(super) fn search(&mut self, game: &Game<'_>, exact: Option<&dyn Probe>) -> Searched {
        let mut list = MoveList::new();
        game.moves(&mut list);
        self.search_among(game, list, Wanted::Score, exact)
    }

    /// The best of these moves, of which there is at least one.
    fn search_among(
        &mut self,
        game: &Game<'_>,
        mut list: MoveList,
        wanted: Wanted,
        exact: Option<&dyn Probe>,
    ) -> Searched {
        // Moves of equal worth are tried, and so preferred, in random order.
        shuffle(&mut list, &mut self.stream);
        self.ordering.age();
        self.table.age();
        let (ruleset, options) = (game.rules().ruleset(), self.options);
        let evaluation = self
            .evaluation
            .get_or_insert_with(|| Evaluation::of(ruleset, options.weights));
        Search::new(
            game,
            options,
            evaluation,
            &mut self.table,
            &mut self.ordering,
        )
        .knowing(exact)
        .deepen(&mut list, wanted)
    }
}

impl Agent for AlphaBeta {
    fn choose(&mut self, game: &Game<'_>) -> Result<Move, Forfeit> {
        let mut list = MoveList::new();
        game.moves(&mut list);
        let exact = self.exact.clone();
        let exact = exact.as_deref().map(|exact| exact as &dyn Probe);
        Ok(self.search_among(game, list, Wanted::Move, exact).best)
    }

    fn choose_other(&mut self, game: &Game<'_>, not: &[Move]) -> Result<Option<Move>, Forfeit> {
        let mut all = MoveList::new();
        game.moves(&mut all);
        let mut list = MoveList::new();
        list.extend(all.into_iter().filter(|ply| !not.contains(ply)));
        if list.is_empty() {
            return Ok(None);
        }
        let exact = self.exact.clone();
        let exact = exact.as_deref().map(|exact| exact as &dyn Probe);
        Ok(Some(
            self.search_among(game, list, Wanted::Move, exact).best,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::score::final_score;
    use super::*;
    use crate::agents::stream;
    use crate::game::{Position, Rules, preset, sample};

    /// Whether the side to move can win within so many plies, by trying every
    /// move and every reply.
    fn wins_within(rules: &Rules, position: &Position, plies: u32) -> bool {
        let mover = position.side;
        moves(rules, position).into_iter().any(|ply| {
            let after = rules.play(position, ply).position;
            match rules.ending(&after) {
                Some(outcome) => outcome.winner == Some(mover),
                None => plies >= 3 && loses_within(rules, &after, plies - 1),
            }
        })
    }

    fn loses_within(rules: &Rules, position: &Position, plies: u32) -> bool {
        let opponent = position.side.other();
        moves(rules, position).into_iter().all(|ply| {
            let after = rules.play(position, ply).position;
            match rules.ending(&after) {
                Some(outcome) => outcome.winner == Some(opponent),
                None => wins_within(rules, &after, plies - 1),
            }
        })
    }

    fn moves(rules: &Rules, position: &Position) -> MoveList {
        let mut list = MoveList::new();
        rules.moves(position, &mut list);
        list
    }

    /// Positions of random games, without the history that led to them.
    fn each_random_position(mut look: impl FnMut(&Game<'_>)) {
        let mut numbers = stream([8; 32]);
        for ruleset in preset::disputed_factorial() {
            let rules = Rules::new(ruleset);
            for _ in 0..2 {
                let mut game = Game::new(&rules);
                while game.outcome().is_none() && game.plies() < 100 {
                    look(&Game::from_position(&rules, *game.position()));
                    let Some(ply) = sample::random_move(&rules, game.position(), &mut numbers)
                    else {
                        break;
                    };
                    game.play_legal(ply);
                }
            }
        }
    }

    #[test]
    fn every_win_and_loss_that_is_claimed_is_there() {
        let mut proven = [0; 2];
        for (index, nodes, reductions) in [(0, 1_500, true), (1, 1_500, false), (2, 150, true)] {
            let options = SearchOptions {
                reductions,
                ..SearchOptions::from(Budget::Nodes(nodes))
            };
            each_random_position(|game| {
                let found = AlphaBeta::new(options, stream([index; 32])).search(game, None);
                let (rules, position) = (game.rules(), game.position());
                match found.wins_in() {
                    Some(plies @ 1..=3) => {
                        assert!(wins_within(rules, position, plies as u32), "{position}");
                        proven[0] += 1;
                    }
                    Some(plies @ -4..=-1) => {
                        let plies = plies.unsigned_abs();
                        assert!(loses_within(rules, position, plies), "{position}");
                        proven[1] += 1;
                    }
                    _ => {}
                }
            });
        }
        assert!(proven.iter().all(|&count| count > 100), "{proven:?}");
    }

    #[test]
    fn a_win_in_one_is_taken_whatever_the_budget() {
        let mut taken = [0; 2];
        each_random_position(|game| {
            let (rules, position) = (game.rules(), game.position());
            if !wins_within(rules, position, 1) {
                return;
            }
            for nodes in [1, 30, 100, 300, 600] {
                let options = SearchOptions::from(Budget::Nodes(nodes));
                let found = AlphaBeta::new(options, stream([6; 32])).search(game, None);
                let after = rules.play(position, found.best).position;
                let winner = rules.ending(&after).and_then(|outcome| outcome.winner);
                assert_eq!(winner, Some(position.side), "{nodes}: {position}");
                assert_eq!(found.wins_in(), Some(1));
                assert!(found.nodes <= nodes);
                taken[position.side as usize] += 1;
            }
        });
        assert!(taken.iter().all(|&count| count > 100), "{taken:?}");
    }

    #[test]
    fn other_moves_are_the_best_of_those_that_are_left() {
        let rules = Rules::new(preset::disputed_factorial()[0]);
        let game = Game::new(&rules);
        let new = || AlphaBeta::new(Budget::Nodes(2_000).into(), stream([3; 32]));
        let best = new().choose(&game).unwrap();
        assert_eq!(new().choose_other(&game, &[]).unwrap(), Some(best));
        let second = new().choose_other(&game, &[best]).unwrap();
        assert!(second.is_some_and(|ply| ply != best));
        let all = moves(&rules, game.position());
        for &only in &all {
            let not: Vec<Move> = all.iter().copied().filter(|&ply| ply != only).collect();
            assert_eq!(new().choose_other(&game, &not).unwrap(), Some(only));
        }
        assert_eq!(new().choose_other(&game, &all).unwrap(), None);
    }

    #[test]
    fn full_depth_finds_every_win_that_it_reaches() {
        let mut found = 0;
        each_random_position(|game| {
            let (rules, position) = (game.rules(), game.position());
            let shortest = [1, 3]
                .into_iter()
                .find(|&plies| wins_within(rules, position, plies));
            let Some(shortest) = shortest else { return };
            let options = SearchOptions::from(Budget::Depth(3));
            let searched = AlphaBeta::new(options, stream([4; 32])).search(game, None);
            assert_eq!(searched.wins_in(), Some(shortest as i32), "{position}");
            found += 1;
        });
        assert!(found > 500, "{found}");
    }

    /// The score by trying everything, as far as a search without quiescence
    /// looks.
    fn minimax(rules: &Rules, position: &Position, depth: u32, ply: usize) -> i32 {
        if ply > 0 && rules.decisive_move(position).is_some() {
            return MATE - ply as i32 - 1;
        }
        if depth == 0 {
            let evaluation = Evaluation::of(rules.ruleset(), Choice::Tuned);
            return evaluation.for_mover(rules, position);
        }
        let score = |candidate| {
            let after = rules.play(position, candidate).position;
            match rules.ending(&after) {
                Some(outcome) => final_score(outcome, position.side, ply + 1),
                None => -minimax(rules, &after, depth - 1, ply + 1),
            }
        };
        let list = moves(rules, position);
        list.into_iter().map(score).max().expect("the game goes on")
    }

    #[test]
    fn full_depth_without_quiescence_is_minimax() {
        let mut compared = 0;
        each_random_position(|game| {
            for ordering in [true, false] {
                let options = SearchOptions {
                    quiescence: false,
                    ordering,
                    ..SearchOptions::from(Budget::Depth(2))
                };
                let found = AlphaBeta::new(options, stream([1; 32])).search(game, None);
                // A win in one ends the search before it looks further.
                let best = minimax(game.rules(), game.position(), 2, 0);
                assert_eq!(found.score, best, "{}", game.position());
            }
            compared += 1;
        });
        assert!(compared > 1_000, "{compared}");
    }
}
