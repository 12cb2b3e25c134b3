/*!
Monte Carlo tree search: UCT on a tree that is built anew for each move, with
proven wins and losses backed up. Imports `game`.

All values are fixed-point integers, so that the tree grows the same way on
every processor.
*/

use super::{Agent, Forfeit, Stream, shuffle};
use crate::game::{Game, Move, MoveList, Outcome, Side, sample::below, sample::random_move};

/// A playout longer than this counts as a draw.
const MAX_PLAYOUT: u32 = 200;

/// The agent: how many playouts a move, and the weight of exploration.
pub(super) struct Mcts {
    playouts: u32,
    /// In thousandths.
    exploration: u32,
    stream: Stream,
}

impl Mcts {
    pub(super) fn new(playouts: u32, exploration: u32, stream: Stream) -> Mcts {
        Mcts {
            playouts,
            exploration,
            stream,
        }
    }
}

/// What is known for certain of a node, for the side that moved into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proof {
    Open,
    Won,
    Lost,
}

/// A move in the tree. 20 bytes.
struct Node {
    ply: Move,
    proof: Proof,
    children: u16,
    first_child: u32,
    visits: u32,
    /// Twice the wins plus the draws, for the side that moved into the node.
    score: u32,
}

impl Node {
    fn new(ply: Move) -> Node {
        Node {
            ply,
            proof: Proof::Open,
            children: 0,
            first_child: 0,
            visits: 0,
            score: 0,
        }
    }
}

impl Agent for Mcts {
    fn choose(&mut self, game: &Game<'_>) -> Result<Move, Forfeit> {
        let mut list = MoveList::new();
        game.moves(&mut list);
        if list.len() == 1 {
            return Ok(list[0]);
        }
        let mut tree = Tree {
            nodes: vec![Node::new(list[0])],
            exploration: self.exploration,
            stream: &mut self.stream,
        };
        tree.expand(0, game);
        for _ in 0..self.playouts {
            if tree.nodes[0].proof != Proof::Open {
                break;
            }
            tree.playout(game);
        }
        Ok(tree.choose())
    }
}

struct Tree<'a> {
    nodes: Vec<Node>,
    exploration: u32,
    stream: &'a mut Stream,
}

impl Tree<'_> {
    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.nodes[node].first_child as usize;
        first..first + usize::from(self.nodes[node].children)
    }

    /// Adds the node's children, in random order.
    fn expand(&mut self, node: usize, game: &Game<'_>) {
        let mut list = MoveList::new();
        game.moves(&mut list);
        shuffle(&mut list, self.stream);
        self.nodes[node].first_child = self.nodes.len() as u32;
        self.nodes[node].children = list.len() as u16;
        self.nodes.extend(list.into_iter().map(Node::new));
    }

    /// Walks down the tree, adds to it, plays on at random and backs up.
    fn playout(&mut self, game: &Game<'_>) {
        let mut game = game.clone();
        let mut path = vec![0];
        let mut movers = vec![game.position().side.other()];
        loop {
            let node = path[path.len() - 1];
            if game.outcome().is_some() {
                break;
            }
            if self.nodes[node].children == 0 {
                if self.nodes[node].visits == 0 {
                    break;
                }
                self.expand(node, &game);
            }
            let child = self.select(node);
            movers.push(game.position().side);
            game.play_legal(self.nodes[child].ply);
            path.push(child);
        }
        let leaf = path[path.len() - 1];
        if let Some(Outcome {
            winner: Some(side), ..
        }) = game.outcome()
        {
            let won = side == movers[movers.len() - 1];
            self.nodes[leaf].proof = if won { Proof::Won } else { Proof::Lost };
        }
        let winner = self.play_on(&game);
        for (&node, &mover) in path.iter().zip(&movers) {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.score += match winner {
                None => 1,
                Some(side) if side == mover => 2,
                Some(_) => 0,
            };
        }
        self.back_up_proofs(&path);
    }

    /// The winner of a random game from here; repetitions are not looked for.
    fn play_on(&mut self, game: &Game<'_>) -> Option<Side> {
        let rules = game.rules();
        let mut outcome = game.outcome();
        let mut position = *game.position();
        let mut plies = 0;
        while outcome.is_none() && plies < MAX_PLAYOUT {
            let Some(ply) = random_move(rules, &position, self.stream) else {
                break;
            };
            position = rules.play(&position, ply).position;
            outcome = rules.ending(&position);
            plies += 1;
        }
        outcome.and_then(|outcome| outcome.winner)
    }

    /// The child to look at next: a proven win, else one not yet visited, else
    /// the largest upper confidence bound among those not proven lost.
    fn select(&mut self, node: usize) -> usize {
        let visits = self.nodes[node].visits.max(1);
        let log = natural_log(visits);
        let mut best = self.nodes[node].first_child as usize;
        let mut best_value = 0;
        for child in self.children(node) {
            let value = match self.nodes[child].proof {
                Proof::Won => return child,
                Proof::Lost => 1,
                Proof::Open if self.nodes[child].visits == 0 => u64::MAX,
                Proof::Open => 2 + self.confidence_bound(child, log),
            };
            if value > best_value {
                best_value = value;
                best = child;
            }
        }
        best
    }

    /// The mean score plus the exploration term, both in 1/65536.
    fn confidence_bound(&self, child: usize, log: u64) -> u64 {
        let node = &self.nodes[child];
        let visits = u64::from(node.visits);
        let mean = (u64::from(node.score) << 15) / visits;
        let term = ((log << 16) / visits).isqrt();
        mean + term * u64::from(self.exploration) / 1000
    }

    /// From the leaf up: a node is lost for its mover once the reply has a
    /// proven win, and won once all replies are proven lost.
    fn back_up_proofs(&mut self, path: &[usize]) {
        if self.nodes[path[path.len() - 1]].proof == Proof::Open {
            return;
        }
        for &node in path[..path.len() - 1].iter().rev() {
            let mut all_lost = true;
            let mut some_won = false;
            for child in self.children(node) {
                all_lost &= self.nodes[child].proof == Proof::Lost;
                some_won |= self.nodes[child].proof == Proof::Won;
            }
            self.nodes[node].proof = match (some_won, all_lost) {
                (true, _) => Proof::Lost,
                (false, true) => Proof::Won,
                (false, false) => return,
            };
        }
    }

    /// A proven win, else the move visited most often that is not proven lost,
    /// else the one visited most; ties by the stream.
    fn choose(&mut self) -> Move {
        let rank = |node: &Node| match node.proof {
            Proof::Won => (2, 0),
            Proof::Open => (1, node.visits),
            Proof::Lost => (0, node.visits),
        };
        let best = self.children(0).map(|child| rank(&self.nodes[child])).max();
        let equals: Vec<usize> = self
            .children(0)
            .filter(|&child| Some(rank(&self.nodes[child])) == best)
            .collect();
        let chosen = equals[below(equals.len() as u32, self.stream) as usize];
        self.nodes[chosen].ply
    }
}

/// The natural logarithm of a number from 1 on, in 1/65536, by repeated
/// squaring of the mantissa.
fn natural_log(number: u32) -> u64 {
    const LN_2: u64 = 45_426;
    let whole = u64::from(number.ilog2());
    let mut mantissa = (u64::from(number) << 32) >> whole;
    let mut log = whole;
    for _ in 0..16 {
        mantissa = ((u128::from(mantissa) * u128::from(mantissa)) >> 32) as u64;
        let above_two = mantissa >> 33;
        log = log << 1 | above_two;
        mantissa >>= above_two;
    }
    (log * LN_2) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::stream;
    use crate::game::{Position, Rules, Ruleset};

    #[test]
    fn the_integer_logarithm_is_the_logarithm() {
        for number in [1, 2, 3, 10, 999, 65_536, 12_345_678, u32::MAX] {
            let exact = f64::from(number).ln() * 65_536.0;
            let error = (natural_log(number) as f64 - exact).abs();
            assert!(error <= 0.0003 * exact + 2.0, "{number}: {error}");
        }
    }

    #[test]
    fn a_proven_win_is_played_and_a_proven_loss_avoided() {
        let rules = Rules::new(Ruleset::default());
        // The king can go to a1 along the first rank.
        let position = Position::from_otn("/3K3/7/7/7/3t3/7/3t3/", Side::Defenders).unwrap();
        let game = Game::from_position(&rules, position);
        for seed in 0..20 {
            let ply = Mcts::new(60, 1000, stream([seed; 32]))
                .choose(&game)
                .unwrap();
            assert!(matches!(ply.to.to_string().as_str(), "a1" | "g1"), "{ply}");
        }
    }
}
