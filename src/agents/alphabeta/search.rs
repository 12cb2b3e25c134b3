//! The search of one move: the tree below the root.
//! Imports `game`, the evaluation and this agent's parts.

use super::hash::Hashes;
use super::ordering::{Ordering, Ranked, is_late, is_quiet, take_next};
use super::score::{MATE, MAX_PLY, REPEATED_WIN, exact_score, final_score, from_table, to_table};
use super::table::{Bound, Entry, Table};
use super::{Budget, SearchOptions};
use crate::agents::evaluation::Evaluation;
use crate::game::{Game, Move, Played, Position, Rules, Side};
use crate::solver::exact::{Probe, draws_hold};

mod root;

/// The budget is used up.
pub(super) struct OutOfNodes;

/// A position in the tree and its hashes.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) position: Position,
    hashes: Hashes,
}

/// The scores between which a node's own matters, both for its side to move.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const ALL: Window = Window {
        alpha: -MATE - 1,
        beta: MATE + 1,
    };

    /// Whether a score is better than `alpha`, and nothing more.
    fn null(alpha: i32) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The same window as the opponent sees it.
    fn turned(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

pub(super) struct Search<'a> {
    game: &'a Game<'a>,
    pub(super) rules: &'a Rules,
    evaluation: &'a Evaluation,
    options: SearchOptions,
    limit: Option<u32>,
    /// What stands between the root and here, the root first.
    line: Vec<[u64; 2]>,
    table: &'a mut Table,
    ordering: &'a mut Ordering,
    nodes: u64,
    max_nodes: u64,
    /// How many of the root's moves the present iteration has looked at.
    looked_at: usize,
    /// Who knows the value of some positions.
    exact: Option<&'a dyn Probe>,
    /// Whether every way out that attackers leave open is taken: the game has
    /// no position that could end it by repetition before the king escapes.
    pub(super) escapes_win: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        game: &'a Game<'a>,
        options: SearchOptions,
        evaluation: &'a Evaluation,
        table: &'a mut Table,
        ordering: &'a mut Ordering,
    ) -> Search<'a> {
        let rules = game.rules();
        let declined =
            |before: Position| before.side == Side::Defenders && !rules.escapes(&before).is_empty();
        Search {
            game,
            rules,
            evaluation,
            options,
            limit: rules.repetition_limit(),
            line: Vec::with_capacity(MAX_PLY),
            table,
            ordering,
            nodes: 0,
            max_nodes: match options.budget {
                Budget::Depth(_) => u64::MAX,
                Budget::Nodes(nodes) => nodes,
            },
            looked_at: 0,
            exact: None,
            escapes_win: !game.history().positions().any(declined),
        }
    }

    /// The same with the values of some positions known beforehand.
    pub(super) fn knowing(self, exact: Option<&'a dyn Probe>) -> Search<'a> {
        Search { exact, ..self }
    }

    /// Searches the opponent's reply: less deeply first where `reduction` says
    /// so, by a null window first unless it is the first move of its node. The
    /// score is for the mover.
    fn descend(
        &mut self,
        child: &Node,
        depth: i32,
        window: Window,
        ply: usize,
        first: bool,
        reduction: i32,
    ) -> Result<i32, OutOfNodes> {
        if !first {
            let null = Window::null(window.alpha).turned();
            if reduction > 0 {
                let score = -self.negamax(child, depth - reduction, null, ply)?;
                if score <= window.alpha {
                    return Ok(score);
                }
            }
            let score = -self.negamax(child, depth, null, ply)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        Ok(-self.negamax(child, depth, window.turned(), ply)?)
    }

    /// Counts a position looked at.
    #[inline]
    pub(super) fn count(&mut self) -> Result<(), OutOfNodes> {
        self.nodes += 1;
        if self.nodes > self.max_nodes {
            Err(OutOfNodes)
        } else {
            Ok(())
        }
    }

    /// The evaluation, for the side to move.
    #[inline]
    pub(super) fn judge(&self, position: &Position) -> i32 {
        self.evaluation.for_mover(self.rules, position)
    }

    /// Whether the attackers must stop the king from escaping at once.
    #[inline]
    pub(super) fn must_block(&self, position: &Position) -> bool {
        self.escapes_win
            && position.side == Side::Attackers
            && !self.rules.escapes(position).is_empty()
    }

    /// The score of a position whose value is known, for its side to move.
    #[inline]
    pub(super) fn known(&self, position: &Position, ply: usize) -> Option<i32> {
        let value = self.exact?.probe(position)?;
        exact_score(value, ply, draws_hold(self.rules.ruleset()))
    }

    /// The score of a node for its side to move.
    fn negamax(
        &mut self,
        node: &Node,
        depth: i32,
        mut window: Window,
        ply: usize,
    ) -> Result<i32, OutOfNodes> {
        let position = &node.position;
        if depth <= 0 {
            return if self.options.quiescence {
                self.quiesce(position, window.alpha, window.beta, ply, 0)
            } else {
                self.count()?;
                Ok(self.leaf(position, ply))
            };
        }
        self.count()?;
        // The table is asked first: its memory is far away.
        let (hash, image) = node.hashes.folded(position.side);
        let known = self.table.get(hash);
        if self.rules.decisive_move(position).is_some() {
            return Ok(MATE - ply as i32 - 1);
        }
        if ply + 1 >= MAX_PLY {
            return Ok(self.leaf(position, ply));
        }
        if let Some(score) = self.known(position, ply) {
            return Ok(score);
        }
        if let Some(entry) = known
            && i32::from(entry.depth) >= depth
        {
            let score = from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return Ok(score),
                Bound::Lower if score >= window.beta => return Ok(score),
                Bound::Upper if score <= window.alpha => return Ok(score),
                _ => {}
            }
        }
        // The move known to be good mostly cuts off, and the others need not
        // even be listed.
        let known = known
            .and_then(|entry| entry.best)
            .map(|best| image.inverse().ply(best))
            .filter(|&best| self.rules.is_legal(position, best));
        let start = window.alpha;
        self.line.push(position.key());
        let tried = self.try_moves(node, depth, &mut window, ply, known);
        self.line.pop();
        let (best, best_move) = tried?;
        self.table.put(
            hash,
            Entry {
                best: best_move.map(|best| image.ply(best)),
                score: to_table(best, ply),
                depth: depth as u8,
                bound: if best >= window.beta {
                    Bound::Lower
                } else if best > start {
                    Bound::Exact
                } else {
                    Bound::Upper
                },
            },
        );
        Ok(best)
    }

    /// A position that is looked into no further: a win at once, or its
    /// evaluation.
    fn leaf(&self, position: &Position, ply: usize) -> i32 {
        match self.rules.decisive_move(position) {
            Some(_) => MATE - ply as i32 - 1,
            None => self
                .known(position, ply)
                .unwrap_or_else(|| self.judge(position)),
        }
    }

    /// The best score among a node's moves, and the move if it is better than
    /// `window.alpha` was.
    fn try_moves(
        &mut self,
        node: &Node,
        depth: i32,
        window: &mut Window,
        ply: usize,
        known: Option<Move>,
    ) -> Result<(i32, Option<Move>), OutOfNodes> {
        let position = &node.position;
        let forced = self.must_block(position);
        // What is not looked at lets the king out.
        let mut best = if forced { ply as i32 + 2 - MATE } else { -MATE };
        let mut best_move = None;
        let mut moves = Ranked::new();
        match known {
            Some(known) => moves.push((i32::MAX, known)),
            None => self.list(&mut moves, position, ply, None, forced),
        }
        let mut index = 0;
        loop {
            if index == 1 && known.is_some() {
                self.list(&mut moves, position, ply, known, forced);
            }
            if index >= moves.len() {
                break;
            }
            let (rank, candidate) = take_next(&mut moves, index);
            let played = self.rules.play(position, candidate);
            let ended = self.ended(&played, position.side, ply + 1);
            let score = if let Some(score) = ended {
                score
            } else {
                let reduction = if forced || depth < 3 || !is_late(rank) {
                    0
                } else {
                    self.reduction(depth, index, &played.position)
                };
                let child = node.child(candidate, &played, depth);
                self.descend(&child, depth - 1, *window, ply + 1, index == 0, reduction)?
            };
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(candidate);
                    window.alpha = score;
                }
            }
            if score >= window.beta {
                if is_quiet(rank) || rank == i32::MAX && played.captured.is_empty() {
                    let tried = &moves[..index];
                    self.ordering
                        .cut_off(position.side, candidate, ply, depth, tried);
                }
                break;
            }
            index += 1;
        }
        Ok((best, best_move))
    }

    /// Adds the moves but one that have to be looked at.
    fn list(
        &self,
        moves: &mut Ranked,
        position: &Position,
        ply: usize,
        but: Option<Move>,
        forced: bool,
    ) {
        if forced {
            let blocks = self.rules.blocks(position);
            let others = blocks.filter(|&block| Some(block) != but);
            moves.extend(others.map(|block| (0, block)));
        } else {
            self.ordering.rank(self.rules, position, ply, but, moves);
        }
    }

    /// By how much less deeply a late move is searched at first: not at all
    /// if it threatens to win at once.
    fn reduction(&self, depth: i32, index: usize, after: &Position) -> i32 {
        if !self.options.reductions || index < 3 {
            return 0;
        }
        let threatens = match after.side {
            Side::Attackers => !self.rules.escapes(after).is_empty(),
            Side::Defenders => self.rules.king_capture(after).is_some(),
        };
        if threatens {
            return 0;
        }
        let logs = depth.ilog2() * (index as u32 + 1).ilog2();
        (logs as i32 * 2 / 3).clamp(1, depth - 2)
    }

    /// The score, for `mover`, if his move ended the game or repeats.
    #[inline]
    pub(super) fn ended(&self, played: &Played, mover: Side, ply: usize) -> Option<i32> {
        match self.rules.ending(&played.position) {
            Some(outcome) => Some(final_score(outcome, mover, ply)),
            // With fewer pieces it never stood.
            None if !played.captured.is_empty() => None,
            None => self.repeated(&played.position, mover),
        }
    }

    /// The score, for `mover`, of reaching a position that stood before.
    fn repeated(&self, position: &Position, mover: Side) -> Option<i32> {
        let limit = self.limit?;
        let key = position.key();
        let stands = |other: &[u64; 2]| other[0] == key[0] && other[1] == key[1];
        let ends = || self.game.history().times(position) + 1 >= limit;
        if !self.line.iter().any(stands) && !ends() {
            return None;
        }
        let outcome = self.rules.repeated(mover)?;
        // Even where the game would end here it is no win in so many plies: the
        // table gives the score to images of the position, which never stood.
        Some(match outcome.winner {
            None => 0,
            Some(side) if side == mover => REPEATED_WIN,
            Some(_) => -REPEATED_WIN,
        })
    }
}

impl Node {
    /// What a move leads to from a node of this depth. Beyond the full depth
    /// nobody asks for hashes, and they are not those of the position.
    #[inline]
    fn child(&self, ply: Move, played: &Played, depth: i32) -> Node {
        let hashes = match depth > 1 {
            true => self.hashes.after(&self.position, ply, played.captured),
            false => self.hashes,
        };
        Node {
            position: played.position,
            hashes,
        }
    }
}
