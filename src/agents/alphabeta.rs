/*!
Alpha-beta: negamax with principal-variation windows, iterative deepening and a
transposition table. Imports `game`.

A position that repeats inside the search counts as the ruleset's repetition
result, short of a certain win; one that would stand often enough in the game
itself to end it counts as that end. Scores kept in the table do not know the
path that led to them, so a repetition can be misjudged there, as in every such
program.
*/

use super::evaluation::{BOUND, evaluate, king_reach};
use super::table::{Bound, Entry, Table, hash};
use super::{Agent, Stream, shuffle};
use crate::game::{
    Bitboard, Game, History, Move, MoveList, Outcome, Position, Rules, SQUARES, Side,
};

/// The score of a win at the root; a win in *n* plies is `MATE - n`.
const MATE: i32 = 30_000;
/// Scores beyond this are wins in so many plies.
const MATE_IN_REACH: i32 = MATE - MAX_PLY as i32;
/// A repetition that will win once it has gone on long enough.
const REPEATED_WIN: i32 = BOUND + 1_000;
/// Plies a line can have.
const MAX_PLY: usize = 128;

/// How much a search may do for one move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Budget {
    /// Full depth in plies, 1 to 64.
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
            Budget::Nodes(nodes) => nodes.saturating_mul(8),
        };
        nodes.ilog2().clamp(12, 20)
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
    budget: Budget,
    stream: Stream,
    table: Table,
    ordering: Ordering,
}

impl AlphaBeta {
    pub(super) fn new(budget: Budget, stream: Stream) -> AlphaBeta {
        AlphaBeta {
            budget,
            stream,
            table: Table::new(budget.table_bits()),
            ordering: Ordering::new(),
        }
    }

    pub(super) fn search(&mut self, game: &Game<'_>) -> Searched {
        let mut list = MoveList::new();
        game.moves(&mut list);
        // Moves of equal worth are tried, and so preferred, in random order.
        shuffle(&mut list, &mut self.stream);
        let (max_depth, max_nodes) = match self.budget {
            Budget::Depth(depth) => (depth, u64::MAX),
            Budget::Nodes(nodes) => (64, nodes),
        };
        self.ordering.age();
        let mut search = Search {
            rules: game.rules(),
            limit: game.rules().repetition_limit(),
            history: game.history(),
            root: game.position().key(),
            line: Vec::with_capacity(MAX_PLY),
            table: &mut self.table,
            ordering: &mut self.ordering,
            nodes: 0,
            max_nodes,
        };
        let mut found = Searched {
            best: list[0],
            score: 0,
            depth: 0,
            nodes: 0,
        };
        for depth in 1..=max_depth {
            let finished = search.root(game, &mut list, depth, &mut found);
            if !finished {
                break;
            }
            found.depth = depth;
            if found
                .wins_in()
                .is_some_and(|plies| plies.unsigned_abs() <= depth)
                || list.len() == 1
            {
                break;
            }
        }
        found.nodes = search.nodes;
        found
    }
}

impl Agent for AlphaBeta {
    fn choose(&mut self, game: &Game<'_>) -> Move {
        self.search(game).best
    }
}

/// What earlier cut-offs say about which move to try first.
struct Ordering {
    killers: [[Option<Move>; 2]; MAX_PLY],
    /// By side, origin and target.
    history: Vec<u32>,
}

impl Ordering {
    fn new() -> Ordering {
        Ordering {
            killers: [[None; 2]; MAX_PLY],
            history: vec![0; 2 * SQUARES * SQUARES],
        }
    }

    /// Halves the weight of what earlier searches saw.
    fn age(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
        for weight in &mut self.history {
            *weight /= 2;
        }
    }

    fn place(side: Side, ply: Move) -> usize {
        (side as usize * SQUARES + ply.from.index()) * SQUARES + ply.to.index()
    }

    fn cut_off(&mut self, side: Side, ply: Move, at: usize, depth: u32) {
        if self.killers[at][0] != Some(ply) {
            self.killers[at] = [Some(ply), self.killers[at][0]];
        }
        let weight = &mut self.history[Ordering::place(side, ply)];
        *weight = (*weight + depth * depth).min(1 << 24);
    }

    /// The larger, the sooner it is tried.
    fn rank(&self, side: Side, ply: Move, at: usize, captured: Bitboard) -> u32 {
        let killers = &self.killers[at];
        if !captured.is_empty() {
            1 << 28 | captured.len()
        } else if killers[0] == Some(ply) {
            1 << 27
        } else if killers[1] == Some(ply) {
            1 << 26
        } else {
            self.history[Ordering::place(side, ply)]
        }
    }
}

struct Search<'a> {
    rules: &'a Rules,
    limit: Option<u32>,
    /// What stood in the game, the root included.
    history: &'a History,
    root: [u64; 2],
    /// What stands between the root and here.
    line: Vec<[u64; 2]>,
    table: &'a mut Table,
    ordering: &'a mut Ordering,
    nodes: u64,
    max_nodes: u64,
}

/// The budget is used up.
struct OutOfNodes;

impl Search<'_> {
    /// One iteration over the root's moves; puts the best first. `false` if
    /// the budget ended it, `found` then holds the best so far.
    fn root(
        &mut self,
        game: &Game<'_>,
        list: &mut MoveList,
        depth: u32,
        found: &mut Searched,
    ) -> bool {
        let mut alpha = -MATE - 1;
        for index in 0..list.len() {
            let ply = list[index];
            let (played, outcome) = game.preview(ply);
            let score = match outcome {
                Some(outcome) => Ok(final_score(outcome, game.position().side, 1)),
                None => self.descend(
                    &played.position,
                    depth - 1,
                    (alpha, MATE + 1),
                    1,
                    index == 0,
                ),
            };
            let Ok(score) = score else {
                return false;
            };
            if score > alpha {
                alpha = score;
                found.best = ply;
                found.score = score;
                list[..=index].rotate_right(1);
            }
        }
        true
    }

    /// Searches the opponent's reply, by a null window first unless it is the
    /// first move of its node. The score is for the mover.
    fn descend(
        &mut self,
        after: &Position,
        depth: u32,
        (alpha, beta): (i32, i32),
        ply: usize,
        first: bool,
    ) -> Result<i32, OutOfNodes> {
        if !first {
            let score = -self.negamax(after, depth, (-alpha - 1, -alpha), ply)?;
            if score <= alpha || score >= beta {
                return Ok(score);
            }
        }
        Ok(-self.negamax(after, depth, (-beta, -alpha), ply)?)
    }

    /// The score of a position for its side to move.
    fn negamax(
        &mut self,
        position: &Position,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        ply: usize,
    ) -> Result<i32, OutOfNodes> {
        self.nodes += 1;
        if self.nodes > self.max_nodes {
            return Err(OutOfNodes);
        }
        if position.side == Side::Defenders
            && king_reach(self.rules, position).meets(Bitboard::CORNERS)
        {
            return Ok(MATE - ply as i32 - 1);
        }
        if depth == 0 || ply + 1 >= MAX_PLY {
            return Ok(evaluate(self.rules, position));
        }
        let hash = hash(position);
        let known = self.table.get(hash);
        if let Some(entry) = known
            && u32::from(entry.depth) >= depth
        {
            let score = from_table(i32::from(entry.score), ply);
            match entry.bound {
                Bound::Exact => return Ok(score),
                Bound::Lower if score >= beta => return Ok(score),
                Bound::Upper if score <= alpha => return Ok(score),
                _ => {}
            }
        }
        // The move known to be good mostly cuts off, and the others need not
        // even be listed.
        let known = known
            .and_then(|entry| entry.best)
            .filter(|&best| self.rules.is_legal(position, best));
        let mut moves = match known {
            Some(best) => vec![(u32::MAX, best)],
            None => self.ordered(position, ply, None),
        };
        let start = alpha;
        let mut best = -MATE;
        let mut best_move = None;
        self.line.push(position.key());
        let mut index = 0;
        loop {
            if index == 1 && known.is_some() {
                moves.extend(self.ordered(position, ply, known));
            }
            if index == moves.len() {
                break;
            }
            let (rank, candidate) = take_next(&mut moves, index);
            let played = self.rules.play(position, candidate);
            let ended = self
                .rules
                .ending(&played.position)
                .map(|outcome| final_score(outcome, position.side, ply + 1))
                .or_else(|| self.repeated(&played.position, position.side, ply + 1));
            let score = match ended {
                Some(score) => Ok(score),
                None => self.descend(
                    &played.position,
                    depth - 1,
                    (alpha, beta),
                    ply + 1,
                    index == 0,
                ),
            };
            let score = match score {
                Ok(score) => score,
                Err(stop) => {
                    self.line.pop();
                    return Err(stop);
                }
            };
            if score > best {
                best = score;
                best_move = Some(candidate);
                alpha = alpha.max(score);
            }
            if score >= beta {
                if rank < 1 << 28 {
                    self.ordering.cut_off(position.side, candidate, ply, depth);
                }
                break;
            }
            index += 1;
        }
        self.line.pop();
        let bound = if best >= beta {
            Bound::Lower
        } else if best > start {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.put(
            hash,
            Entry {
                best: best_move,
                score: to_table(best, ply) as i16,
                depth: depth as u8,
                bound,
            },
        );
        Ok(best)
    }

    /// The moves but for one, with the rank by which they are tried.
    fn ordered(&self, position: &Position, ply: usize, but: Option<Move>) -> Vec<(u32, Move)> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        list.into_iter()
            .filter(|&candidate| Some(candidate) != but)
            .map(|candidate| {
                let captured = self.rules.captures(position, candidate);
                let rank = self.ordering.rank(position.side, candidate, ply, captured);
                (rank, candidate)
            })
            .collect()
    }

    /// The score, for `mover`, of reaching a position that stood before.
    fn repeated(&self, position: &Position, mover: Side, ply: usize) -> Option<i32> {
        let limit = self.limit?;
        let key = position.key();
        let in_line = self.line.contains(&key);
        let outcome = self.rules.repeated(mover)?;
        if !in_line && self.history.times(position) + 1 >= limit {
            // Whatever the line, the game ends here.
            Some(final_score(outcome, mover, ply))
        } else if in_line || key == self.root {
            Some(match outcome.winner {
                None => 0,
                Some(side) if side == mover => REPEATED_WIN,
                Some(_) => -REPEATED_WIN,
            })
        } else {
            None
        }
    }
}

/// Brings the best of the moves not yet tried to `index`.
fn take_next(moves: &mut [(u32, Move)], index: usize) -> (u32, Move) {
    let best = (index..moves.len())
        .max_by_key(|&other| (moves[other].0, std::cmp::Reverse(other)))
        .unwrap_or(index);
    moves.swap(index, best);
    moves[index]
}

fn final_score(outcome: Outcome, side: Side, ply: usize) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == side => MATE - ply as i32,
        Some(_) => ply as i32 - MATE,
    }
}

/// Wins are stored as plies from the position, not from the root.
fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        MATE_IN_REACH.. => score + ply as i32,
        _ if score <= -MATE_IN_REACH => score - ply as i32,
        _ => score,
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        MATE_IN_REACH.. => score - ply as i32,
        _ if score <= -MATE_IN_REACH => score + ply as i32,
        _ => score,
    }
}
