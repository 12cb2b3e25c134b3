//! Iterations, deeper and deeper, and the root's own moves.

use super::super::hash::Hashes;
use super::super::score::{MATE, MATE_IN_REACH, final_score};
use super::super::{Budget, Searched, Wanted};
use super::{Node, OutOfNodes, Search, Window};
use crate::game::{Move, MoveList};

impl Search<'_> {
    /// Searches deeper and deeper; `list` holds the root's moves.
    pub(in super::super) fn deepen(mut self, list: &mut MoveList, wanted: Wanted) -> Searched {
        let max_depth = match self.options.budget {
            Budget::Depth(depth) => depth,
            Budget::Nodes(_) => 64,
        };
        let mut found = Searched {
            best: list[0],
            score: 0,
            depth: 0,
            nodes: 0,
        };
        for depth in 1..=max_depth {
            let completed = found.score;
            if self.iterate(list, depth, &mut found).is_err() {
                if depth == 1 {
                    self.take_as_they_stand(list, &mut found);
                    break;
                }
                // A loss is only sure once every move was looked at.
                if found.score < -MATE_IN_REACH {
                    found.score = completed;
                }
                break;
            }
            found.depth = depth;
            let decided = found
                .wins_in()
                .is_some_and(|plies| plies.unsigned_abs() <= depth);
            if decided || wanted == Wanted::Move && list.len() == 1 {
                break;
            }
        }
        found.nodes = self.nodes.min(self.max_nodes);
        found
    }

    /// The root's moves that the first iteration did not come to, by what they
    /// lead to as it stands: a search that can pay for some of them alone must not
    /// miss what the others do at once. They are not counted.
    fn take_as_they_stand(&self, list: &[Move], found: &mut Searched) {
        if self.looked_at == 0 {
            found.score = -MATE - 1;
        }
        for &ply in &list[self.looked_at..] {
            let (played, outcome) = self.game.preview(ply);
            let score = match outcome {
                Some(outcome) => final_score(outcome, self.game.position().side, 1),
                None => -self.leaf(&played.position, 1),
            };
            if score > found.score {
                found.best = ply;
                found.score = score;
            }
        }
    }

    /// One iteration: a narrow window around the last score, opened where the
    /// score lies outside.
    fn iterate(
        &mut self,
        list: &mut MoveList,
        depth: u32,
        found: &mut Searched,
    ) -> Result<(), OutOfNodes> {
        let expected = found.score;
        let mut margin = 64;
        let mut window = match depth < 4 || expected.abs() > MATE_IN_REACH {
            true => Window::ALL,
            false => Window {
                alpha: expected - margin,
                beta: expected + margin,
            },
        };
        loop {
            let score = self.root(list, depth as i32, window, found)?;
            margin *= 4;
            let opened = margin > 2_000 || score.abs() > MATE_IN_REACH;
            if score <= window.alpha {
                window.alpha = if opened { -MATE - 1 } else { score - margin };
            } else if score >= window.beta {
                window.beta = if opened { MATE + 1 } else { score + margin };
            } else {
                return Ok(());
            }
        }
    }

    /// The root's moves in one window; puts the best first. `found` holds the
    /// best so far even where the budget ends it.
    fn root(
        &mut self,
        list: &mut MoveList,
        depth: i32,
        window: Window,
        found: &mut Searched,
    ) -> Result<i32, OutOfNodes> {
        let node = Node {
            position: *self.game.position(),
            hashes: Hashes::of(self.game.position()),
        };
        self.line.clear();
        self.line.push(node.position.key());
        let mut alpha = window.alpha;
        let mut best = -MATE - 1;
        for index in 0..list.len() {
            self.looked_at = index;
            let ply = list[index];
            let (played, outcome) = self.game.preview(ply);
            let score = if let Some(outcome) = outcome {
                final_score(outcome, node.position.side, 1)
            } else {
                let child = node.child(ply, &played, depth);
                let window = Window { alpha, ..window };
                self.descend(&child, depth - 1, window, 1, index == 0, 0)?
            };
            if score > alpha {
                found.best = ply;
                found.score = score;
                list[..=index].rotate_right(1);
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if score >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}
